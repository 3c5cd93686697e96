import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { freePorts, npmStart, stopNpmStart } from '../support/npmStart';
import { timed, type Row } from './lib';

/** With room for a slow machine; the memory is what one of 4 GB has left beside its system and a browser. */
const MOST = { seconds: 120, megabytes: 2000 };

/** Megabytes of a process and of all that it has started. */
function memoryOf(pid: number): number {
	const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
		.trim()
		.split('\n')
		.map((row) => row.trim().split(/\s+/).map(Number));
	const tree = [pid];
	// It grows while it is gone through.
	for (const each of tree) tree.push(...rows.filter(([, by]) => by === each).map(([id]) => id!));
	const kilobytes = rows.filter(([id]) => tree.includes(id!)).map(([, , size]) => size!);
	return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** How long `npm start` takes once everything is installed, and the memory of all its processes when it is ready. */
export async function startUp(): Promise<Row[]> {
	execFileSync(process.execPath, [path.resolve(__dirname, '../../sandbox/setup.mjs')]);
	const [, , , ports] = await freePorts();
	const measure = async (what: string, ...args: string[]) => {
		const started = npmStart(...args, ...ports);
		const { seconds } = await timed(started.ready);
		const megabytes = memoryOf(started.child.pid!);
		await stopNpmStart();
		const met = seconds <= MOST.seconds && megabytes <= MOST.megabytes;
		const text = `at most ${MOST.seconds} s and ${MOST.megabytes.toLocaleString('en')} MB`;
		return { what, here: { seconds, megabytes }, goal: { text, met } };
	};
	return [
		await measure('The first `npm start`, and its memory', '--reset'),
		await measure('`npm start` again, and its memory'),
	];
}
