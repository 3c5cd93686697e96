#!/usr/bin/env node
// `npm run check:api`: installs what is missing, then hands over to cli.ts.
import { ensureDependencies, loadTypeScript, main } from '../../sandbox/setup.mjs';

await main(async () => {
	await ensureDependencies();
	const { checkApi } = await loadTypeScript(import.meta.url, './cli.ts');
	const { status, text } = await checkApi(process.argv.slice(2));
	(status === 2 ? process.stderr : process.stdout).write(`${text}\n`);
	process.exitCode = status;
});
