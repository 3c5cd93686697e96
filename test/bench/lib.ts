import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import type { RecordedRequest, ServiceOptions } from '../../sandbox/service';
import type { Access } from '../support/engine';

/** Measured values by their unit. */
export interface Values {
	seconds?: number;
	requests?: number;
	/** Items of input that nothing came out for. */
	failed?: number;
	/** Requests answered with 429. */
	refused?: number;
	/** Refused requests of all, and time over the least time, in percent. */
	refusedPercent?: number;
	overPercent?: number;
	milliseconds?: number;
	megabytes?: number;
	/** Files and functions of the package that run. */
	files?: number;
	functions?: number;
}

/** One comparison: what the package does, beside another way to do the same. */
export interface Row {
	what: string;
	here: Values;
	beside?: { name: string; values: Values };
	ratio?: number;
	goal?: { text: string; met: boolean };
}

/** Measures one thing and tells its rows. */
export type Part = () => Promise<Row[]>;

/** Milliseconds before the service looks at a request. */
export const LATENCY_MS = 50;

export const NO_LIMIT = { limit: 1e6 };

/** The ids of a fleet, told by its service at the start so that nobody has to ask for them. */
export interface Ready extends Access {
	siteIds: string[];
	tagIds: string[];
}

export interface Bench extends Ready {
	api: AxiosInstance;
	/** Times the work and tells which requests the service has seen meanwhile. */
	measure<T>(work: () => Promise<T>): Promise<Measured<T>>;
}

export interface Measured<T> {
	result: T;
	seconds: number;
	requests: RecordedRequest[];
}

/** Starts a service in a process of its own, with latency, and ends it after use. */
export async function withService<T>(options: ServiceOptions, use: (bench: Bench) => Promise<T>) {
	const child = start('service.ts');
	try {
		const ready = await ask<Ready>(child, {
			faults: { latency: { ms: LATENCY_MS } },
			settings: { recordedRequests: 1e6 },
			...options,
		});
		const api = axios.create({
			baseURL: ready.baseUrl,
			headers: { Authorization: `Bearer ${ready.token}` },
		});
		const controls = axios.create({ baseURL: new URL('/_sandbox', ready.baseUrl).href });
		const measure = async <R>(work: () => Promise<R>) => {
			await controls.delete('/requests');
			const { result, seconds } = await timed(work);
			const { data } = await controls.get<{ requests: RecordedRequest[] }>('/requests');
			return { result, seconds, requests: data.requests };
		};
		return await use({ ...ready, api, measure });
	} finally {
		child.kill();
	}
}

export async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
	const from = performance.now();
	const result = await work();
	return { result, seconds: (performance.now() - from) / 1000 };
}

/** Starts a file of this folder in a process of its own, which ends with this one. */
export function start(file: string, nodeOptions: string[] = []): ChildProcess {
	const execArgv = ['--import', 'tsx', ...nodeOptions];
	return fork(path.join(__dirname, 'processes', file), { execArgv });
}

export async function ask<T>(child: ChildProcess, message: object): Promise<T> {
	return await new Promise((resolve, reject) => {
		const ended = (code: number | null) => reject(new Error(`A process ended with ${code}`));
		child.once('exit', ended);
		child.once('message', (answer) => {
			child.off('exit', ended);
			resolve(answer as T);
		});
		child.send(message);
	});
}

export const count = (requests: RecordedRequest[]) => ({
	requests: requests.length,
	refused: requests.filter(({ status }) => status === 429).length,
});

/** Runs work for all inputs, so many at a time. */
export async function eachOf<T>(inputs: T[], atOnce: number, work: (input: T) => Promise<void>) {
	const rest = inputs.values();
	const worker = async () => {
		for (const input of rest) await work(input);
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
}
