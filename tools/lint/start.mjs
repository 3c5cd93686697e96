#!/usr/bin/env node
// `npm run lint`: what the code, its texts and the package must follow, or one part of it. Plain Node.js.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const node = (file) => [process.execPath, path.join(root, 'tools', file)];

/** The programs of each part; what the command line adds goes to the last one. */
const PARTS = {
	code: [['eslint', '-c', 'eslint.own.config.mjs', '.']],
	imports: [['depcruise', 'nodes', 'credentials', 'sandbox', 'test', 'tools']],
	format: [['prettier', '--check', '--log-level', 'warn', '.']],
	actions: [node('lint/actions.mjs')],
	workflows: [node('lint/workflows.mjs')],
	words: [node('plainWords/start.mjs')],
	built: [node('lint/built.mjs'), node('lint/package.mjs')],
	n8n: [node('lint/n8n.mjs')],
};
const USUAL = ['code', 'actions', 'workflows', 'imports', 'format', 'words'];

const HELP = `npm run lint [-- <part> [arguments]]

  code       ESLint
  imports    which folder imports which
  format     Prettier
  actions    the workflows of GitHub Actions
  workflows  workflow files of n8n, by default the examples: npm run lint -- workflows <file.json> ...
  words      the wording of all texts, or of some kinds: npm run lint -- words docs nodes
  built      the built nodes and the package that would be published
  n8n        whether n8n can verify the package

Without a part: ${USUAL.join(', ')}.
`;

function run([command, ...args]) {
	const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
	return spawnSync(command, args, options).status === 0;
}

const [part, ...args] = process.argv.slice(2);
if (part === '--help') process.stdout.write(HELP);
else if (part !== undefined && !(part in PARTS)) {
	process.stderr.write(`Unknown part "${part}".\n\n${HELP}`);
	process.exitCode = 1;
} else {
	const programs = (part ? [part] : USUAL).flatMap((name) => PARTS[name]);
	programs.at(-1).push(...args);
	process.exitCode = programs.every(run) ? 0 : 1;
}
