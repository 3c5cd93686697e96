import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { ManualClock, startService, type Service } from '../../sandbox/service';
import { activate, mustSucceed, operationRun, runNode, type NodeRun } from '../support/engine';
import { locator } from '../support/locator';
import { useClock } from '../support/transportClock';
import type { Row } from './lib';

/** Files of the built package, which are what its sources are: one each. */
const OURS = /\/dist\/(nodes|credentials)\/.*\.js$/;

/** What a run goes through, as V8 counts calls: how much has to be read to follow one item. */
async function calledBy(work: () => Promise<unknown>) {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await work();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	const called = result
		.filter(({ url }) => url.startsWith('file:') && OURS.test(fileURLToPath(url)))
		.map(({ url, functions }) => ({
			file: url.replace(/^.*\/dist\//, ''),
			functions: functions.filter(({ ranges }) => ranges[0]!.count > 0).length,
		}))
		.filter(({ functions }) => functions > 0);
	const functions = called.reduce((sum, each) => sum + each.functions, 0);
	return { files: called.map(({ file }) => file).sort(), functions };
}

const createTag = operationRun('tag', 'create', { name: '={{ $json.name }}' });

const run = async (service: Service, node: NodeRun) => mustSucceed(await runNode(service, node));

const restore = (service: Service) => {
	const { sites, snapshots } = service.world.store;
	const { id, site_id: siteId } = snapshots.all().find((snapshot) => {
		const { connection, backups } = sites.get(snapshot.site_id)!;
		return snapshot.status === 'succeeded' && connection.status === 'connected' && backups.enabled;
	})!;
	return operationRun('backup', 'restore', {
		...{ siteId: locator(siteId), snapshotId: locator(id), components: ['files'] },
		waitForCompletion: true,
	});
};

/** A poll of the trigger on tasks that brings one event. */
async function poll(service: Service, clock: ManualClock) {
	const parameters = { events: ['completed'] };
	const { poll: next } = await activate(service, { node: 'taskTrigger', parameters });
	await next();
	const finish = () => {
		const [task] = service.world.store.tasks.all();
		clock.advance(60_000);
		const at = new Date(clock.now()).toISOString();
		service.world.store.tasks.insert({
			...task!,
			id: `weighed${clock.now()}`,
			status: 'completed',
			created_at: at,
			updated_at: at,
		});
	};
	return { next, finish };
}

/** Files and functions of the package that run for one item, and how many files are wanted at most. */
export async function weight(): Promise<Row[]> {
	const clock = new ManualClock(Date.parse('2026-03-01T12:00:00Z'));
	useClock({ now: () => clock.now(), sleep: (ms) => clock.advance(ms) });
	const service = await startService({ clock, sites: 20, rateLimit: { limit: 1e6 } });
	const { next, finish } = await poll(service, clock);
	const rows: Row[] = [];
	const weigh = async (what: string, most: number, work: () => Promise<unknown>) => {
		// Once before, so that what is loaded and kept for later does not count.
		await work();
		const { files, functions } = await calledBy(work);
		if (process.env.WEIGHT_FILES) process.stderr.write(`${what}\n  ${files.join('\n  ')}\n`);
		rows.push({
			what,
			here: { files: files.length, functions },
			goal: { text: `at most ${most} files`, met: files.length <= most },
		});
	};
	let count = 0;
	await weigh('Code for one item of *Tag: Create*', 35, async () => {
		await run(service, { ...createTag, items: [{ name: `Weighed ${(count += 1)}` }] });
	});
	await weigh('Code for a poll of the trigger on tasks with one event', 35, async () => {
		finish();
		if ((await next())?.length !== 1) throw new Error('The poll has to bring one event');
	});
	const node = restore(service);
	await weigh('Code for one item of *Backup: Restore* that waits', 45, async () => {
		await run(service, node);
	});
	await service.close();
	return rows;
}
