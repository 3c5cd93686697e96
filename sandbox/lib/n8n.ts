import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { UserError } from './errors';
import { freePort } from './ports';
import { waitFor } from './wait';

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;

export interface N8nOptions {
	/** Node.js to run n8n with, and n8n's start script, as `setup()` returns them. */
	node: string;
	n8n: string;
	/** Holds the `.n8n` folder. */
	userFolder: string;
	port: number;
	logFile: string;
	env?: Record<string, string>;
}

export interface N8n {
	baseUrl: string;
	/** Of the process. */
	pid: number;
	/** Client of n8n's internal REST API. */
	rest: AxiosInstance;
	/** Resolves with the exit code or signal when the process has ended, whoever ended it. */
	exited: Promise<number | string>;
	/** SIGTERM, then SIGKILL when that takes too long. */
	stop(): Promise<void>;
	/** SIGKILL at once: what a crash is like. */
	kill(): Promise<void>;
}

const off = (...names: string[]) =>
	Object.fromEntries(names.map((name) => [`N8N_${name}`, 'false']));

// The service is on this machine, also for those who reach the rest of the world by a proxy.
const withoutProxy = [process.env.no_proxy ?? process.env.NO_PROXY, '127.0.0.1']
	.filter(Boolean)
	.join(',');

/** n8n on loopback only, with every look-up of the outside world turned off. */
const environment = (options: N8nOptions, brokerPort: number): NodeJS.ProcessEnv => ({
	// Settings of another n8n, of npm or of a test runner must not leak into this one.
	...Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !/^(N8N|DB|EXECUTIONS|QUEUE|WEBHOOK|GENERIC|NODES?|npm|JEST)_/.test(name),
		),
	),
	PATH: [path.dirname(options.node), process.env.PATH].join(path.delimiter),
	NO_PROXY: withoutProxy,
	no_proxy: withoutProxy,
	N8N_USER_FOLDER: options.userFolder,
	N8N_ENCRYPTION_KEY: 'sandbox-only-not-a-secret',
	N8N_PORT: String(options.port),
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_RUNNERS_BROKER_PORT: String(brokerPort),
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
	...off(
		'VERIFIED_PACKAGES_ENABLED',
		'DIAGNOSTICS_ENABLED',
		'VERSION_NOTIFICATIONS_ENABLED',
		'VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED',
		'TEMPLATES_ENABLED',
		'DYNAMIC_BANNERS_ENABLED',
		'HIRING_BANNER_ENABLED',
		'PERSONALIZATION_ENABLED',
	),
	...options.env,
});

const lastLines = (file: string, count = 15) =>
	readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');

/** What the log says, for an error about a process that ended. */
export const n8nEnded = (how: number | string, logFile: string) =>
	new UserError(`n8n ended (${how}). The end of its log, ${logFile}:\n\n${lastLines(logFile)}`);

/** n8n with the processes it started itself. */
function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
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

/** Starts n8n and waits until it is ready for requests. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { port, logFile, userFolder } = options;
	mkdirSync(userFolder, { recursive: true });
	mkdirSync(path.dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'w');
	const child = spawn(options.node, [options.n8n, 'start'], {
		cwd: userFolder,
		env: environment(options, await freePort()),
		stdio: ['ignore', log, log],
		// A group of its own: Ctrl-C then reaches n8n only through stop(), in order.
		detached: process.platform !== 'win32',
	});
	closeSync(log);
	// The last resort for when this process ends without stop().
	const killNow = () => killGroup(child);
	process.once('exit', killNow);
	const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);

	const baseUrl = `http://127.0.0.1:${port}`;
	const rest = axios.create({
		baseURL: `${baseUrl}/rest`,
		proxy: false,
		// n8n ties the sign-in to it.
		headers: { 'browser-id': 'sandbox' },
	});
	const n8n: N8n = {
		baseUrl,
		pid: child.pid!,
		rest,
		exited,
		stop: async () => await stopProcess(child, exited),
		kill: async () => {
			killGroup(child);
			await exited;
		},
	};

	let ended: number | string | undefined;
	void exited.then((how) => {
		ended = how;
		process.off('exit', killNow);
	});
	const ready = async () => {
		if (ended !== undefined) throw n8nEnded(ended, logFile);
		const { status } = await rest
			.get(`${baseUrl}/healthz/readiness`, { validateStatus: () => true, timeout: 2_000 })
			.catch(() => ({ status: 0 }));
		return status === 200 ? true : undefined;
	};
	try {
		await waitFor('n8n to become ready', ready, READY_TIMEOUT_MS);
	} catch (error) {
		await n8n.stop();
		throw error;
	}
	return n8n;
}
