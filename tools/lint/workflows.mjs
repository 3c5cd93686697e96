#!/usr/bin/env node
// `npm run lint -- workflows <file.json> [...]`: what n8n drops of nodes of this package, and guards that guard nothing.
// Without a file it looks at the examples.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadBuilt, main } from '../../sandbox/setup.mjs';

const examples = path.resolve(import.meta.dirname, '../../sandbox/workflows');

function textOf(file) {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		return `cannot be read: ${error.message}`;
	}
}

const counted = ({ length }, what) => `${length} ${what}${length === 1 ? '' : 's'}`;

await main(async () => {
	const { lintText } = await loadBuilt(import.meta.url, './workflowLint.ts');
	const given = process.argv.slice(2);
	const files =
		given.length > 0 ? given : readdirSync(examples).map((name) => path.join(examples, name));
	const lines = files.flatMap((file) =>
		lintText(textOf(file)).map(({ node, parameter, todo }) => {
			const place = node && `: node "${node}": parameter "${parameter}"`;
			return `${path.relative(process.cwd(), file)}${place}: ${todo}\n`;
		}),
	);
	process.stdout.write(
		`${lines.join('')}${counted(lines, 'problem')} in ${counted(files, 'file')}\n`,
	);
	process.exitCode = lines.length > 0 ? 1 : 0;
});
