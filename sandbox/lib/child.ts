import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import axios from 'axios';
import { UserError } from './errors';
import { note, pidFile } from './leftovers';
import { waitFor } from './wait';

const STOP_TIMEOUT_MS = 15_000;

export interface ChildOptions {
	/** As people know it, such as `n8n`. */
	name: string;
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Gets all that it prints; written anew by each start. */
	logFile: string;
	/** Whom it runs as; default the user of this process. */
	user?: User;
}

export interface User {
	uid: number;
	gid: number;
}

/** A program that this one has started. */
export interface Child {
	pid: number;
	/** Resolves with the exit code or signal when the process has ended, whoever ended it. */
	exited: Promise<number | string>;
	/**
	 * Waits until it is up: until an address answers with 200, or a look of another kind says so.
	 * Rejects when the program ends before, and stops it when it takes too long.
	 */
	ready(isUp: string | (() => Promise<boolean>), timeoutMs: number): Promise<void>;
	/** The error to give when it has ended by itself, with the end of its log. */
	ended(how: number | string): UserError;
	/** SIGTERM, then SIGKILL when that takes too long. */
	stop(): Promise<void>;
	/** SIGKILL at once: what a crash is like. */
	kill(): Promise<void>;
}

/** What lets Node.js load a file of this folder before a program. */
export const loading = (file: string) => [
	'--import',
	pathToFileURL(path.join(__dirname, file)).href,
];

const lastLines = (file: string, count = 15) =>
	readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');

/**
 * Ctrl-C reaches a program with a group of its own only through stop(), in order. Those of tests stay in the group of
 * the tests, so that whoever ends these as a whole leaves none behind.
 */
const hasOwnGroup = process.env.NODE_ENV !== 'test';

/** A program with the processes it started itself, which are in its group. */
function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		process.kill(hasOwnGroup ? -child.pid : child.pid, 'SIGKILL');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

async function stopProcess(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill('SIGTERM');
	const timeout = new AbortController();
	await Promise.race([
		exited,
		delay(STOP_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(
			() => killGroup(child),
			() => undefined,
		),
	]);
	timeout.abort();
	await exited;
}

async function answers(url: string): Promise<boolean> {
	const { status } = await axios
		.get(url, { proxy: false, validateStatus: () => true, timeout: 2_000 })
		.catch(() => ({ status: 0 }));
	return status === 200;
}

export function startChild(options: ChildOptions): Child {
	const { name, command, args, cwd, env, logFile, user } = options;
	mkdirSync(path.dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'w');
	const child = spawn(command, args, {
		cwd,
		env,
		stdio: ['ignore', log, log],
		detached: hasOwnGroup,
		...user,
	});
	closeSync(log);
	const noteFile = pidFile(logFile);
	if (child.pid !== undefined) note(noteFile, name, child.pid);
	// The last resort for when this process ends without stop().
	const killNow = () => killGroup(child);
	process.once('exit', killNow);
	let how: number | string | undefined;
	const exited = once(child, 'exit').then(([code, signal]) => {
		process.off('exit', killNow);
		rmSync(noteFile, { force: true });
		return (how = (code ?? signal) as number | string);
	});
	const ended = (status: number | string) =>
		new UserError(
			`${name} ended (${status}). The end of its log, ${logFile}:\n\n${lastLines(logFile)}`,
		);
	const stop = async () => await stopProcess(child, exited);

	return {
		pid: child.pid!,
		exited,
		ended,
		stop,
		async ready(isUp, timeoutMs) {
			const look = async () => {
				if (how !== undefined) throw ended(how);
				const up = typeof isUp === 'string' ? await answers(isUp) : await isUp();
				return up ? true : undefined;
			};
			try {
				await waitFor(`${name} to become ready`, look, timeoutMs);
			} catch (error) {
				await stop();
				throw error;
			}
		},
		async kill() {
			killGroup(child);
			await exited;
		},
	};
}
