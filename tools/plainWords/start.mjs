#!/usr/bin/env node
// `npm run lint -- words [kind] [...]`: texts that a native speaker would not write, and what to write instead.
import { loadBuilt, main } from '../../sandbox/setup.mjs';

await main(async () => {
	const { lintWords } = await loadBuilt(import.meta.url, './cli.ts');
	const { report, count } = await lintWords(process.argv.slice(2));
	process.stdout.write(report);
	process.exitCode = count > 0 ? 1 : 0;
});
