import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from './errors';

/** What a sandbox that was killed leaves behind: its programs go on, and two n8n on one database would damage it. */

interface Noted {
	name: string;
	pid: number;
	/** See `startOf`; nothing where the system does not say it. */
	started?: string;
}

const PATIENCE_MS = 15_000;

/** When a running process was started: another one may get its number later. */
export function startOf(pid: number): string | undefined {
	try {
		if (!existsSync('/proc/self/stat')) {
			return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
		}
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The name before them may hold anything.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
		// Only the last of its threads gives its ports back.
		const isOver = fields[0] === 'Z' && fields[17] === '1';
		return isOver ? undefined : `${boot} ${fields[19]}`;
	} catch {
		return undefined;
	}
}

function isRunning({ pid, started }: Noted): boolean {
	if (started !== undefined) return startOf(pid) === started;
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Notes a process in a file, all at once. */
export function note(file: string, name: string, pid: number): void {
	writeFileSync(`${file}.new`, JSON.stringify({ name, pid, started: startOf(pid) }));
	renameSync(`${file}.new`, file);
}

/** The process that a file names; nothing where there is no such file, or it holds something else. */
function noted(file: string): Noted | undefined {
	try {
		const found = JSON.parse(readFileSync(file, 'utf8')) as Partial<Noted> | null;
		return Number.isInteger(found?.pid) ? (found as Noted) : undefined;
	} catch {
		return undefined;
	}
}

export const runningFile = (data: string) => path.join(data, 'running.json');
export const logsFolder = (data: string) => path.join(data, 'logs');
/** Names the process that writes a log. */
export const pidFile = (logFile: string) => logFile.replace(/\.log$/, '.pid');

async function end(one: Noted): Promise<void> {
	try {
		process.kill(one.pid, 'SIGTERM');
		for (let ms = 0; isRunning(one); ms += 100) {
			if (ms === PATIENCE_MS) process.kill(one.pid, 'SIGKILL');
			if (ms > 2 * PATIENCE_MS) throw new Error('the process does not end');
			await delay(100);
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
		throw new UserError(
			`${one.name} (process ${one.pid}) is left over from a sandbox that was killed, and could not be ended (${(error as Error).message}). End it, and start again.`,
		);
	}
}

/**
 * Ends what an earlier sandbox with this data folder has left running.
 * @returns the names of these programs
 * @throws UserError where that sandbox itself still runs
 */
export async function endLeftovers(data: string): Promise<string[]> {
	const sandbox = noted(runningFile(data));
	if (sandbox && isRunning(sandbox)) {
		throw new UserError(
			`The sandbox is already running: ${sandbox.name} (process ${sandbox.pid}). Stop it first. If that process is another program, delete ${runningFile(data)}.`,
		);
	}
	const logs = logsFolder(data);
	const files = existsSync(logs) ? readdirSync(logs).filter((each) => each.endsWith('.pid')) : [];
	const programs = files.map((file) => noted(path.join(logs, file)));
	const left = programs.filter((each) => each !== undefined).filter(isRunning);
	await Promise.all(left.map(end));
	for (const file of files) rmSync(path.join(logs, file), { force: true });
	return left.map(({ name }) => name);
}
