const { readdirSync } = require('node:fs');
const path = require('node:path');

/**
 * Loads what contract tests are about before the first of them: what a module does once, when it is loaded, would
 * otherwise count as done by the test that happens to load it, and its mutants would meet no other.
 */
const shared = path.resolve(__dirname, '../../dist/nodes/shared');
if (expect.getState().testPath.includes(`${path.sep}contract${path.sep}`)) {
	for (const file of readdirSync(shared, { recursive: true })) {
		if (file.endsWith('.js')) require(path.join(shared, file));
	}
}
