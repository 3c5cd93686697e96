import type { INodeParameters } from 'n8n-workflow';
import { isLong } from '../../support/effort';
import { activate, eventsOf } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { locator } from '../../support/locator';

/** What a poll costs when nothing has happened, whatever the size of the fleet, and when much has; see docs/triggers.md. */

// With 5,000, states have more sites than a page holds.
const SIZES = isLong ? [100, 1_000, 5_000, 10_000] : [100, 5_000];
const LARGE = isLong ? 10_000 : 2_000;

describe.each(SIZES)('with %i sites', (sites) => {
	let fleet: Fleet;
	beforeAll(async () => {
		fleet = await startFleet({ sites });
		inStep(fleet);
		// What the fleet begins with has ended by then.
		fleet.clock.advance(3_600_000);
	});

	const requestsOfAQuietPoll = async (node: string, parameters: INodeParameters) => {
		const { poll } = await activate(fleet, { node, parameters });
		await poll();
		fleet.clock.advance(300_000);
		await poll();
		fleet.forget();
		expect(await poll()).toBeNull();
		return fleet.sent().length;
	};

	it.each(['taskTrigger', 'autoUpdateTrigger'])('%s with all its events: one', async (node) => {
		expect(await requestsOfAQuietPoll(node, { events: await eventsOf(node) })).toBe(1);
	});

	it('reportTrigger for new reports: one', async () => {
		expect(await requestsOfAQuietPoll('reportTrigger', { events: ['created'] })).toBe(1);
	});

	it('activityLogTrigger: one', async () => {
		const { world } = fleet;
		const site = world.store.sites.peek().find(({ activity_logs }) => activity_logs.enabled)!;
		const parameters = { siteId: locator(site.id) };
		expect(await requestsOfAQuietPoll('activityLogTrigger', parameters)).toBe(1);
	});

	it('siteTrigger: one for each list that the chosen events need, six for all eleven events', async () => {
		const events = await eventsOf('siteTrigger');
		expect(events).toHaveLength(11);
		expect(await requestsOfAQuietPoll('siteTrigger', { events })).toBe(6);
		expect(
			await requestsOfAQuietPoll('siteTrigger', { events: ['disconnected', 'reconnected'] }),
		).toBe(1);
	});
});

/** Tells what docs/triggers.md says. */
const tell = (what: string, count: number) => process.stdout.write(`${what}: ${count}\n`);

describe('when much has happened at once', () => {
	let fleet: Fleet;
	const start = async (sites: number) => {
		fleet = await startFleet({ sites });
		inStep(fleet);
		fleet.clock.advance(3_600_000);
	};
	afterEach(async () => await fleet.close());

	it.each([3_000, ...(isLong ? [10_000] : [])])('%i tasks: a request a page', async (count) => {
		await start(5);
		const [site] = fleet.world.store.sites.peek();
		const events = ['completed', 'started'];
		const { poll, state } = await activate(fleet, {
			node: 'taskTrigger',
			parameters: { events },
		});
		await poll();
		for (let index = 0; index < count; index++) {
			if (index % 10 === 0) fleet.clock.advance(100);
			startTaskNow(fleet.world, {
				type: 'speed',
				siteIds: [site!.id],
				durationMs: 1,
				step: { types: [] },
			} as never);
		}
		fleet.clock.advance(60_000);
		fleet.world.catchUp();
		fleet.forget();
		expect(await poll()).toHaveLength(2 * count);
		const requests = fleet.sent().length;
		tell(`requests for ${count} tasks that start and complete`, requests);
		tell('  characters that n8n keeps after them', JSON.stringify(state()).length);
		// A page begins with the ten of the time that the last one ended with.
		expect(requests).toBeLessThanOrEqual(count / 90 + 3);
		expect(JSON.stringify(state()).length).toBeLessThan(65_536);
		expect(await poll()).toBeNull();
	});

	it('2,000 sites that are gone and come back: a request a page of them', async () => {
		await start(2_000);
		const { sites } = fleet.world.store;
		const all = sites.all().map(({ id }) => sites.get(id)!);
		for (const site of all) site.connection.status = 'connected';
		const { poll } = await activate(fleet, {
			node: 'siteTrigger',
			parameters: { events: ['disconnected', 'reconnected'] },
		});
		await poll();
		for (const [name, status] of Object.entries({ gone: 'disconnected', back: 'connected' })) {
			fleet.clock.advance(300_000);
			for (const site of all) site.connection.status = status as never;
			fleet.forget();
			expect(await poll()).toHaveLength(2_000);
			tell(`requests for 2,000 sites that are ${name}`, fleet.sent().length);
			expect(fleet.sent().length).toBeLessThanOrEqual(22);
			expect(await poll()).toBeNull();
		}
	});

	it(`${LARGE} disconnected sites are remembered by their ids`, async () => {
		await start(LARGE);
		const { sites } = fleet.world.store;
		for (const { id } of sites.all()) sites.get(id)!.connection.status = 'disconnected';
		const { poll, state } = await activate(fleet, {
			node: 'siteTrigger',
			parameters: { events: ['disconnected'] },
		});
		await poll();
		const { id } = sites.peek()[0]!;
		const size = JSON.stringify(state()).length;
		tell(`characters that n8n keeps of ${LARGE} disconnected sites with ids of ${id.length}`, size);
		expect(size).toBeLessThan(LARGE * (id.length + 1) + 2_000);
	});
});
