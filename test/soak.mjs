#!/usr/bin/env node
// `npm run soak -- --minutes N`: the end-to-end soak test alone, for so long.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureDependencies, main } from '../sandbox/setup.mjs';
import { readNumber } from '../sandbox/lib/number.mjs';

await main(async () => {
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '2' } } });
	const minutes = readNumber(values.minutes, { min: 1, max: 24 * 60 });
	await ensureDependencies();
	const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
	const child = spawn(
		process.execPath,
		['node_modules/jest/bin/jest.js', '--selectProjects', 'soak'],
		{
			cwd: root,
			env: { ...process.env, SOAK_MINUTES: String(minutes) },
			stdio: 'inherit',
		},
	);
	process.exitCode = await new Promise((resolve) =>
		child.once('close', (code) => resolve(code ?? 1)),
	);
});
