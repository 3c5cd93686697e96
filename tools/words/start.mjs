#!/usr/bin/env node
// `npm run words`: installs what is missing, then hands over to cli.ts.
import { ensureDependencies, loadTypeScript, main } from '../../sandbox/setup.mjs';

await main(async () => {
	await ensureDependencies();
	const { setWords } = await loadTypeScript(import.meta.url, './cli.ts');
	process.stdout.write(`${await setWords(process.argv.slice(2))}\n`);
});
