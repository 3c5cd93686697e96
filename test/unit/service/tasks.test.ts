import { day, expectError, list, start, startTime, type TestService } from './support';
import type { TaskOrder } from '../../../sandbox/service/engine/taskRows';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';

async function startWithTask(order: Partial<TaskOrder> = {}) {
	const service = await start();
	const siteIds = service.world.store.sites
		.all()
		.slice(0, 2)
		.map((site) => site.id);
	const { id } = startTaskNow(service.world, {
		type: 'wp_site_update',
		siteIds,
		durationMs: 100_000,
		...order,
	});
	return { ...service, id, siteIds };
}

const show = async ({ api }: TestService, id: string) => (await api.get(`/tasks/${id}`)).data.task;
const at = (ms: number) => new Date(startTime + ms).toISOString();

describe('a task', () => {
	it('begins in initializing', async () => {
		const service = await startWithTask();
		const task = await show(service, service.id);
		expect(task).toEqual({
			id: service.id,
			status: 'initializing',
			type: 'wp_site_update',
			created_at: at(0),
			updated_at: at(0),
			progress: { percent: 0, metrics: { sites: { done: 0, total: 2 } } },
			input: {
				sites: service.siteIds.map((id) => ({
					id,
					options: { backup: true, visual_regression: false, sandbox: false },
					plugins: [
						{
							name: expect.any(String),
							current_version: expect.any(String),
							target_version: expect.any(String),
							slug: expect.any(String),
							filename: expect.any(String),
						},
					],
				})),
			},
			details: { sites: expect.any(Array) },
		});
	});

	it('runs after a tenth of its time, dated when it happened', async () => {
		const service = await startWithTask();
		service.clock.advance(9_999);
		expect((await show(service, service.id)).status).toBe('initializing');
		service.clock.advance(5_000);
		expect(await show(service, service.id)).toMatchObject({
			status: 'running',
			updated_at: at(10_000),
			progress: { percent: 0 },
		});
	});

	it('shows its progress per site and step', async () => {
		const service = await startWithTask();
		// Two sites of two steps each share the remaining 90 seconds.
		service.clock.advance(10_000 + 3 * 22_500);
		const task = await show(service, service.id);
		expect(task).toMatchObject({
			status: 'running',
			updated_at: at(77_500),
			progress: { percent: 75, metrics: { sites: { done: 1, total: 2 } } },
		});
		expect(task.details.sites).toEqual([
			{
				id: service.siteIds[0],
				status: 'completed',
				progress: { percent: 100 },
				steps: [step('update_plugin', 'completed', 100), step('verify_site', 'completed', 100)],
			},
			{
				id: service.siteIds[1],
				status: 'running',
				progress: { percent: 50 },
				steps: [step('update_plugin', 'completed', 100), step('verify_site', 'running', 0)],
			},
		]);
	});

	it('is completed when its time is over and does not change any more', async () => {
		const service = await startWithTask();
		service.clock.advance(99_999);
		expect((await show(service, service.id)).status).toBe('running');
		service.clock.advance(1);
		const task = await show(service, service.id);
		expect(task).toMatchObject({
			status: 'completed',
			updated_at: at(100_000),
			progress: { percent: 100, metrics: { sites: { done: 2, total: 2 } } },
		});
		service.clock.advance(1_000_000);
		expect(await show(service, service.id)).toEqual(task);
	});

	it('can fail, with an error on a step of one site', async () => {
		const service = await startWithTask({ outcome: 'failed' });
		service.clock.advance(100_000);
		const task = await show(service, service.id);
		expect(task.status).toBe('failed');
		expect(task.progress).toEqual({ percent: 75, metrics: { sites: { done: 2, total: 2 } } });
		const statuses = task.details.sites.map((site: { status: string }) => site.status);
		expect(statuses.sort()).toEqual(['completed', 'failed']);
		const failed = task.details.sites
			.flatMap((site: { steps: object[] }) => site.steps)
			.filter((each: { status: string }) => each.status === 'failed');
		expect(failed).toEqual([
			{
				...step('verify_site', 'failed', 0),
				error: { code: expect.any(String), message: expect.any(String) },
			},
		]);
	});

	it('without sites takes its time as well', async () => {
		const service = await startWithTask({ siteIds: [] });
		service.clock.advance(99_999);
		expect((await show(service, service.id)).status).toBe('running');
		service.clock.advance(1);
		expect(await show(service, service.id)).toMatchObject({
			status: 'completed',
			progress: { percent: 100, metrics: { sites: { done: 0, total: 0 } } },
		});
	});

	it('shows the request details it was given', async () => {
		const input = { sites: [{ id: 'x', plugins: [] }] };
		const service = await startWithTask({ input });
		expect((await show(service, service.id)).input).toEqual(input);
	});

	it('has an ID that depends only on the seed', async () => {
		const first = await startWithTask();
		const second = await startWithTask();
		expect(second.id).toBe(first.id);
		expect(first.id).toMatch(/^[0-9a-f]{24}$/);
	});
});

describe('cancelling a task', () => {
	it.each([
		['initializing', 0],
		['running', 40_000],
	])('ends it while it is %s', async (status, ms) => {
		const service = await startWithTask();
		service.clock.advance(ms);
		expect((await show(service, service.id)).status).toBe(status);
		const response = await service.api.post(`/tasks/${service.id}/cancel`);
		expect(response.status).toBe(200);
		expect(response.data.task).toMatchObject({ status: 'cancelled', updated_at: at(ms) });
		expect(response.data.task.details.sites[1].status).toBe('cancelled');
		service.clock.advance(1_000_000);
		expect(await show(service, service.id)).toEqual(response.data.task);
	});

	it('keeps what was completed before', async () => {
		const service = await startWithTask();
		service.clock.advance(60_000);
		const { data } = await service.api.post(`/tasks/${service.id}/cancel`);
		const [done, stopped] = data.task.details.sites;
		expect(done.status).toBe('completed');
		expect(stopped.steps.map((each: { status: string }) => each.status)).toEqual([
			'cancelled',
			'cancelled',
		]);
		expect(data.task.progress.percent).toBe(50);
	});

	it('is refused the second time', async () => {
		const service = await startWithTask();
		await service.api.post(`/tasks/${service.id}/cancel`);
		expectError(await service.api.post(`/tasks/${service.id}/cancel`), 422);
	});
});

describe('listing tasks', () => {
	it('leaves out the details of the sites', async () => {
		const service = await startWithTask();
		const [newest] = await list(service, '/tasks');
		const { details: _details, ...expected } = await show(service, service.id);
		expect(newest).toEqual(expected);
	});

	it('does not know queued as a status to look for', async () => {
		const { api } = await start();
		const response = await api.get('/tasks', { params: { 'filters[status:eq]': 'queued' } });
		expect(expectError(response, 400)).toEqual(['filters[status:eq]']);
	});
});

function step(type: string, status: string, percent: number) {
	return { type, status, details: {}, progress: { percent }, error: {} };
}

describe('a failure that is asked for', () => {
	const outcomes = ({ world }: TestService) =>
		world.store.tasks
			.all()
			.slice(-3)
			.map(({ internal }) => internal.outcome);

	it('meets the next task of the type on the site, once', async () => {
		const service = await startWithTask();
		const { admin, siteIds, world } = service;
		const [, second] = siteIds;
		expect((await admin.post('/tasks/failures', { type: 'restore', site_id: 'none' })).status).toBe(
			422,
		);
		await admin.post('/tasks/failures', { type: 'restore', site_id: second });
		startTaskNow(world, { type: 'restore', siteIds: siteIds.slice(0, 1) });
		const { id, internal } = startTaskNow(world, { type: 'restore', siteIds });
		startTaskNow(world, { type: 'restore', siteIds });
		expect(outcomes(service)).toEqual(['completed', 'failed', 'completed']);
		expect(internal.failing_site).toBe(1);
		service.clock.advance(day);
		expect((await show(service, id)).details.sites).toEqual([
			expect.objectContaining({ status: 'completed' }),
			expect.objectContaining({ id: second, status: 'failed' }),
		]);
	});
});
