#!/usr/bin/env node
// `npm run check`: holds the nodes against a service, by its document or by what it answers.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ensureDependencies, loadTypeScript, main, UserError } from '../sandbox/setup.mjs';

const HELP = `npm run check -- <what> [options]

  api <file or URL>     compares the nodes with the OpenAPI document of the service
  live --base-url URL   reads a running service once, and reports where it differs

Each has its own options: npm run check -- api --help
`;

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

const load = async (file) => await loadTypeScript(import.meta.url, file);
const CHECKS = {
	api: async (args) => (await load('./drift/cli.ts')).checkApi(args),
	live: async (args) => (await load('./live/cli.ts')).checkLive(args, { ask, say }),
};

await main(async () => {
	const [what, ...args] = process.argv.slice(2);
	if (what === undefined || what === '--help') return void process.stdout.write(HELP);
	if (!(what in CHECKS)) throw new UserError(`Unknown check "${what}".\n\n${HELP}`);
	await ensureDependencies();
	const { status, text } = await CHECKS[what](args);
	(status === 2 ? process.stderr : process.stdout).write(`${text}\n`);
	process.exitCode = status;
});
