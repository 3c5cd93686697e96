import { setTimeout as sleep } from 'node:timers/promises';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import { runNode, type Access, type NodeRun } from '../../support/engine';

interface Order {
	access: Access;
	/** Where n8n keeps binary data. */
	folder: string;
	/** Of a small file, so that everything is loaded. */
	warmUp: NodeRun;
	run: NodeRun;
}

const rss = () => process.memoryUsage.rss();

/** Downloads into n8n's store in the file system, and tells the memory before and at most meanwhile, in bytes. */
process.once('message', async ({ access, folder, warmUp, run }: Order) => {
	const config = Container.get(BinaryDataConfig);
	config.mode = 'filesystem';
	config.localStoragePath = folder;
	await Container.get(BinaryDataService).init();

	await runNode(access, warmUp);
	global.gc?.();
	await sleep(500);
	const idle = rss();
	let peak = idle;
	const sampler = setInterval(() => (peak = Math.max(peak, rss())), 5);
	const { items, error } = await runNode(access, run);
	clearInterval(sampler);
	process.send!({ idle, peak, bytes: items[0]?.binary?.data?.bytes, error: error?.message });
});
process.once('disconnect', () => process.exit());
