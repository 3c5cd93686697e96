#!/usr/bin/env node
// `npm run bench`: installs and builds what is missing, then hands over to index.ts.
import { ensureBuild, ensureDependencies, loadTypeScript, main } from '../../sandbox/setup.mjs';

await main(async () => {
	await ensureDependencies();
	await ensureBuild();
	await loadTypeScript(import.meta.url, './index.ts');
});
