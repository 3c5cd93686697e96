import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { activate } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { useClock } from '../../support/transportClock';

/** Triggers of one account that read the same list together: what it costs, and that each still has each event once. */

let fleet: Fleet;
let workflow = 0;

beforeEach(async () => {
	fleet = await startFleet({ sites: 5 });
	inStep(fleet);
	fleet.clock.advance(3_600_000);
});
afterEach(async () => await fleet.close());

type Trigger = Awaited<ReturnType<typeof activate>>;

/** A trigger of its own workflow. */
async function trigger(parameters: INodeParameters, of: Partial<Fleet> = {}, node = 'taskTrigger') {
	const settings = { id: `shared-${workflow++}` };
	return await activate({ ...fleet, ...of }, { node, parameters, settings });
}

/** Triggers that have polled as often as it takes until they know of each other. */
async function polling(
	count: number,
	parameters: (index: number) => INodeParameters,
	node?: string,
) {
	const all: Trigger[] = [];
	for (let index = 0; index < count; index++) {
		all.push(await trigger(parameters(index), {}, node));
	}
	for (let minute = 0; minute < 3; minute++) {
		await Promise.all(all.map(async ({ poll }) => await poll()));
		fleet.clock.advance(60_000);
	}
	fleet.forget();
	return all;
}

const both = { events: ['started', 'completed'], output: 'raw' };
const told = (items: IDataObject[] | null) =>
	(items ?? []).map(({ event, id }) => `${event as string} ${id as string}`);

const start = (durationMs = 1_000) =>
	startTaskNow(fleet.world, {
		type: 'download',
		siteIds: [fleet.world.store.sites.peek()[0]!.id],
		durationMs,
	}).id;

const lists = () => fleet.sent().filter(({ route }) => route === 'GET /tasks').length;

describe('twenty triggers', () => {
	it('with the same query cost what one costs, whatever else they have chosen', async () => {
		const events = ['started', 'completed', 'failed', 'cancelled'];
		const all = await polling(20, (index) => ({ ...both, events: events.slice(index % 4) }));
		for (let minute = 0; minute < 5; minute++) {
			await Promise.all(all.map(async ({ poll }) => await poll()));
			fleet.clock.advance(60_000);
		}
		expect(fleet.sent()).toHaveLength(5);
	});

	it('that poll one after the other do so for ten seconds after an answer, and not once the clock was set', async () => {
		const all = await polling(20, () => both);
		for (const { poll } of all.slice(0, 16)) await poll();
		fleet.clock.advance(10_000);
		await all[16]!.poll();
		expect(lists()).toBe(1);
		fleet.clock.advance(1);
		await all[17]!.poll();
		expect(lists()).toBe(2);
		useClock({ now: () => fleet.clock.now() - 3_600_000, sleep: () => {} });
		await all[18]!.poll();
		expect(lists()).toBe(3);
	});

	it('with different queries share nothing', async () => {
		const taskTypes = ['download', 'migrate', 'report', 'restore', 'speed', 'upload'];
		const all = await polling(6, (index) => ({
			...both,
			filters: { taskTypes: [taskTypes[index]!] },
		}));
		await Promise.all(all.map(async ({ poll }) => await poll()));
		expect(lists()).toBe(6);
	});

	it('of a state do so, too', async () => {
		const events = ['disconnected', 'reconnected', 'malwareFound', 'malwareCleared', 'down', 'up'];
		const all = await polling(20, () => ({ events }), 'siteTrigger');
		await Promise.all(all.map(async ({ poll }) => await poll()));
		expect(fleet.sent()).toHaveLength(3);
	});

	it('with another token or address share nothing with them', async () => {
		const all = await polling(2, () => both);
		const other = fleet.baseUrl.replace('127.0.0.1', 'localhost');
		const elsewhere = await trigger(both, { baseUrl: other });
		for (let minute = 0; minute < 2; minute++) {
			await elsewhere.poll();
			fleet.clock.advance(60_000);
		}
		fleet.forget();
		await Promise.all([...all, elsewhere].map(async ({ poll }) => await poll()));
		expect(lists()).toBe(2);
	});
});

describe('each trigger has each event once', () => {
	it('where one has stood still for an hour', async () => {
		const all = await polling(3, () => both);
		const ids: string[] = [];
		for (let minute = 0; minute < 60; minute++) {
			if (minute % 10 === 0) ids.push(start());
			for (const { poll } of all.slice(1)) await poll();
			fleet.clock.advance(60_000);
		}
		fleet.forget();
		const [late, ...others] = all;
		for (const { poll } of others) expect(await poll()).toBeNull();
		const events = told(await late!.poll());
		expect(events).toEqual(ids.flatMap((id) => [`started ${id}`, `completed ${id}`]));
		// Nobody reads an hour for its sake.
		expect(lists()).toBe(2);
	});
});

describe('what is not shared', () => {
	it('a trigger never has a list that is older than what it has seen', async () => {
		const [one, other] = await polling(2, () => both);
		await one!.poll();
		fleet.clock.advance(1_000);
		await other!.poll();
		expect(lists()).toBe(1);
		fleet.clock.advance(1_000);
		const id = start();
		// It has had the reading of the first one already.
		expect(told(await other!.poll())).toEqual([`started ${id}`]);
		expect(told(await one!.poll())).toEqual([`started ${id}`]);
		expect(lists()).toBe(2);
	});

	it('what was read before an activation or an edit does not count for what begins with it', async () => {
		const [one, other] = await polling(2, (index) => ({
			...both,
			...(index > 0 && { events: ['completed'] }),
		}));
		await one!.poll();
		fleet.clock.advance(1_000);
		const before = start(100_000);
		fleet.clock.advance(1_000);
		await other!.change(both);
		// It was started before that was chosen.
		expect(told(await other!.poll())).toEqual([]);
		fleet.clock.advance(60_000);
		expect(told(await other!.poll())).toEqual([]);
		await one!.poll();
		fleet.clock.advance(1_000);
		const site = await polling(
			2,
			() => ({ events: ['disconnected', 'reconnected'] }),
			'siteTrigger',
		);
		await site[0]!.poll();
		fleet.world.store.sites.get(fleet.world.store.sites.peek()[0]!.id)!.connection.status =
			'disconnected' as never;
		site[1]!.reactivate();
		await site[1]!.poll();
		fleet.clock.advance(60_000);
		expect(await site[1]!.poll()).toBeNull();
		fleet.clock.advance(60_000);
		expect(told(await other!.poll())).toEqual([`completed ${before}`]);
	});

	it('a failure: whoever waited for it asks for himself', async () => {
		const all = await polling(4, () => both);
		const id = start();
		fleet.clock.advance(2_000);
		await fleet.admin.post('/faults', { wrong_answers: { kind: 'html', next: 1 } });
		const polls = await Promise.all(
			all.map(async ({ poll }) => await poll().then(told, (error: Error) => error.message)),
		);
		const failed = polls.filter((each) => typeof each === 'string');
		expect(failed).toHaveLength(1);
		for (const [index, { poll }] of all.entries()) {
			const given = polls[index]!;
			const events = typeof given === 'string' ? told(await poll()) : given;
			expect(events).toEqual([`started ${id}`, `completed ${id}`]);
		}
	});

	it('a workflow that changes its items does not change those of others', async () => {
		const all = await polling(3, () => both);
		start(100_000);
		const [first, ...others] = await Promise.all(all.map(async ({ poll }) => await poll()));
		(first![0]!.input as { sites: unknown[] }).sites.length = 0;
		for (const items of others) {
			expect((items![0]!.input as { sites: unknown[] }).sites).toHaveLength(1);
		}
	});
});
