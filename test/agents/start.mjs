#!/usr/bin/env node
// `npm run agent:eval`: installs what is missing, then hands over to cli.ts.
import { ensureDependencies, loadTypeScript, main } from '../../sandbox/setup.mjs';

await main(async () => {
	await ensureDependencies();
	const { evaluate } = await loadTypeScript(import.meta.url, './cli.ts');
	const say = (line) => process.stderr.write(`  ${line}\n`);
	const { status, text } = await evaluate(process.argv.slice(2), process.env, say);
	(status === 2 ? process.stderr : process.stdout).write(`${text}\n`);
	process.exitCode = status;
});
