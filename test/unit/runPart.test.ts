import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '../../sandbox/lib/wait';
import { newFolder } from '../support/ending';
import { root } from '../support/reference';

/** What `npm test` does with a part that goes over its time. */

const PATIENCE_MS = 30_000;

let folder: string;
beforeEach(() => void (folder = newFolder('part')));

const fileIn = (name: string) => path.join(folder, name);
const read = (name: string) =>
	existsSync(fileIn(name)) ? readFileSync(fileIn(name), 'utf8') : undefined;
const written = async (name: string) =>
	await waitFor(name, async () => read(name) || undefined, PATIENCE_MS);

/** Starts a part in a process of its own, and ends its time when `goOver` is called. */
function start(command: string, args: string[]) {
	const script = `
		import { runPart } from ${JSON.stringify(path.join(root, 'test/support/runPart.mjs'))};
		const over = new AbortController();
		process.stdin.once('data', () => over.abort());
		const options = { minutes: 15, signal: over.signal };
		await runPart(${JSON.stringify(command)}, ${JSON.stringify(args)}, options)
			.then((passed) => console.log('passed', passed), (error) => console.log(error.message));
		process.stdin.destroy();`;
	const options = {
		cwd: folder,
		stdio: ['pipe', 'pipe', 'inherit'] as ['pipe', 'pipe', 'inherit'],
	};
	const child = spawn(process.execPath, ['--input-type=module', '-e', script], options);
	let said = '';
	child.stdout.on('data', (text) => (said += String(text)));
	const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)));
	return { goOver: () => void child.stdin.write('x'), ended };
}

/** A program that starts another one, in a group of its own as the tests start n8n, and writes down both. */
const family = `
	const { spawn } = require('node:child_process');
	const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
	require('node:fs').writeFileSync('pids', process.pid + ' ' + other.pid);
	setInterval(() => {}, 1000);`;

const isAlive = (pid: number) =>
	execFileSync('ps', ['-A', '-o', 'pid=,stat='], { encoding: 'utf8' })
		.split('\n')
		.map((row) => row.trim().split(/\s+/))
		// A zombie is gone: whoever has adopted it has not looked yet.
		.some(([id, state]) => Number(id) === pid && !state!.startsWith('Z'));

const allGone = async (pids: number[]) =>
	await waitFor('the end of the family', async () => !pids.some(isAlive) || undefined, PATIENCE_MS);

it('is ended with all processes that it started', async () => {
	const part = start(process.execPath, ['-e', family]);
	const pids = (await written('pids')).split(' ').map(Number);
	expect(pids.map(isAlive)).toEqual([true, true]);
	part.goOver();
	expect(await part.ended).toBe('It was ended after 15 minutes.\n');
	await allGone(pids);
});

it.each([
	[0, 'passed true\n'],
	[1, 'passed false\n'],
])('that ends with %i is not ended', async (code, said) => {
	expect(await start(process.execPath, ['-e', `process.exit(${code})`]).ended).toBe(said);
});
