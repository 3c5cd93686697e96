import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { UserError } from '../../sandbox/setup.mjs';
import { endTree } from './processTree.mjs';

/** Where jest was, by what its reporter `underway.mjs` has kept. */
function placeIn(underway) {
	const running =
		underway && existsSync(underway) ? JSON.parse(readFileSync(underway, 'utf8')) : [];
	return running.length > 0 ? ` It was in ${running.join(' and ')}.` : '';
}

/**
 * Runs a program and says whether it succeeded. After its time it is ended, with all that it has started.
 * @param minutes how long it may take
 * @param signal ends it as its time does; default that of `minutes`
 * @param underway a file for `underway.mjs`, where jest runs
 */
export async function runPart(
	command,
	args,
	{ minutes, signal = AbortSignal.timeout(minutes * 60_000), underway, cwd },
) {
	const child = spawn(command, args, {
		cwd,
		env: { ...process.env, ...(underway && { UNDERWAY: underway }) },
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	const end = () => endTree(child.pid);
	process.once('exit', end);
	try {
		return await new Promise((resolve, reject) => {
			signal.addEventListener('abort', () => {
				const place = placeIn(underway);
				end();
				reject(new UserError(`It was ended after ${minutes} minutes.${place}`));
			});
			child.once('error', reject);
			child.once('close', (code) => resolve(code === 0));
		});
	} finally {
		process.off('exit', end);
	}
}
