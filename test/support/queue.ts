import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Child } from '../../sandbox/lib/child';
import { signIn } from '../../sandbox/lib/content';
import { startN8n, startWorker, type N8n } from '../../sandbox/lib/n8n';
import { freePort } from '../../sandbox/lib/ports';
import { findQueuePrograms } from '../../sandbox/lib/programs';
import { startStores } from '../../sandbox/lib/stores';
import { folderForTest, installForTest, OWNER } from './n8n';
import { starting } from './starting';

export type SettingsOf = (process: string) => Record<string, string>;

export type TestQueue = Awaited<ReturnType<typeof startTestQueue>>;

const MAIN = 'main';
export const WORKERS = ['worker-1', 'worker-2'];

/**
 * Starts n8n in queue mode, in a fresh folder of that name, signed in: a main process, workers, Redis and PostgreSQL.
 * @param hasPackage whether the packed package is in the user folder of each
 */
export async function startTestQueue(name: string, settingsOf: SettingsOf, hasPackage = true) {
	const { paths, ready } = await installForTest();
	const folder = folderForTest(name);
	const logs = path.join(folder, 'logs');
	const userFolder = (process: string) => path.join(folder, process);
	for (const process of [MAIN, ...WORKERS]) {
		cpSync(ready, userFolder(process), { recursive: true });
		const nodes = path.join(userFolder(process), '.n8n', 'nodes');
		if (!hasPackage) rmSync(nodes, { recursive: true });
	}
	const stores = await startStores(findQueuePrograms(), path.join(folder, 'stores'), logs);
	let main: N8n;
	const workers = new Map<string, Child>();
	let starts = 0;
	const mainPort = await freePort();
	// A log is written anew by each start; those of before are kept.
	const optionsOf = async (process: string) => ({
		...paths,
		userFolder: userFolder(process),
		// The workers tell people where the main process is.
		port: process === MAIN ? mainPort : await freePort(),
		logFile: path.join(logs, `${process}.${starts++}.log`),
		env: { ...stores.env, OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true', ...settingsOf(process) },
	});
	const queue = {
		main: () => main,
		worker: (process: string) => workers.get(process)!,
		/** Starts the main process again, once it has ended. */
		async startMain() {
			main = await startN8n(await optionsOf(MAIN));
			await signIn(main.rest, OWNER);
		},
		/** Has n8n run with these settings of each process: starts all of it anew for others, else the workers that have ended. */
		async use(wanted: SettingsOf) {
			if (wanted === settingsOf) return await startWorkers();
			await stopN8n();
			settingsOf = wanted;
			await start();
		},
		/** The workers that have begun an execution, each once for each time. */
		ranOn: (executionId: string) =>
			readdirSync(logs).flatMap((file) => {
				const begun = `Worker started execution ${executionId} `;
				const times = readFileSync(path.join(logs, file), 'utf8').split(begun).length - 1;
				return Array.from({ length: times }, () => file.split('.')[0]!);
			}),
	};
	async function start() {
		await queue.startMain();
		await startWorkers();
	}
	async function startWorkers() {
		const ended = WORKERS.filter((process) => !workers.has(process));
		await Promise.all(
			ended.map(async (process) => {
				const worker = await startWorker(process, main.baseUrl, await optionsOf(process));
				workers.set(process, worker);
				void worker.exited.then(() => workers.delete(process));
			}),
		);
	}
	async function stopN8n() {
		await Promise.all([main, ...workers.values()].map(async (child) => await child?.stop()));
	}
	return await starting(async (runs) => {
		runs(stores);
		runs({ stop: stopN8n });
		await start();
		return queue;
	});
}
