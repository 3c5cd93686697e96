#!/usr/bin/env node
// `npm run docs:pictures [-- 01 fleet]`: installs and builds what is missing, then hands over to index.ts.
import { loadBuilt, main } from '../../sandbox/setup.mjs';

await main(async () => {
	const { takePictures } = await loadBuilt(import.meta.url, './index.ts');
	await takePictures(process.argv.slice(2));
});
