import { mkdirSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import path from 'node:path';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { loading, startChild } from './child';
import type { Child } from './child';
import { freePort } from './ports';

const READY_TIMEOUT_MS = 300_000;

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

/** How an n8n is reached. */
export interface Connection {
	baseUrl: string;
	/** Client of n8n's internal REST API. */
	rest: AxiosInstance;
}

export interface N8n extends Child, Connection {}

export const connect = (baseUrl: string): Connection => ({
	baseUrl,
	rest: axios.create({
		baseURL: `${baseUrl}/rest`,
		proxy: false,
		// n8n closes a connection that is left open after five seconds, maybe just when it is used again.
		httpAgent: new Agent({ keepAlive: false }),
		// n8n ties the sign-in to it.
		headers: { 'browser-id': 'sandbox' },
	}),
});

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
	// Otherwise n8n lets pages of all origins use the sign-in.
	NODE_ENV: 'production',
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

/** One process of n8n, once it is ready. @param args of n8n's command line */
async function startProcess(name: string, args: string[], options: N8nOptions): Promise<Child> {
	const { node, n8n, port, logFile, userFolder } = options;
	mkdirSync(userFolder, { recursive: true });
	// Where n8n finds it after a crash, it waits ten seconds.
	rmSync(path.join(userFolder, '.n8n', 'crash.journal'), { force: true });
	const child = startChild({
		name,
		command: node,
		args: [...loading('guardN8n.mjs'), n8n, ...args],
		cwd: userFolder,
		env: environment(options, await freePort()),
		logFile,
	});
	await child.ready(`http://127.0.0.1:${port}/healthz/readiness`, READY_TIMEOUT_MS);
	return child;
}

/** Starts n8n and waits until it is ready for requests. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const child = await startProcess('n8n', ['start'], options);
	const baseUrl = `http://127.0.0.1:${options.port}`;
	// n8n 1 says that it is ready before it answers.
	await child.ready(`${baseUrl}/rest/settings`, READY_TIMEOUT_MS);
	return { ...child, ...connect(baseUrl) };
}

/**
 * Starts a worker of n8n's queue mode and waits until it takes executions.
 * @param mainUrl where the main process is
 * @param options the port is that of its health check
 */
export async function startWorker(
	name: string,
	mainUrl: string,
	options: N8nOptions,
): Promise<Child> {
	const env = {
		...options.env,
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(options.port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		// Links by which people answer would lead to the worker, which does not take them.
		WEBHOOK_URL: mainUrl,
	};
	return await startProcess(name, ['worker'], { ...options, env });
}
