#!/usr/bin/env node
// `npm run published`: notes what is new in the nodes and the credential, which is not to change from then on.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { loadBuilt, main } from '../../sandbox/setup.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');

/** Runs a program of the development dependencies. */
function run(bin, args, env = {}) {
	const { status } = spawnSync(process.execPath, [path.join(root, 'node_modules', bin), ...args], {
		cwd: root,
		env: { ...process.env, ...env },
		stdio: 'inherit',
	});
	if (status !== 0) process.exit(status ?? 1);
}

await main(async () => {
	const { note } = await loadBuilt(import.meta.url, './publishedFile.ts');
	await note(process.argv.includes('--breaking'));
	const tests = ['test/contract/operations', 'test/contract/saved.test'];
	run('jest/bin/jest.js', ['--silent', '-t', 'is saved$', ...tests], { SAVE_NODES: '1' });
	const written = ['test/contract/published.json', 'test/contract/saved'];
	run('prettier/bin/prettier.cjs', ['--write', '--log-level=warn', ...written]);
});
