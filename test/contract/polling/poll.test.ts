import type { IDataObject } from 'n8n-workflow';
import { activate } from '../../support/engine';
import { inStep, START, startFleet, type Fleet } from '../../support/fleet';
import { startWayward } from '../../support/wayward';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { useClock } from '../../support/transportClock';

let fleet: Fleet;
let siteIds: string[];

beforeEach(async () => {
	useClock({ now: Date.now, sleep: () => {} });
	fleet = await startFleet({ sites: 5 });
	inStep(fleet);
	siteIds = (await fleet.sites(5)).map(({ id }) => id as string);
});
afterEach(async () => await fleet.close());

const trigger = async (events: string[] = ['completed', 'failed']) =>
	await activate(fleet, { node: 'taskTrigger', parameters: { events } });

/** Starts a task that ends after a minute of the service's time. */
const startTask = (outcome: 'completed' | 'failed' = 'completed') =>
	startTaskNow(fleet.world, { type: 'download', siteIds, outcome, durationMs: 60_000 }).id;

const ids = (items: IDataObject[] | null) => items?.map(({ id }) => id) ?? null;

it('the first poll emits nothing, whatever has happened before', async () => {
	startTask();
	fleet.clock.advance(120_000);
	const { poll } = await trigger();
	expect(await poll()).toBeNull();
	expect(await poll()).toBeNull();
});

it('a task that ends is emitted once', async () => {
	const { poll } = await trigger();
	await poll();
	const id = startTask();
	fleet.clock.advance(30_000);
	expect(await poll()).toBeNull();
	fleet.clock.advance(60_000);
	const [task, ...others] = (await poll())!;
	expect(task).toMatchObject({ id, status: 'completed', type: 'download' });
	expect(others).toEqual([]);
	expect(await poll()).toBeNull();
	fleet.clock.advance(3_600_000);
	expect(ids(await poll()) ?? []).not.toContain(id);
});

it('a task that was running at activation is emitted when it ends', async () => {
	const id = startTask();
	fleet.clock.advance(30_000);
	const { poll } = await trigger();
	await poll();
	fleet.clock.advance(60_000);
	expect(ids(await poll())).toEqual([id]);
});

it('only the chosen events are emitted', async () => {
	const { poll } = await trigger(['failed']);
	await poll();
	startTask('completed');
	const failed = startTask('failed');
	fleet.clock.advance(120_000);
	expect(ids(await poll())).toEqual([failed]);
});

it('a cancelled task is an event of its own', async () => {
	const { poll } = await trigger(['cancelled']);
	await poll();
	const id = startTask();
	fleet.clock.advance(30_000);
	await fleet.api.post(`/tasks/${id}/cancel`);
	expect((await poll())!).toEqual([expect.objectContaining({ id, status: 'cancelled' })]);
});

it('two hundred and fifty tasks that end at the same moment are all emitted, each once', async () => {
	const { poll } = await trigger();
	await poll();
	const started = Array.from({ length: 250 }, () => startTask());
	fleet.clock.advance(120_000);
	expect(ids(await poll())!.sort()).toEqual([...started].sort());
	expect(await poll()).toBeNull();
});

it('events are emitted in the order in which they happened', async () => {
	const { poll } = await trigger();
	await poll();
	const first = startTask();
	fleet.clock.advance(1000);
	const second = startTask();
	fleet.clock.advance(120_000);
	expect(ids(await poll())).toEqual([first, second]);
});

it('a poll costs one request when nothing has happened', async () => {
	const { poll } = await trigger();
	await poll();
	await poll();
	fleet.forget();
	await poll();
	expect(fleet.sent().map(({ route }) => route)).toEqual(['GET /tasks']);
});

it('a restart of n8n loses and repeats nothing', async () => {
	const { poll, restart } = await trigger();
	await poll();
	const before = startTask();
	fleet.clock.advance(120_000);
	expect(ids(await poll())).toEqual([before]);
	const during = startTask();
	await restart();
	fleet.clock.advance(120_000);
	expect(ids(await poll())).toEqual([during]);
	expect(await poll()).toBeNull();
});

it('a poll that fails is made up for by the next one', async () => {
	const { poll } = await trigger();
	await poll();
	const id = startTask();
	fleet.clock.advance(120_000);
	fleet.world.account.active = false;
	await expect(poll()).rejects.toThrow('The account is inactive');
	fleet.world.account.active = true;
	expect(ids(await poll())).toEqual([id]);
});

it('when n8n does not save the state of the first poll, nothing after it is lost', async () => {
	const { poll, forgetState } = await trigger();
	await poll();
	forgetState();
	const id = startTask();
	fleet.clock.advance(120_000);
	expect(ids(await poll())).toEqual([id]);
});

it('a workflow that is switched off and on again starts from that moment', async () => {
	const { poll, reactivate } = await trigger();
	await poll();
	const whileOff = startTask();
	fleet.clock.advance(120_000);
	reactivate();
	expect(await poll()).toBeNull();
	const later = startTask();
	fleet.clock.advance(120_000);
	expect(ids(await poll())).toEqual([later]);
	expect(later).not.toBe(whileOff);
});

it('an account without tasks starts with the first one', async () => {
	const tasks: IDataObject[] = [];
	const service = await startWayward(() => ({
		body: { tasks, meta: { pagination: { totalPages: 1 } } },
	}));
	const { poll } = await activate(service, {
		node: 'taskTrigger',
		parameters: { events: ['completed'] },
	});
	expect(await poll()).toBeNull();
	tasks.push({ id: 'first', status: 'completed', updated_at: new Date(START).toISOString() });
	expect(ids(await poll())).toEqual(['first']);
	expect(await poll()).toBeNull();
	await service.close();
});

it('times are compared as times, not as texts', async () => {
	const at = (id: string, updated_at: string) => ({ id, status: 'completed', updated_at });
	let tasks = [at('a', '2026-03-01T12:00:00Z')];
	const service = await startWayward(() => ({
		headers: { Date: 'Sun, 01 Mar 2026 12:00:01 GMT' },
		body: { tasks, meta: { pagination: { totalPages: 1 } } },
	}));
	const { poll } = await activate(service, {
		node: 'taskTrigger',
		parameters: { events: ['completed'] },
	});
	await poll();
	tasks = [...tasks, at('b', '2026-03-01T12:00:00.500Z'), at('c', '2026-03-01T13:00:01+01:00')];
	expect(ids(await poll())).toEqual(['b', 'c']);
	expect(await poll()).toBeNull();
	await service.close();
});

describe('a test run in the editor', () => {
	it('shows the newest matching tasks and leaves the state alone', async () => {
		const { poll, test, state } = await trigger(['failed']);
		await poll();
		const id = startTask('failed');
		fleet.clock.advance(120_000);
		const before = state();
		const samples = (await test())!;
		expect(samples[0]).toMatchObject({ id, status: 'failed' });
		expect(samples.length).toBeLessThanOrEqual(5);
		expect(state()).toEqual(before);
		expect(ids(await poll())).toEqual([id]);
	});

	it('says what to do when there is nothing to show', async () => {
		const service = await startWayward(() => ({
			body: { tasks: [], meta: { pagination: { totalPages: 1 } } },
		}));
		const { test } = await activate(service, {
			node: 'taskTrigger',
			parameters: { events: ['completed'] },
		});
		await expect(test()).rejects.toThrow('No task to show yet');
		await service.close();
	});
});
