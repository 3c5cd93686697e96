import type { INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { activate } from '../../support/engine';
import { type Fleet, fleetEach, inStep } from '../../support/fleet';
import { useClock } from '../../support/transportClock';
import { HOUR, MINUTE, told } from '../../support/watching';

/** Triggers of one account that read the same list together: what it costs, and that each still has each event once. */

const fleet = fleetEach({ sites: 5 });
let workflow = 0;

beforeEach(() => {
	inStep(fleet);
	fleet.clock.advance(HOUR);
});

type Trigger = Awaited<ReturnType<typeof activate>>;

/** A trigger of its own workflow. */
async function trigger(parameters: INodeParameters, of: Partial<Fleet> = {}, node = 'taskTrigger') {
	const settings = { id: `shared-${workflow++}` };
	return await activate({ ...fleet, ...of }, { node, parameters, settings });
}

const pollAll = async (all: Trigger[]) => await Promise.all(all.map(async ({ poll }) => poll()));

/** A poll of each a minute. */
async function pass(all: Trigger[], minutes: number) {
	for (let minute = 0; minute < minutes; minute++) {
		await pollAll(all);
		fleet.clock.advance(MINUTE);
	}
}

/** Triggers that have polled as often as it takes until they know of each other. */
async function polling(
	count: number,
	parameters: (index: number) => INodeParameters = () => both,
	node?: string,
) {
	const all: Trigger[] = [];
	for (let index = 0; index < count; index++) all.push(await trigger(parameters(index), {}, node));
	await pass(all, 3);
	fleet.forget();
	return all;
}

const both = { events: ['started', 'completed'], output: 'raw' };

const start = (durationMs = 1_000) => {
	const siteIds = [fleet.world.store.sites.peek()[0]!.id];
	return startTaskNow(fleet.world, { type: 'download', siteIds, durationMs }).id;
};

const lists = () => fleet.routes().filter((route) => route === 'GET /tasks').length;

describe('twenty triggers', () => {
	it('with the same query cost what one costs, whatever else they have chosen', async () => {
		const events = ['started', 'completed', 'failed', 'cancelled'];
		const all = await polling(20, (index) => ({ ...both, events: events.slice(index % 4) }));
		await pass(all, 5);
		expect(fleet.sent()).toHaveLength(5);
	});

	it('that poll one after the other do so for ten seconds after an answer, and not once the clock was set', async () => {
		const all = await polling(20);
		for (const { poll } of all.slice(0, 16)) await poll();
		fleet.clock.advance(10_000);
		await all[16]!.poll();
		expect(lists()).toBe(1);
		fleet.clock.advance(1);
		await all[17]!.poll();
		expect(lists()).toBe(2);
		useClock({ now: () => fleet.clock.now() - HOUR, sleep: () => {} });
		await all[18]!.poll();
		expect(lists()).toBe(3);
	});

	it('of a state do so, too; with different queries, a token or an address of their own they do not', async () => {
		const events = ['disconnected', 'reconnected', 'malwareFound', 'malwareCleared', 'down', 'up'];
		await pollAll(await polling(20, () => ({ events }), 'siteTrigger'));
		expect(fleet.sent()).toHaveLength(3);
		const types = ['download', 'migrate', 'report', 'restore', 'speed', 'upload'];
		const filters = (index: number) => ({ ...both, filters: { taskTypes: [types[index]!] } });
		await pollAll(await polling(6, filters));
		expect(lists()).toBe(6);
		const all = await polling(2);
		const baseUrl = fleet.baseUrl.replace('127.0.0.1', 'localhost');
		const elsewhere = await trigger(both, { baseUrl });
		await pass([elsewhere], 2);
		fleet.forget();
		await pollAll([...all, elsewhere]);
		expect(lists()).toBe(2);
	});
});

describe('each trigger has each event once', () => {
	it('where one has stood still for an hour', async () => {
		const [late, ...others] = await polling(3);
		const ids: string[] = [];
		for (let ten = 0; ten < 6; ten++) {
			ids.push(start());
			await pass(others, 10);
		}
		fleet.forget();
		for (const { poll } of others) expect(await poll()).toBeNull();
		const events = ids.flatMap((id) => [`started ${id}`, `completed ${id}`]);
		expect(told(await late!.poll())).toEqual(events.sort());
		// Nobody reads an hour for its sake.
		expect(lists()).toBe(2);
	});

	it('never from a list that is older than what it has seen', async () => {
		const [one, other] = await polling(2);
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
		const events = (index: number) => ({ ...both, ...(index > 0 && { events: ['completed'] }) });
		const [one, other] = await polling(2, events);
		await one!.poll();
		fleet.clock.advance(1_000);
		const before = start(100_000);
		fleet.clock.advance(1_000);
		await other!.change(both);
		// It was started before that was chosen.
		expect(await other!.poll()).toBeNull();
		fleet.clock.advance(MINUTE);
		expect(await other!.poll()).toBeNull();
		const states = { events: ['disconnected', 'reconnected'] };
		const [first, second] = await polling(2, () => states, 'siteTrigger');
		await first!.poll();
		const { sites } = fleet.world.store;
		sites.get(sites.peek()[0]!.id)!.connection.status = 'disconnected';
		second!.reactivate();
		await second!.poll();
		fleet.clock.advance(MINUTE);
		expect(await second!.poll()).toBeNull();
		fleet.clock.advance(MINUTE);
		expect(told(await other!.poll())).toEqual([`completed ${before}`]);
	});

	it('where one fails: whoever waited for it asks for himself', async () => {
		const all = await polling(4);
		const id = start();
		fleet.clock.advance(2_000);
		await fleet.admin.post('/faults', { wrong_answers: { kind: 'html', next: 1 } });
		const polls = await Promise.allSettled(all.map(async ({ poll }) => await poll()));
		expect(polls.filter(({ status }) => status === 'rejected')).toHaveLength(1);
		for (const [index, { poll }] of all.entries()) {
			const given = polls[index]!;
			const items = given.status === 'fulfilled' ? given.value : await poll();
			expect(told(items)).toEqual([`completed ${id}`, `started ${id}`]);
		}
	});
});

it('a workflow that changes its items does not change those of others', async () => {
	const all = await polling(3);
	start(100_000);
	const [first, ...others] = await pollAll(all);
	const sitesOf = (items: typeof first) => (items![0]!.input as { sites: unknown[] }).sites;
	sitesOf(first!).length = 0;
	for (const items of others) expect(sitesOf(items)).toHaveLength(1);
});
