#!/usr/bin/env node
// `npm run docs:pictures`: installs and builds what is missing, then hands over to index.ts.
import { createRequire } from 'node:module';
import { ensureBuild, ensureDependencies, main } from '../../sandbox/setup.mjs';

await main(async () => {
	await ensureDependencies();
	await ensureBuild();

	// tsx would keep its cache outside this folder.
	process.env.TSX_DISABLE_CACHE = '1';
	const { register } = await import('tsx/cjs/api');
	register();
	await createRequire(import.meta.url)('./index.ts').takePictures();
});
