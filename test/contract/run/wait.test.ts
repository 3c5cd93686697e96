import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type NodeRun, runNode, startNode } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { startWayward, type Answer } from '../../support/wayward';
import { startSync } from '../../../sandbox/service/domain/sites/rules';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** Waiting for tasks, with a clock that goes on only while the transport sleeps. */

const fleet = fleetEach({ sites: 20 });
let onSleep: (ms: number) => void;

beforeEach(() => {
	onSleep = () => {};
	useClock({
		now: () => fleet.clock.now(),
		sleep: (ms) => {
			fleet.clock.advance(ms);
			onSleep(ms);
		},
	});
});

const start = (outcome: 'completed' | 'failed' = 'completed', durationMs = 120_000) => {
	const [site] = fleet.world.store.sites.peek();
	const order = { type: 'restore' as const, siteIds: [site!.id], outcome, durationMs };
	return startTaskNow(fleet.world, order).id;
};

const wait = (ids: string[], waitOptions: INodeParameters = {}): NodeRun => ({
	node: 'task',
	parameters: {
		...{ resource: 'task', operation: 'wait', output: 'raw', waitOptions },
		taskId: locator('={{ $json.id }}'),
	},
	items: ids.map((id) => ({ id })),
});

const sync = (siteId: string, waitOptions: INodeParameters = {}, more = {}): NodeRun => ({
	node: 'backup',
	parameters: {
		...{ resource: 'backup', operation: 'sync', siteId: locator(siteId) },
		...{ waitForCompletion: true, waitOptions, ...more },
	},
});

const looks = () => fleet.sent().filter(({ route }) => route === 'GET /tasks');
const continues = { onError: 'continueRegularOutput' as const };

/** Runs a node on a service that answers by the minutes that have passed and the requests that came. */
async function runAgainst(
	run: NodeRun,
	answer: (route: string, minutes: number, count: number) => Answer,
) {
	const began = fleet.clock.now();
	const service = await startWayward((_, count, route) =>
		answer(route, (fleet.clock.now() - began) / 60_000, count),
	);
	const result = await runNode(service, run);
	await service.close();
	return { ...result, routes: service.routes(), minutes: (fleet.clock.now() - began) / 60_000 };
}

const taskOf = (id: string, status: string): IDataObject => ({
	...{ id, status, created_at: '2026-03-01T12:00:00Z', details: {} },
});
const syncStarted: Answer = { body: { sync: { snapshot_id: 's', in_progress: true } } };

/** A task, or the snapshot of a sync, in a status. */
const inStatus = (route: string, status: string, more = {}): Answer => {
	if (route.endsWith('/sync')) return syncStarted;
	return route.includes('/snapshots/')
		? { body: { snapshot: { id: 's', status, ...more } } }
		: { body: { task: taskOf('a', status) } };
};

it('a task that has ended comes at once, in full', async () => {
	const id = start();
	fleet.clock.advance(600_000);
	const { json } = await runNode(fleet, wait([id]));
	expect(json).toEqual([
		expect.objectContaining({ id, status: 'completed', details: expect.any(Object) }),
	]);
	expect(fleet.routes()).toEqual([`GET /tasks/${id}`]);
});

it('a running task is waited for, with longer and longer pauses, and read alone', async () => {
	const id = start('completed', 1_800_000);
	const pauses: number[] = [];
	onSleep = (ms) => void pauses.push(ms);
	const { json } = await runNode(fleet, wait([id]));
	expect(json[0]).toMatchObject({ id, status: 'completed' });
	const waited = pauses.filter((ms) => ms > 0);
	expect(waited[0]).toBe(2_000);
	expect(Math.max(...waited)).toBe(30_000);
	expect(fleet.routes().length).toBeLessThan(90);
	expect(new Set(fleet.routes())).toEqual(new Set([`GET /tasks/${id}`]));
});

describe('many items', () => {
	it('share one request for the list of tasks, and only ended tasks are read in full', async () => {
		const ids = Array.from({ length: 150 }, () => start('completed', 60_000));
		const { json, items } = await runNode(fleet, wait(ids));
		expect(json.map(({ id }) => id)).toEqual(ids);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
		const queries = looks().map(({ query }) => query);
		expect(new Set(queries.map((query) => query['filters[created_at:gte]'])).size).toBe(1);
		expect(queries[0]).toMatchObject({ sort: 'created_at,asc' });
		// One read of each at first and one at its end; until the others have come the first one is looked at alone.
		expect(fleet.sent().length - looks().length).toBeLessThanOrEqual(302);
		expect(looks().length % 2).toBe(0);
	});

	it('of two executions share the requests, too', async () => {
		const ids = [start(), start(), start(), start()];
		const runs = [ids.slice(0, 2), ids.slice(2)].map(async (some) => runNode(fleet, wait(some)));
		const results = await Promise.all(runs);
		expect(results.flatMap(({ json }) => json.map(({ id }) => id))).toEqual(ids);
		expect(looks().length).toBeGreaterThan(0);
		expect(fleet.sent().length - looks().length).toBeLessThanOrEqual(10);
	});

	/** Three tasks, of which one has ended at a time; their list is answered with another status until then. */
	const three = async (endsAt: (id: string) => number, listed = 200, fails = Infinity) =>
		await runAgainst(
			{ ...wait(['a', 'b', 'c'], { timeLimit: 2 }), settings: continues },
			(route, minutes) => {
				const tasks = ['a', 'b', 'c'].map((id) =>
					taskOf(id, minutes >= endsAt(id) ? 'completed' : 'running'),
				);
				if (route !== 'GET /tasks')
					return { body: { task: tasks.find(({ id }) => route.endsWith(`/${String(id)}`)) } };
				if (listed !== 200 && minutes < fails) return { status: listed, body: {} };
				return {
					body: { tasks, meta: { pagination: { perPage: 100, totalPages: 1, totalItems: 3 } } },
				};
			},
		);
	const ended = { status: 'completed' };
	const late = 'was still running after 2 minutes';

	it.each<[what: string, Parameters<typeof three>, ends: Array<object | string>]>([
		['have each their own time limit', [(id) => (id === 'b' ? 1 : 9)], [late, ended, late]],
		['end although checks failed for a while', [() => 1, 500, 0.5], [ended, ended, ended]],
		[
			'name the error of the last check',
			[() => 9, 500],
			Array(3).fill(`${late}; the last check failed: The service failed (500)`),
		],
		[
			'end when a check is refused',
			[() => 1, 403],
			Array(3).fill('was started, but its progress cannot be read: The service does not allow'),
		],
	])('%s', async (_, given, ends) => {
		const { json } = await three(...given);
		expect(json).toMatchObject(
			ends.map((end) => (typeof end === 'string' ? { error: expect.stringContaining(end) } : end)),
		);
	});
});

describe('a failed task', () => {
	it('is an error that names the step and the site', async () => {
		const id = start('failed');
		const { error } = await runNode(fleet, wait([id]));
		const [site] = fleet.world.store.sites.peek();
		expect(error?.message).toMatch(/ ended as failed: step restore_\w+ on site /);
		expect(error?.message).toContain(site!.id);
		expect(error?.message).toContain(`The task ${id} `);
	});

	it('or is returned like any other', async () => {
		const id = start('failed');
		const { json, error } = await runNode(fleet, wait([id], { onFailure: 'return' }));
		expect(error).toBeUndefined();
		expect(json).toEqual([expect.objectContaining({ id, status: 'failed' })]);
	});

	it.each(['aborted', 'cancelled', 'FAILED'])('can be %s as well', async (status) => {
		const { error } = await runAgainst(wait(['a']), (route) => inStatus(route, status));
		expect(error?.message).toBe(`The task a ended as ${status}`);
	});
});

it('after the time limit the error has the ID, also under Continue On Fail', async () => {
	const id = start('completed', 36_000_000);
	const run = wait([id], { timeLimit: 5 });
	const began = fleet.clock.now();
	const { error } = await runNode(fleet, run);
	const message = `The task ${id} was still running after 5 minutes`;
	expect(error?.message).toBe(message);
	expect(error?.description).toContain('Wait Until Finished');
	expect(fleet.clock.now() - began).toBe(300_000);
	const { json } = await runNode(fleet, { ...run, settings: continues });
	const verifyAt = `/tasks/${id} (Task: Get)`;
	expect(json).toEqual([
		{ error: message, details: { outcome: 'started', taskId: id, item: 1, verifyAt } },
	]);
});

describe('a status that nobody knows', () => {
	it.each([
		['paused', wait(['a'], { timeLimit: 30 }), 'The task a was still `paused` after 30 minutes'],
		['Running', wait(['a'], { timeLimit: 30 }), 'The task a was still running after 30 minutes'],
		[
			'paused',
			sync('1', { timeLimit: 30 }),
			'The backup was still `paused` after 30 minutes (/sites/1/snapshots/s)',
		],
	])('is named after the time limit: %s', async (status, run, message) => {
		const { error } = await runAgainst(run, (route) => inStatus(route, status));
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('set a longer time limit');
	});

	it.each([
		[wait(['a']), ' Completed'],
		[sync('1'), 'Succeeded'],
	])('is waited through', async (run, last) => {
		const { json, error } = await runAgainst(run, (route, minutes) =>
			inStatus(route, minutes < 10 ? 'paused' : last),
		);
		expect(error).toBeUndefined();
		expect(json).toEqual([expect.objectContaining({ status: last })]);
	});
});

it('a time limit below a minute is refused', async () => {
	const { error } = await runNode(fleet, wait(['1'], { timeLimit: 0 }));
	expect(error?.message).toBe('The parameter "Time Limit (Minutes)" must be at least 1');
	expect(fleet.sent()).toEqual([]);
});

it('a cancelled execution stops waiting at once, and the others continue', async () => {
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

it('a task that the service does not know is an error', async () => {
	const { error } = await runNode(fleet, wait(['unknown']));
	expect(error?.message).toContain('found no record at');
});

it('checks that fail for a while do not lose the task', async () => {
	const { json, error } = await runAgainst(wait(['a']), (route, _, count) => {
		if (count === 1) return inStatus(route, 'running');
		return count < 12 ? { status: 503 } : inStatus(route, 'completed');
	});
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ status: 'completed' })]);
});

it.each([
	[wait(['a'], { timeLimit: 1 }), /^The task a was still running after 1 minute; the last check/],
	[sync('1', { timeLimit: 1 }), /^The backup was still running after 1 minute; the last check/],
])('a last check that failed is in the error at the time limit', async (run, message) => {
	const { error } = await runAgainst(run, (route, _, count) =>
		count === 1 ? inStatus(route, 'running') : { status: 500, body: {} },
	);
	expect(error?.message).toMatch(message);
	expect(error?.message).toContain('failed: The service failed (500)');
});

describe('an operation that starts a task', () => {
	const download = (more: INodeParameters) => ({
		node: 'backup',
		parameters: {
			...{ resource: 'backup', operation: 'download' },
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
		const { items } = download({});
		expect(fleet.changes()).toEqual(
			items.map(({ site, snapshot }) => `POST /sites/${site}/backups/${snapshot}/download`),
		);
		const others = fleet.routes().filter((route) => !route.startsWith('POST '));
		expect(others.every((route) => route.startsWith('GET /tasks'))).toBe(true);
		expect(json[0]).toMatchObject({ task_id: expect.any(String), snapshot_id: items[0]!.snapshot });
	});

	it('is not started again by Retry On Fail when waiting has failed', async () => {
		const { error } = await runNode(fleet, {
			...download({ waitForCompletion: true, waitOptions: { timeLimit: 1 } }),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect(fleet.changes()).toHaveLength(3);
		expect(new Set(fleet.changes()).size).toBe(3);
		if (error) expect(error.message).toContain('still running');
	});
});

describe('a sync', () => {
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
		['failed', 'The disk is full'],
		['cancelled', { message: 'The disk is full' }],
	])('that ends as %s is an error with the reason, or its snapshot', async (status, why) => {
		const answer = (route: string, _: number, count: number) =>
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
			expect(json).toEqual([
				expect.objectContaining({ status: 'succeeded', snapshot_id: expect.any(String) }),
			]);
			expect(json[0]!.snapshot_id).not.toBe(other!.id);
			expect(fleet.changes()).toHaveLength(2);
		});

		it('is refused at once without waiting', async () => {
			const { error } = await runNode(fleet, sync(siteId, {}, { waitForCompletion: false }));
			expect(error?.message).toMatch(REFUSED);
			expect(fleet.routes()).toEqual([`POST /sites/${siteId}/sync`]);
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
			expect(fleet.changes()).toHaveLength(1);
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
			expect(fleet.changes()).toHaveLength(3);
		});

		it.each<[string, Answer]>([
			['another conflict', { body: { site: { id: '1', sync: { in_progress: false } } } }],
			['a site that cannot be read', { status: 404, body: {} }],
		])('is refused at once for %s', async (_, look) => {
			const { error, routes } = await runAgainst(sync('1'), (route) =>
				route.endsWith('/sync') ? { status: 409, body: { error: {} } } : look,
			);
			expect(error?.message).toMatch(REFUSED);
			expect(routes).toHaveLength(2);
		});
	});
});

it.each<[work: string, parameters: INodeParameters, answers: Answer[], message: string]>([
	[
		'task',
		{ resource: 'stagingSite', operation: 'download', stagingSiteId: locator('1') },
		[{ body: { task: taskOf('t7', 'initializing') } }, { status: 401, body: {} }],
		'The task t7 was started, but its progress cannot be read: The service rejected the API token',
	],
	[
		'sync',
		{ resource: 'backup', operation: 'sync', siteId: locator('1') },
		[syncStarted, { status: 422, body: { error: { details: 'no backups' } } }],
		'The backup /sites/1/snapshots/s was started, but its progress cannot be read: The service rejected this: no backups',
	],
])('a refused check names the %s that is running', async (_work, parameters, answers, message) => {
	const run = {
		node: String(parameters.resource),
		parameters: { ...parameters, waitForCompletion: true },
	};
	const { error } = await runAgainst(run, (_, __, count) => answers[count - 1]!);
	expect(error?.message).toBe(message);
	expect(`${error?.message} ${error?.description}`).not.toContain('Nothing was changed');
});
