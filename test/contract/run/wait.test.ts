import type { INodeParameters } from 'n8n-workflow';
import { runNode, startNode } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { startWayward, type Answer } from '../../support/wayward';
import { startSync } from '../../../sandbox/service/domain/sites/rules';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** Waiting for tasks, with a clock that goes on only while the transport sleeps. */

let fleet: Fleet;
let onSleep: (ms: number) => void;

beforeEach(async () => {
	fleet = await startFleet({ sites: 20 });
	onSleep = () => {};
	useClock({
		now: () => fleet.clock.now(),
		sleep: (ms) => {
			fleet.clock.advance(ms);
			onSleep(ms);
		},
	});
});
afterEach(async () => await fleet.close());

const start = (outcome: 'completed' | 'failed' = 'completed', durationMs = 120_000) => {
	const [site] = fleet.world.store.sites.peek();
	const order = { type: 'restore' as const, siteIds: [site!.id], outcome, durationMs };
	return startTaskNow(fleet.world, order).id;
};

const wait = (waitOptions: INodeParameters = {}) => ({
	node: 'task',
	parameters: {
		resource: 'task',
		operation: 'wait',
		output: 'raw',
		taskId: locator('={{ $json.id }}'),
		waitOptions,
	},
});

const routes = () => fleet.sent().map(({ route }) => route);
const looks = () => fleet.sent().filter(({ route }) => route === 'GET /tasks');

it('a task that has ended comes at once, in full', async () => {
	const id = start();
	fleet.clock.advance(600_000);
	const { json } = await runNode(fleet, { ...wait(), items: [{ id }] });
	expect(json).toEqual([
		expect.objectContaining({ id, status: 'completed', details: expect.any(Object) }),
	]);
	expect(routes()).toEqual([`GET /tasks/${id}`]);
});

it('a running task is waited for, with longer and longer pauses', async () => {
	const id = start('completed', 1_800_000);
	const pauses: number[] = [];
	onSleep = (ms) => void pauses.push(ms);
	const { json } = await runNode(fleet, { ...wait(), items: [{ id }] });
	expect(json[0]).toMatchObject({ id, status: 'completed' });
	const waited = pauses.filter((ms) => ms > 0);
	expect(waited[0]).toBe(2_000);
	expect(Math.max(...waited)).toBe(30_000);
	expect(routes().length).toBeLessThan(90);
});

it('many items share one request for the list of tasks, and only ended tasks are read in full', async () => {
	const ids = Array.from({ length: 150 }, () => start('completed', 60_000));
	const { json, items } = await runNode(fleet, {
		...wait(),
		items: ids.map((id) => ({ id })),
	});
	expect(json.map(({ id }) => id)).toEqual(ids);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
	const times = new Set(looks().map(({ query }) => query['filters[created_at:gte]']));
	expect(times.size).toBe(1);
	// One read of each at first and one at its end; until the others have come the first one is looked at alone.
	expect(fleet.sent().length - looks().length).toBeLessThanOrEqual(302);
	expect(looks().length % 2).toBe(0);
});

it('two executions at the same time share the requests, too', async () => {
	const ids = [start(), start(), start(), start()];
	const runs = [ids.slice(0, 2), ids.slice(2)].map(async (some) =>
		runNode(fleet, { ...wait(), items: some.map((id) => ({ id })) }),
	);
	const results = await Promise.all(runs);
	expect(results.flatMap(({ json }) => json.map(({ id }) => id))).toEqual(ids);
	expect(looks().length).toBeGreaterThan(0);
	expect(fleet.sent().length - looks().length).toBeLessThanOrEqual(10);
});

it('a failed task is an error that names the step and the site', async () => {
	const id = start('failed');
	const { error } = await runNode(fleet, { ...wait(), items: [{ id }] });
	const [site] = fleet.world.store.sites.peek();
	expect(error?.message).toMatch(/ ended as failed: step restore_\w+ on site /);
	expect(error?.message).toContain(site!.id);
	expect(error?.message).toContain(`The task ${id} `);
});

it('or is returned like any other', async () => {
	const id = start('failed');
	const { json, error } = await runNode(fleet, {
		...wait({ onFailure: 'return' }),
		items: [{ id }],
	});
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ id, status: 'failed' })]);
});

it('after the time limit the error has the ID, also under Continue On Fail', async () => {
	const id = start('completed', 36_000_000);
	const run = { ...wait({ timeLimit: 5 }), items: [{ id }] };
	const began = fleet.clock.now();
	const { error } = await runNode(fleet, run);
	const message = `The task ${id} was still running after 5 minutes`;
	expect(error?.message).toBe(message);
	expect(error?.description).toContain('Wait Until Finished');
	expect(fleet.clock.now() - began).toBe(300_000);
	const { json } = await runNode(fleet, {
		...run,
		settings: { onError: 'continueRegularOutput' },
	});
	const details = {
		outcome: 'started',
		taskId: id,
		item: 1,
		verifyAt: `/tasks/${id} (Task: Get)`,
	};
	expect(json).toEqual([{ error: message, details }]);
});

describe('a status that nobody knows', () => {
	const service = async (statusAt: (minutes: number) => string) => {
		const began = fleet.clock.now();
		return await startWayward(({ pathname }) => {
			const status = statusAt((fleet.clock.now() - began) / 60_000);
			if (pathname.endsWith('/sync')) {
				return { body: { sync: { snapshot_id: 's', in_progress: true } } };
			}
			const created_at = '2026-03-01T12:00:00Z';
			return pathname.includes('/snapshots/')
				? { body: { snapshot: { id: 's', status } } }
				: { body: { task: { id: 'a', status, created_at, details: {} } } };
		});
	};
	const sync = {
		node: 'backup',
		parameters: {
			resource: 'backup',
			operation: 'sync',
			siteId: locator('1'),
			waitForCompletion: true,
			waitOptions: { timeLimit: 30 },
		},
	};

	it.each([
		['paused', 'The task a was still `paused` after 30 minutes'],
		['Running', 'The task a was still running after 30 minutes'],
	])('is named after the time limit: %s', async (status, message) => {
		const slow = await service(() => status);
		const run = { ...wait({ timeLimit: 30 }), items: [{ id: 'a' }] };
		const { error } = await runNode(slow, run);
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('Wait Until Finished');
		const { json } = await runNode(slow, {
			...run,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json).toEqual([{ error: message, details: expect.objectContaining({ taskId: 'a' }) }]);
		await slow.close();
	});

	it('is waited through', async () => {
		const slow = await service((minutes) => (minutes < 10 ? 'paused' : ' Completed'));
		const { json, error } = await runNode(slow, { ...wait(), items: [{ id: 'a' }] });
		await slow.close();
		expect(error).toBeUndefined();
		expect(json).toEqual([expect.objectContaining({ status: ' Completed' })]);
	});

	it('in another spelling counts as the known one', async () => {
		const slow = await service(() => 'FAILED');
		const { error } = await runNode(slow, { ...wait(), items: [{ id: 'a' }] });
		await slow.close();
		expect(error?.message).toBe('The task a ended as FAILED');
	});

	it('of a sync is named, too', async () => {
		const slow = await service(() => 'paused');
		const { error } = await runNode(slow, sync);
		await slow.close();
		expect(error?.message).toBe(
			'The backup was still `paused` after 30 minutes (/sites/1/snapshots/s)',
		);
	});

	it('of a sync is waited through', async () => {
		const slow = await service((minutes) => (minutes < 10 ? 'paused' : 'Succeeded'));
		const { json } = await runNode(slow, sync);
		await slow.close();
		expect(json).toEqual([
			expect.objectContaining({ snapshot_id: 's', site_id: '1', status: 'Succeeded' }),
		]);
	});
});

it('a time limit below a minute is refused', async () => {
	const { error } = await runNode(fleet, {
		...wait({ timeLimit: 0 }),
		items: [{ id: '1' }],
	});
	expect(error?.message).toBe('The parameter "Time Limit (Minutes)" must be at least 1');
	expect(fleet.sent()).toEqual([]);
});

it('a cancelled execution stops waiting at once, and the others continue', async () => {
	const ids = [start(), start(), start()];
	const cancelled = await startNode(fleet, { ...wait(), items: [{ id: ids[0]! }] });
	const reads = () => routes().filter((route) => route.endsWith(ids[0]!)).length;
	let sleeps = 0;
	let before = 0;
	onSleep = (ms) => {
		if (ms === 0 || ++sleeps !== 6) return;
		cancelled.cancel();
		before = reads();
	};
	const others = await runNode(fleet, {
		...wait(),
		items: ids.slice(1).map((id) => ({ id })),
	});
	await cancelled.result;
	expect(others.json.map(({ status }) => status)).toEqual(['completed', 'completed']);
	expect(before).toBeGreaterThan(0);
	expect(reads()).toBe(before);
});

it('a task that the service does not know is an error', async () => {
	const { error } = await runNode(fleet, { ...wait(), items: [{ id: 'unknown' }] });
	expect(error?.message).toContain('found no record at');
});

it('checks that fail for a while do not lose the task', async () => {
	let asked = 0;
	const task = (status: string) => ({
		body: { task: { id: 'a', status, created_at: '2026-03-01T12:00:00Z', details: {} } },
	});
	const service = await startWayward(() => {
		asked += 1;
		if (asked === 1) return task('running');
		return asked < 12 ? { status: 503 } : task('completed');
	});
	const { json, error } = await runNode(service, { ...wait(), items: [{ id: 'a' }] });
	await service.close();
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ status: 'completed' })]);
});

describe('an operation that starts a task', () => {
	const download = (more: INodeParameters) => ({
		node: 'backup',
		parameters: {
			resource: 'backup',
			operation: 'download',
			siteId: locator('={{ $json.site }}'),
			snapshotId: locator('={{ $json.snapshot }}'),
			...more,
		},
		items: fleet.world.store.snapshots
			.peek()
			.filter(({ status }) => status === 'succeeded')
			.filter((one, index, all) => all.findIndex((o) => o.site_id === one.site_id) === index)
			.slice(0, 3)
			.map(({ id, site_id }) => ({ site: site_id, snapshot: id })),
	});

	it('continues at once by default', async () => {
		const { json } = await runNode(fleet, download({}));
		expect(json.map(({ task_status: status }) => status)).toEqual(Array(3).fill('initializing'));
		expect(fleet.sent()).toHaveLength(3);
	});

	it('starts all of them in order, then waits for all together', async () => {
		const { json, error } = await runNode(fleet, download({ waitForCompletion: true }));
		expect(error).toBeUndefined();
		expect(json.map(({ task_status: status }) => status)).toEqual(Array(3).fill('completed'));
		const posts = routes().filter((route) => route.startsWith('POST '));
		const { items } = download({});
		expect(posts).toEqual(
			items.map(({ site, snapshot }) => `POST /sites/${site}/backups/${snapshot}/download`),
		);
		const others = routes().filter((route) => !route.startsWith('POST '));
		expect(others.every((route) => route.startsWith('GET /tasks'))).toBe(true);
		expect(json[0]).toMatchObject({ task_id: expect.any(String), snapshot_id: items[0]!.snapshot });
	});

	it('is not started again by Retry On Fail when waiting has failed', async () => {
		const { error } = await runNode(fleet, {
			...download({ waitForCompletion: true, waitOptions: { timeLimit: 1 } }),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		const posts = routes().filter((route) => route.startsWith('POST '));
		expect(posts).toHaveLength(3);
		expect(new Set(posts).size).toBe(3);
		if (error) expect(error.message).toContain('still running');
	});
});

describe('a sync', () => {
	const sync = (siteId: string, waitOptions: INodeParameters = {}) => ({
		node: 'backup',
		parameters: {
			resource: 'backup',
			operation: 'sync',
			siteId: locator(siteId),
			waitForCompletion: true,
			waitOptions,
		},
	});
	const siteThatIs = (status: string) =>
		fleet.world.store.sites
			.peek()
			.find(
				({ connection, sync: { in_progress }, backups, locked }) =>
					connection.status === status && !in_progress && backups.enabled && !locked,
			)!.id;

	it('is waited for until its snapshot exists', async () => {
		const { json, error } = await runNode(fleet, sync(siteThatIs('connected')));
		expect(error).toBeUndefined();
		expect(json).toEqual([expect.objectContaining({ status: 'succeeded' })]);
	});

	it.each([
		['fail', 'The backup ended as failed: The disk is full'],
		['return', undefined],
	])('that fails is an error with the reason, or its snapshot: %s', async (onFailure, message) => {
		let asked = 0;
		const service = await startWayward(({ pathname }) => {
			if (pathname.endsWith('/sync')) {
				return { body: { sync: { snapshot_id: 's', in_progress: true } } };
			}
			const status = ++asked < 3 ? 'in_progress' : 'failed';
			return { body: { snapshot: { id: 's', status, error_message: 'The disk is full' } } };
		});
		const { error, json } = await runNode(service, sync('1', { onFailure }));
		await service.close();
		expect(error?.message).toBe(message);
		expect(json.map(({ status }) => status)).toEqual(message ? [] : ['failed']);
	});

	describe('of a site that is already being synced', () => {
		const REFUSED = /^This conflicts with the current state of the record/;
		const starts = () => routes().filter((route) => route.startsWith('POST '));
		let siteId: string;

		beforeEach(() => {
			siteId = siteThatIs('connected');
			startSync(fleet.world, fleet.world.store.sites.get(siteId)!, 'In real time');
		});

		it('starts when the other sync has ended', async () => {
			const [other] = fleet.world.store.snapshots
				.peek()
				.filter(({ note }) => note === 'In real time');
			const { json, error } = await runNode(fleet, sync(siteId));
			expect(error).toBeUndefined();
			expect(json).toEqual([expect.objectContaining({ status: 'succeeded' })]);
			expect(json[0]!.snapshot_id).toEqual(expect.any(String));
			expect(json[0]!.snapshot_id).not.toBe(other!.id);
			expect(starts()).toHaveLength(2);
		});

		it('is refused at once without waiting', async () => {
			const one = sync(siteId);
			const { error } = await runNode(fleet, {
				...one,
				parameters: { ...one.parameters, waitForCompletion: false },
			});
			expect(error?.message).toMatch(REFUSED);
			expect(routes()).toEqual([`POST /sites/${siteId}/sync`]);
		});

		it('is refused when the time limit is over', async () => {
			const begun = fleet.clock.now();
			fleet.world.settings.syncMs = 36_000_000;
			fleet.clock.advance(600_000);
			siteId = siteThatIs('connected');
			startSync(fleet.world, fleet.world.store.sites.get(siteId)!, 'A long one');
			const { error } = await runNode(fleet, sync(siteId, { timeLimit: 3 }));
			expect(error?.message).toMatch(REFUSED);
			expect(error?.description).toContain('Nothing was changed');
			expect(starts()).toHaveLength(1);
			expect(fleet.clock.now() - begun).toBeGreaterThanOrEqual(600_000 + 180_000);
			expect(fleet.clock.now() - begun).toBeLessThan(600_000 + 200_000);
		});

		it('does not block syncs of other sites, and keeps their order', async () => {
			const { json, error } = await runNode(fleet, {
				...sync('={{ $json.id }}'),
				items: [{ id: siteId }, { id: siteThatIs('connected') }],
			});
			expect(error).toBeUndefined();
			expect(json.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
			expect(starts()).toHaveLength(3);
		});

		it.each([
			['another conflict', { body: { site: { id: '1', sync: { in_progress: false } } } }],
			['a site that cannot be read', { status: 404, body: {} }],
		])('is refused at once for %s', async (_, look: Answer) => {
			const asked: string[] = [];
			const service = await startWayward(({ pathname }) => {
				asked.push(pathname);
				return pathname.endsWith('/sync') ? { status: 409, body: { error: {} } } : look;
			});
			const { error } = await runNode(service, sync('1'));
			await service.close();
			expect(error?.message).toMatch(REFUSED);
			expect(asked).toHaveLength(2);
		});
	});

	it('that takes too long is an error that says where to look', async () => {
		fleet.world.settings.syncMs = 36_000_000;
		const { error } = await runNode(fleet, sync(siteThatIs('connected'), { timeLimit: 2 }));
		expect(error?.message).toContain('The backup was still running after 2 minutes');
		expect(error?.message).toContain('/snapshots/');
	});
});

it.each<[work: string, parameters: INodeParameters, answers: Answer[], message: string]>([
	[
		'task',
		{ resource: 'stagingSite', operation: 'download', stagingSiteId: locator('1') },
		[
			{ body: { task: { id: 't7', status: 'initializing', created_at: '2026-03-01T12:00:00Z' } } },
			{ status: 401, body: {} },
		],
		'The task t7 was started, but its progress cannot be read: The service rejected the API token',
	],
	[
		'sync',
		{ resource: 'backup', operation: 'sync', siteId: locator('1') },
		[
			{ body: { sync: { snapshot_id: 's7', in_progress: true } } },
			{ status: 422, body: { error: { details: 'no backups' } } },
		],
		'The backup /sites/1/snapshots/s7 was started, but its progress cannot be read: The service rejected this: no backups',
	],
])('a refused check names the %s that is running', async (_work, parameters, answers, message) => {
	const service = await startWayward((_, count) => answers[count - 1]!);
	const { error } = await runNode(service, {
		node: String(parameters.resource),
		parameters: { ...parameters, waitForCompletion: true },
	});
	await service.close();
	expect(error?.message).toBe(message);
	expect(`${error?.message} ${error?.description}`).not.toContain('Nothing was changed');
});
