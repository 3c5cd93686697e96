#!/usr/bin/env node
// Starts the service of the sandbox alone: installs what is missing, then hands over to cli.ts.
import { createRequire } from 'node:module';
import { ensureDependencies, main } from './setup.mjs';

await main(async () => {
	await ensureDependencies();

	// tsx would keep its cache outside this folder.
	process.env.TSX_DISABLE_CACHE = '1';
	const { register } = await import('tsx/cjs/api');
	register();
	createRequire(import.meta.url)('./service/cli.ts');
});
