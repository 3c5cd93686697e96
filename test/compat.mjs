#!/usr/bin/env node
// `npm run test:compat -- --only 1.x`: the compatibility tests, on all versions of n8n or on those that are named.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies, loadTypeScript, main } from '../sandbox/setup.mjs';

const FLAG = '--only';

await main(async () => {
	const args = process.argv.slice(2);
	const at = args.indexOf(FLAG);
	const only = at < 0 ? undefined : (args.splice(at, 2)[1] ?? '');
	await ensureDependencies();
	const { versionsNamed } = await loadTypeScript(import.meta.url, './support/versions.ts');
	// What is spelt wrong is told before anything is installed.
	versionsNamed(only);
	const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', 'compat', '--runInBand'];
	const child = spawn(process.execPath, [...jest, ...args], {
		cwd: path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..'),
		env: { ...process.env, ...(only && { COMPAT_ONLY: only }) },
		stdio: 'inherit',
	});
	process.exitCode = await new Promise((resolve) =>
		child.once('close', (code) => resolve(code ?? 1)),
	);
});
