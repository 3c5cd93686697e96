#!/usr/bin/env node
// `npm run check:live`: installs what is missing, then hands over to cli.ts.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ensureDependencies, loadTypeScript, main } from '../../sandbox/setup.mjs';

/** Asks for the token on the terminal, and shows nothing of what is typed. */
async function ask() {
	if (!process.stdin.isTTY) return '';
	process.stderr.write('API token (not shown): ');
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
	lines.once('SIGINT', () => process.exit(130));
	const answer = await lines.question('');
	lines.close();
	process.stderr.write('\n');
	return answer.trim();
}

const say = (line) => process.stderr.isTTY && process.stderr.write(`  ${line}\n`);

await main(async () => {
	await ensureDependencies();
	const { checkLive } = await loadTypeScript(import.meta.url, './cli.ts');
	const { status, text } = await checkLive(process.argv.slice(2), { ask, say });
	(status === 2 ? process.stderr : process.stdout).write(`${text}\n`);
	process.exitCode = status;
});
