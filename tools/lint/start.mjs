#!/usr/bin/env node
// `npm run lint`: what the code, its texts and the package must follow, or one part of it. Plain Node.js.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');
const node = (file) => [process.execPath, path.join(root, 'tools', file)];

/** The programs of each part; what the command line adds goes to the last one. */
const PARTS = {
	// The longest come first.
	code: [node('lint/code.mjs')],
	n8n: [node('lint/n8n.mjs')],
	imports: [['depcruise', 'nodes', 'credentials', 'sandbox', 'test', 'tools']],
	format: [['prettier', '--check', '--log-level', 'warn', '.']],
	actions: [node('lint/actions.mjs')],
	workflows: [node('lint/workflows.mjs')],
	words: [node('plainWords/start.mjs')],
	built: [node('lint/built.mjs'), node('lint/package.mjs')],
};

const HELP = `npm run lint [-- <part> [arguments]]

  code       types, and ESLint, by default of all files: npm run lint -- code <file> ...
  imports    which folder imports which
  format     Prettier
  actions    the workflows of GitHub Actions
  workflows  workflow files of n8n, by default the examples: npm run lint -- workflows <file.json> ...
  words      the wording of all texts, or of some kinds: npm run lint -- words docs nodes
  built      the built nodes and the package that would be published
  n8n        whether n8n can verify the package

Without a part: all of them.
`;

/** Shows what a program says when it has ended, because others run beside it. */
async function run([command, ...args]) {
	const child = spawn(command, args, {
		cwd: root,
		stdio: ['inherit', 'pipe', 'pipe'],
	});
	const said = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (each) => said.push(each));
	const [code] = await once(child, 'close');
	process.stdout.write(Buffer.concat(said));
	return code === 0;
}

const AT_ONCE = 2;

/** Whether all of them end well; some run at once. */
async function runAll(programs) {
	const left = [...programs];
	let isWell = true;
	const runNext = async () => {
		while (left.length > 0) isWell = (await run(left.shift())) && isWell;
	};
	await Promise.all(Array.from({ length: AT_ONCE }, runNext));
	return isWell;
}

const [part, ...args] = process.argv.slice(2);
if (part === '--help') process.stdout.write(HELP);
else if (part !== undefined && !(part in PARTS)) {
	process.stderr.write(`Unknown part "${part}".\n\n${HELP}`);
	process.exitCode = 1;
} else {
	const programs = (part ? [part] : Object.keys(PARTS)).flatMap((name) => PARTS[name]);
	programs.at(-1).push(...args);
	process.exitCode = (await runAll(programs)) ? 0 : 1;
}
