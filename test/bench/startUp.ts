import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { freePorts, npmStart, stopNpmStart } from '../support/npmStart';
import { treeOf } from '../support/processTree.mjs';
import { timed, type Row } from './lib';

/** With room for a slow machine; the memory is what one of 4 GB has left beside its system and a browser. */
const MOST = { seconds: 120, megabytes: 2000 };

/** How long `npm start` takes once everything is installed, and the memory of all its processes when it is ready. */
export async function startUp(): Promise<Row[]> {
	execFileSync(process.execPath, [path.resolve(__dirname, '../../sandbox/setup.mjs')]);
	const [, , , ports] = await freePorts();
	const measure = async (what: string, ...args: string[]) => {
		const started = npmStart(...args, ...ports);
		const { seconds } = await timed(started.ready);
		const kilobytes = [...treeOf(started.child.pid!).values()];
		const megabytes = kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
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
