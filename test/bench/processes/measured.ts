import { setTimeout as sleep } from 'node:timers/promises';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import { runNode, type Access, type NodeRun } from '../../support/engine';

interface Order {
	access: Access;
	/** Where n8n keeps binary data. */
	folder: string;
	/** A small run, so that everything is loaded. */
	warmUp: NodeRun;
	run: NodeRun;
}

/** What a run took; memory in bytes. */
export interface Measured {
	/** Over what the process has before, at most meanwhile. */
	peak: number;
	/** What the items of output hold. */
	items: number;
	/** Seconds of the processor. */
	cpu: number;
	/** The id in each item of output, in order. */
	ids: unknown[];
	/** Of the first file. */
	bytes?: number;
	error?: string;
}

const { rss } = process.memoryUsage;
const heap = () => {
	global.gc?.();
	return process.memoryUsage().heapUsed;
};

/** Runs a node in a process of its own, with n8n's store for files in a folder, and tells what that took. */
async function measure({ access, folder, warmUp, run }: Order): Promise<void> {
	const config = Container.get(BinaryDataConfig);
	config.mode = 'filesystem';
	config.localStoragePath = folder;
	await Container.get(BinaryDataService).init();

	await runNode(access, warmUp);
	const before = heap();
	await sleep(500);
	const idle = rss();
	let peak = idle;
	const sampler = setInterval(() => (peak = Math.max(peak, rss())), 5);
	const started = process.cpuUsage();
	const { items, error } = await runNode(access, run);
	const { user, system } = process.cpuUsage(started);
	clearInterval(sampler);
	const measured: Measured = {
		peak: peak - idle,
		items: heap() - before,
		cpu: (user + system) / 1e6,
		ids: items.map(({ json }) => json.id),
		bytes: items[0]?.binary?.data?.bytes,
		error: error?.message,
	};
	process.send!(measured);
}

process.once('message', (order: Order) => void measure(order));
process.once('disconnect', () => process.exit());
