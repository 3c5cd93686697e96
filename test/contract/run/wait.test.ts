import type { IDataObject } from 'n8n-workflow';
import { startSync } from '../../../sandbox/service/domain/sites/rules';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { mustSucceed, type NodeRun, operationRun, runNode, startNode } from '../../support/engine';
import { fleetEach, inStep, isSiteRead } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward, type Answer } from '../../support/wayward';

/** Waiting for tasks and syncs, with a clock that goes on only while the transport sleeps. */

const fleet = fleetEach({ sites: 20 });
let onSleep: (ms: number) => void;

beforeEach(() => {
	onSleep = () => {};
	inStep(fleet, (ms) => onSleep(ms));
});

const start = (durationMs = 120_000) => {
	const siteIds = [fleet.world.store.sites.peek()[0]!.id];
	return startTaskNow(fleet.world, { type: 'restore', siteIds, durationMs }).id;
};

const wait = (ids: string[], waitOptions = {}, more: Partial<NodeRun> = {}): NodeRun => {
	const set = { output: 'raw', waitOptions, taskId: locator('={{ $json.id }}') };
	return operationRun('task', 'wait', set, { items: ids.map((id) => ({ id })), ...more });
};

const sync = (siteId: string, waitOptions = {}, more = {}): NodeRun => {
	const waiting = { waitForCompletion: true, waitOptions };
	return operationRun('backup', 'sync', { siteId: locator(siteId), ...waiting, ...more });
};

/** What a service answers by the minutes that have passed and the requests that came. */
type Answering = (route: string, minutes: number, count: number) => Answer;

async function runAgainst(run: NodeRun, answer: Answering) {
	const began = fleet.clock.now();
	const minutes = () => (fleet.clock.now() - began) / 60_000;
	const service = await startWayward((_, count, route) => answer(route, minutes(), count));
	const result = await runNode(service, run);
	return { ...result, routes: service.routes(), minutes: minutes() };
}

const taskOf = (id: string, status: string): IDataObject => ({
	...{ id, status, created_at: '2026-03-01T12:00:00Z', details: {} },
});

const inStatus = (route: string, status: string, more = {}): Answer => {
	if (route.endsWith('/sync')) return { body: { sync: { snapshot_id: 's', in_progress: true } } };
	return route.includes('/snapshots/')
		? { body: { snapshot: { id: 's', status, ...more } } }
		: { body: { task: taskOf('a', status) } };
};

it('a running task is waited for, with longer and longer pauses, and read alone', async () => {
	const id = start(1_800_000);
	const pauses: number[] = [];
	onSleep = (ms) => void pauses.push(ms);
	const { json } = await runNode(fleet, wait([id]));
	expect(json[0]).toMatchObject({ id, status: 'completed' });
	const waited = pauses.filter((ms) => ms > 0);
	expect([waited[0], Math.max(...waited)]).toEqual([2_000, 30_000]);
	expect(fleet.routes().length).toBeLessThan(90);
	expect(new Set(fleet.routes())).toEqual(new Set([`GET /tasks/${id}`]));
});

it('items of two executions share the list of tasks, and only ended tasks are read in full', async () => {
	const ids = Array.from({ length: 150 }, () => start(60_000));
	const halves = [ids.slice(0, 75), ids.slice(75)].map(async (half) => runNode(fleet, wait(half)));
	const results = await Promise.all(halves);
	expect(results.flatMap(({ json }) => json.map(({ id }) => id))).toEqual(ids);
	for (const { items } of results) {
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	}
	const looks = fleet.sent().filter(({ route }) => route === 'GET /tasks');
	const since = new Set(looks.map(({ query }) => query['filters[created_at:gte]']));
	expect([looks.length % 2, since.size]).toEqual([0, 1]);
	expect(looks[0]!.query).toMatchObject({ sort: 'created_at,asc' });
	// One read of each at first and one at its end; until the others have come the first one is looked at alone.
	expect(fleet.sent().length - looks.length).toBeLessThanOrEqual(302);
});

describe('items that wait for three tasks', () => {
	const late = { error: expect.stringContaining('was still running after 2 minutes') };
	const ended = { status: 'completed' };

	it.each<[string, endsAt: Record<string, number>, listedFrom: number, ends: object[]]>([
		['have each their own time limit', { a: 9, b: 1, c: 9 }, 0, [late, ended, late]],
		['end although their list fails for a while', { a: 1, b: 1, c: 1 }, 0.5, [ended, ended, ended]],
	])('%s', async (_, endsAt, listedFrom, ends) => {
		const settings = { onError: 'continueRegularOutput' as const };
		const run = wait(Object.keys(endsAt), { timeLimit: 2 }, { settings });
		const { json } = await runAgainst(run, (route, minutes) => {
			const tasks = Object.entries(endsAt).map(([id, end]) =>
				taskOf(id, minutes >= end ? 'completed' : 'running'),
			);
			if (route !== 'GET /tasks')
				return { body: { task: tasks.find(({ id }) => route.endsWith(`/${String(id)}`)) } };
			if (minutes < listedFrom) return { status: 500, body: {} };
			const pagination = { perPage: 100, totalPages: 1, totalItems: 3 };
			return { body: { tasks, meta: { pagination } } };
		});
		expect(json).toMatchObject(ends);
	});
});

describe('a wait', () => {
	const failing = (route: string, _: number, count: number): Answer =>
		count > 1 && count < 12
			? { status: 503 }
			: inStatus(route, count === 1 ? 'running' : 'completed');
	const pausing =
		(end: string): Answering =>
		(route, minutes) =>
			inStatus(route, minutes < 10 ? 'paused' : end);
	const appearing =
		(end: string): Answering =>
		(route, minutes) =>
			minutes < 0.4 && !route.startsWith('POST ')
				? { status: 404, body: {} }
				: inStatus(route, end);

	it.each<[string, NodeRun, Answering, status: string]>([
		['checks that fail for a while', wait(['a']), failing, 'completed'],
		['a status that nobody knows', wait(['a']), pausing(' Completed'), ' Completed'],
		['such a status of a sync', sync('1'), pausing('Succeeded'), 'Succeeded'],
		[
			'half a minute in which the service does not know the task',
			wait(['a']),
			appearing('completed'),
			'completed',
		],
		[
			'half a minute in which the service does not know the new snapshot',
			sync('1'),
			appearing('succeeded'),
			'succeeded',
		],
	])('continues through %s', async (_, run, answering, status) => {
		const { json } = mustSucceed(await runAgainst(run, answering));
		expect(json).toEqual([expect.objectContaining({ status })]);
	});

	const PLACE = '/sites/1/snapshots/s';
	const long = { timeLimit: 30 };
	const short = { timeLimit: 1 };
	const fails = { status: 500, body: {} };
	const rejects = { status: 422, body: { error: { details: 'no backups' } } };
	const continues = 'ended, but the work continues: check';
	const onTask = `The wait for the task a ${continues} /tasks/a (Task: Get). The service`;
	const onSync = `The wait for the backup ${PLACE} ${continues} ${PLACE} (Snapshot: Get). The service`;

	it.each<[message: string, NodeRun, later: string | Exclude<Answer, 'drop'>, minutes: number]>([
		['The task a was still `paused` after 30 minutes', wait(['a'], long), 'paused', 30],
		['The task a was still running after 30 minutes', wait(['a'], long), 'Running', 30],
		[`The backup was still \`paused\` after 30 minutes (${PLACE})`, sync('1', long), 'paused', 30],
		[`${onTask} failed (500)`, wait(['a'], short), fails, 1],
		[`${onSync} failed (500)`, sync('1', short), fails, 1],
		[`${onTask} rejected the API token`, wait(['a']), { status: 401, body: {} }, 0],
		[`${onSync} rejected this: no backups`, sync('1'), rejects, 0],
	])('ends with %j', async (message, run, later, limit) => {
		const { error, minutes } = await runAgainst(run, (route, _, count) => {
			if (count === 1) return inStatus(route, 'running');
			return typeof later === 'string' ? inStatus(route, later) : later;
		});
		expect(error?.message).toBe(message);
		expect(Math.floor(minutes)).toBe(limit);
		if (limit === 30) expect(error?.description).toContain('set a longer time limit');
		expect(error?.description).not.toContain('Nothing was changed');
	});

	it('for a task that the service does not know is an error', async () => {
		const { error } = await runNode(fleet, wait(['unknown']));
		expect(error?.message).toContain('found no such record');
	});

	it('of less than a minute is refused', async () => {
		const { error } = await runNode(fleet, wait(['1'], { timeLimit: 0 }));
		expect(error?.message).toBe('The parameter "Time Limit (Minutes)" must be at least 1');
		expect(fleet.sent()).toEqual([]);
	});

	it('of a cancelled execution ends at once, and others continue', async () => {
		const ids = [start(), start(), start()];
		const cancelled = await startNode(fleet, wait([ids[0]!]));
		const reads = () => fleet.routes().filter((route) => route.endsWith(ids[0]!)).length;
		let [sleeps, before] = [0, 0];
		onSleep = (ms) => {
			if (ms === 0 || ++sleeps !== 6) return;
			cancelled.cancel();
			before = reads();
		};
		const others = await runNode(fleet, wait(ids.slice(1)));
		await cancelled.result;
		expect(others.json.map(({ status }) => status)).toEqual(['completed', 'completed']);
		expect(before).toBeGreaterThan(0);
		expect(reads()).toBe(before);
	});
});

describe('an operation that starts a task', () => {
	const download = (more: object, settings = {}) => {
		const ids = { siteId: locator('={{ $json.site }}'), snapshotId: locator('={{ $json.id }}') };
		const good = fleet.world.store.snapshots.peek().filter(({ status }) => status === 'succeeded');
		const bySite = new Map(good.map(({ id, site_id: site }) => [site, id]));
		const items = [...bySite].slice(0, 3).map(([site, id]) => ({ site, id }));
		return {
			...operationRun('backup', 'download', { ...ids, ...more }, { items, settings }),
			items,
		};
	};

	it('continues at once by default', async () => {
		const { json } = await runNode(fleet, download({}));
		expect(json.map(({ task_status: status }) => status)).toEqual(Array(3).fill('initializing'));
		expect(fleet.changes()).toHaveLength(3);
		expect(fleet.sent().filter(isSiteRead)).toHaveLength(3);
		expect(fleet.sent()).toHaveLength(6);
	});

	it('starts all of them in order, then waits for all together', async () => {
		const run = download({ waitForCompletion: true });
		const { json } = mustSucceed(await runNode(fleet, run));
		expect(json.map(({ task_status: status }) => status)).toEqual(Array(3).fill('completed'));
		const started = run.items.map(({ site, id }) => `POST /sites/${site}/backups/${id}/download`);
		expect(fleet.changes()).toEqual(started);
		expect(fleet.sent().filter(isSiteRead)).toHaveLength(3);
		const others = fleet
			.sent()
			.filter((each) => !isSiteRead(each) && !each.route.startsWith('POST '));
		expect(others.every(({ route }) => route.startsWith('GET /tasks'))).toBe(true);
	});

	it('is not started again by Retry On Fail when waiting has failed', async () => {
		fleet.world.settings.taskMs = 36_000_000;
		const waiting = { waitForCompletion: true, waitOptions: { timeLimit: 1 } };
		const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const { error } = await runNode(fleet, download(waiting, retried));
		expect(error?.message).toContain('was still running');
		expect(new Set(fleet.changes()).size).toBe(3);
		expect(fleet.changes()).toHaveLength(3);
	});
});

describe('a sync', () => {
	const freeSite = () =>
		fleet.world.store.sites
			.peek()
			.find(
				({ connection, sync: { in_progress }, backups, locked }) =>
					connection.status === 'connected' && !in_progress && backups.enabled && !locked,
			)!.id;

	it.each([
		['failed', 'The disk is full'],
		['cancelled', { message: 'The disk is full' }],
	])('that ends as %s is an error with the reason, or its snapshot', async (status, why) => {
		const answer: Answering = (route, _, count) =>
			inStatus(route, count < 4 ? 'in_progress' : status, { error_message: why });
		const { error } = await runAgainst(sync('1'), answer);
		expect(error?.message).toBe(`The backup ended as ${status}: The disk is full`);
		expect(error?.description).toContain('See the snapshot s of /sites/1.');
		const { json } = await runAgainst(sync('1', { onFailure: 'return' }), answer);
		expect(json).toEqual([expect.objectContaining({ status })]);
	});

	describe('of a site that is already being synced', () => {
		const REFUSED = /^This conflicts with the current state of the record/;
		let siteId: string;
		const syncNow = (note: string) =>
			startSync(fleet.world, fleet.world.store.sites.get((siteId = freeSite()))!, note);
		beforeEach(() => syncNow('In real time'));

		it('starts when the other sync has ended, and does not block other sites', async () => {
			const snapshots = fleet.world.store.snapshots.peek();
			const other = snapshots.find(({ note }) => note === 'In real time')!;
			const items = [{ id: siteId }, { id: freeSite() }];
			const { json } = mustSucceed(await runNode(fleet, { ...sync('={{ $json.id }}'), items }));
			expect(json.map(({ site_id: id, status }) => [id, status])).toEqual(
				items.map(({ id }) => [id, 'succeeded']),
			);
			expect(json[0]!.snapshot_id).not.toBe(other.id);
			expect(fleet.changes()).toHaveLength(3);
		});

		it('is refused at once without waiting', async () => {
			const { error } = await runNode(fleet, sync(siteId, {}, { waitForCompletion: false }));
			expect(error?.message).toMatch(REFUSED);
			// The message has its title.
			expect(fleet.routes()).toEqual([`POST /sites/${siteId}/sync`, `GET /sites/${siteId}`]);
		});

		it('is refused when the time limit is over', async () => {
			fleet.world.settings.syncMs = 36_000_000;
			syncNow('A long one');
			const begun = fleet.clock.now();
			const { error } = await runNode(fleet, sync(siteId, { timeLimit: 3 }));
			expect(error?.message).toMatch(REFUSED);
			expect(error?.description).toContain('Nothing was changed');
			expect(fleet.changes()).toHaveLength(1);
			expect(Math.floor((fleet.clock.now() - begun) / 20_000)).toBe(9);
		});

		const syncing = (in_progress: boolean) => ({
			body: { site: { id: '1', sync: { in_progress } } },
		});

		it.each<[string, status: number, Answer, RegExp, requests: number]>([
			['another conflict', 409, syncing(false), REFUSED, 2],
			['a site that cannot be read', 409, { status: 404, body: {} }, REFUSED, 2],
			['what is no conflict', 422, syncing(true), /rejected this/, 1],
		])('is refused at once for %s', async (_, status, look, message, requests) => {
			const { error, routes } = await runAgainst(sync('1'), (route) =>
				route.endsWith('/sync') ? { status, body: { error: {} } } : look,
			);
			expect(error?.message).toMatch(message);
			expect(routes).toHaveLength(requests);
		});
	});
});
