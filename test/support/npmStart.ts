import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../sandbox/lib/ports';
import { waitFor } from '../../sandbox/lib/wait';

const START_TIMEOUT_MS = 15 * 60_000;
const root = path.resolve(__dirname, '..', '..');

let running: { child: ChildProcess; exited: Promise<number | null> } | undefined;

/** A name that no developer gives a sandbox, since it is deleted. */
const NAME = '_of_the_tests_';

/** Where that sandbox keeps everything. */
export const dataOfTests = path.join(root, 'sandbox', '.data', NAME);

/** `npm start` under a name of its own, so that the developer's sandbox is left alone. */
export const npmStart = (...options: string[]) => npmStartWith({}, ...options);

export function npmStartWith(settings: Record<string, string>, ...options: string[]) {
	const child = spawn(
		process.execPath,
		[path.join(root, 'sandbox', 'start.mjs'), '--name', NAME, ...options],
		{ cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...settings } },
	);
	let output = '';
	const keep = (chunk: Buffer) => {
		output += chunk.toString();
	};
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	const exited = once(child, 'exit').then(([code]) => code as number | null);
	running = { child, exited };
	const ready = async () =>
		await waitFor(
			'the sandbox',
			async () => {
				if (child.exitCode !== null) throw new Error(`It ended:\n${output}`);
				return output.includes('Stop all with Ctrl-C') ? true : undefined;
			},
			START_TIMEOUT_MS,
		);
	return { child, ready, exited, output: () => output };
}

/** Of n8n, the service and the inbox, and the options that say so. */
export async function freePorts(): Promise<[number, number, number, string[]]> {
	const [port, service, smtp, mailbox] = [
		await freePort(),
		await freePort(),
		await freePort(),
		await freePort(),
	];
	const options = [
		...['--port', String(port), '--service-port', String(service)],
		...['--smtp-port', String(smtp), '--mailbox-port', String(mailbox)],
	];
	return [port, service, mailbox, options];
}

/** The process with this on its command line; small machines have no `ps`. */
export function processWith(options: string): number {
	const isProc = existsSync('/proc/self/cmdline');
	const commands = isProc
		? readdirSync('/proc')
				.filter((name) => /^\d+$/.test(name))
				.map((pid) => `${pid} ${commandOf(pid)}`)
		: execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
	const line = commands.find((each) => each.includes(options))!;
	return Number.parseInt(line, 10);
}

function commandOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
	} catch {
		// It has ended meanwhile.
		return '';
	}
}

/** After each test: the one that it has started. */
export async function stopNpmStart(): Promise<void> {
	running?.child.kill('SIGTERM');
	await running?.exited;
}
