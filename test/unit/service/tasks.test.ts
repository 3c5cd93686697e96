import {
	beginExclusive,
	endExclusive,
	isInProgress,
} from '../../../sandbox/service/engine/exclusive';
import type { TaskOrder } from '../../../sandbox/service/engine/taskRows';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { at, expectError, list, pass, second, start } from './support';

async function startWithTask(order: Partial<TaskOrder> = {}) {
	const service = await start();
	const [one, two] = service.world.store.sites.all().map(({ id }) => id) as [string, string];
	const { id } = startTaskNow(service.world, {
		type: 'wp_site_update',
		siteIds: [one, two],
		durationMs: 100_000,
		...order,
	});
	const { api, clock } = service;
	return {
		...service,
		id,
		one,
		two,
		after: async (ms: number) => {
			clock.advance(ms);
			return (await api.get(`/tasks/${id}`)).data.task;
		},
		cancel: async () => await api.post(`/tasks/${id}/cancel`),
	};
}

const step = (type: string, status: string, percent: number, error: object = {}) => ({
	type,
	status,
	details: {},
	progress: { percent },
	error,
});

describe('a task', () => {
	it('initializes for a tenth of its time, runs, and is completed for good', async () => {
		const service = await startWithTask();
		const { id, one, two, after } = service;
		const plugin = { name: expect.any(String), slug: expect.any(String) };
		const options = { backup: true, visual_regression: false, sandbox: false };
		const first = await after(0);
		expect(first).toMatchObject({
			id,
			status: 'initializing',
			type: 'wp_site_update',
			created_at: at(0),
			updated_at: at(0),
			progress: { percent: 0, metrics: { sites: { done: 0, total: 2 } } },
			input: { sites: [one, two].map((each) => ({ id: each, options, plugins: [plugin] })) },
		});
		const { details: _details, ...listed } = first;
		expect((await list(service, '/tasks'))[0]).toEqual(listed);
		expect((await after(9_999)).status).toBe('initializing');
		expect(await after(5_000)).toMatchObject({ status: 'running', updated_at: at(10_000) });
		expect((await after(85_000)).status).toBe('running');
		const ended = await after(1);
		expect(ended).toMatchObject({
			status: 'completed',
			updated_at: at(100_000),
			progress: { percent: 100, metrics: { sites: { done: 2, total: 2 } } },
		});
		expect(await after(1_000_000)).toEqual(ended);
	});

	it('shows its progress by site and step', async () => {
		const { one, two, after } = await startWithTask();
		// Two sites of two steps each share the remaining 90 seconds.
		const task = await after(10_000 + 3 * 22_500);
		expect(task).toMatchObject({
			updated_at: at(77_500),
			progress: { percent: 75, metrics: { sites: { done: 1, total: 2 } } },
		});
		const done = step('update_plugin', 'completed', 100);
		expect(task.details.sites).toEqual([
			{
				id: one,
				status: 'completed',
				progress: { percent: 100 },
				steps: [done, step('verify_site', 'completed', 100)],
			},
			{
				id: two,
				status: 'running',
				progress: { percent: 50 },
				steps: [done, step('verify_site', 'running', 0)],
			},
		]);
	});

	it('can fail, with an error on a step of one site', async () => {
		const { after } = await startWithTask({ outcome: 'failed' });
		const { status, progress, details } = await after(100_000);
		expect([status, progress.percent, progress.metrics.sites.done]).toEqual(['failed', 75, 2]);
		const sites = details.sites as Array<{ status: string; steps: object[] }>;
		expect(sites.map((site) => site.status).sort()).toEqual(['completed', 'failed']);
		const error = { code: expect.any(String), message: expect.any(String) };
		expect(sites.flatMap(({ steps }) => steps)).toContainEqual(
			step('verify_site', 'failed', 0, error),
		);
	});

	it('without sites takes its time as well, and shows the input it was given', async () => {
		const input = { sites: [{ id: 'x', plugins: [] }] };
		const { after } = await startWithTask({ siteIds: [], input });
		expect(await after(99_999)).toMatchObject({ status: 'running', input });
		expect(await after(1)).toMatchObject({ status: 'completed', progress: { percent: 100 } });
	});

	it.each([
		[0, 'initializing', 0, 'cancelled'],
		[60_000, 'running', 50, 'completed'],
	])('ends for good if cancelled after %d ms', async (ms, before, percent, ofFirst) => {
		const { after, cancel } = await startWithTask();
		expect((await after(ms)).status).toBe(before);
		const { task } = (await cancel()).data;
		expect(task).toMatchObject({ status: 'cancelled', updated_at: at(ms), progress: { percent } });
		const [first, last] = task.details.sites;
		expect(first.status).toBe(ofFirst);
		expect(last).toMatchObject({
			status: 'cancelled',
			steps: [{ status: 'cancelled' }, { status: 'cancelled' }],
		});
		expect(await after(1_000_000)).toEqual(task);
		expectError(await cancel(), 422);
	});

	it.each([
		['completed', 'clean'],
		['cancelled', 'hacked'],
	])('%s leaves a hacked site %s', async (how, scanner) => {
		const { world, one, after, cancel } = await startWithTask({ type: 'hackcleanup' });
		const { security } = world.store.sites.get(one)!;
		security.scanner.status = 'hacked';
		await after(99_999);
		expect(security.scanner.status).toBe('hacked');
		if (how === 'cancelled') await cancel();
		await after(1);
		expect(security.scanner.status).toBe(scanner);
	});
});

it('a failure that is asked for meets the next task of the type on the site, once', async () => {
	const { admin, world, one, two, clock, api } = await startWithTask();
	const failure = { type: 'restore', site_id: 'none' };
	expectError(await admin.post('/tasks/failures', failure), 422);
	await admin.post('/tasks/failures', { ...failure, site_id: two });
	const restored = [[one], [one, two], [one, two]].map((siteIds) =>
		startTaskNow(world, { type: 'restore', siteIds }),
	);
	const outcomes = restored.map(({ internal }) => internal.outcome);
	expect(outcomes).toEqual(['completed', 'failed', 'completed']);
	clock.advance(24 * 3600 * second);
	const { task } = (await api.get(`/tasks/${restored[1]!.id}`)).data;
	expect(task.details.sites).toMatchObject([
		{ status: 'completed' },
		{ id: two, status: 'failed' },
	]);
});

it('exclusive work is a conflict until its own time is over', async () => {
	const service = await start({ sites: 0 });
	const { world } = service;
	beginExclusive(world, 'settings', 10 * second, 'Another settings update');
	pass(service, 10 * second - 1);
	expect(() => beginExclusive(world, 'settings', 1, 'Another settings update')).toThrow(
		expect.objectContaining({ status: 409, message: 'Another settings update is in progress' }),
	);
	expect(isInProgress(world, 'other')).toBe(false);
	pass(service, 1);
	beginExclusive(world, 'settings', 2 * second);
	endExclusive(world, 'settings');
	pass(service, second);
	beginExclusive(world, 'settings', 2 * second);
	beginExclusive(world, 'backup');
	// The end of the first one's time.
	pass(service, second);
	expect(isInProgress(world, 'settings')).toBe(true);
	pass(service, 1e9);
	expect(['settings', 'backup'].map((key) => isInProgress(world, key))).toEqual([false, true]);
});
