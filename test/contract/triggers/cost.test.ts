import { takeViolations } from '../../support/checkAnswers';
import { isLong } from '../../support/effort';
import { activate, eventsOf } from '../../support/engine';
import { fleetOnce, inStep, startFleet, type Fleet } from '../../support/fleet';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { locator } from '../../support/locator';
import { HOUR, MINUTE } from '../../support/watching';

/** What a poll costs when nothing has happened, whatever the size of the fleet, and when much has; see docs/triggers.md. */

// With 5,000, states have more sites than a page holds.
const SIZES = isLong ? [100, 1_000, 5_000, 10_000] : [100, 5_000];
const LARGE = isLong ? 10_000 : 2_000;

describe.each(SIZES)('with %i sites', (sites) => {
	const fleet = fleetOnce({ sites });
	beforeAll(() => {
		inStep(fleet);
		// What the fleet begins with has ended by then.
		fleet.clock.advance(HOUR);
	});

	it.each<[string, string[] | 'all', number]>([
		['taskTrigger', 'all', 1],
		['autoUpdateTrigger', 'all', 1],
		// One for each list that the chosen events need.
		['siteTrigger', 'all', 4],
		['siteTrigger', ['disconnected', 'reconnected'], 1],
		// And once an hour the list of sites.
		['backupTrigger', 'all', 3],
		['backupTrigger', ['backupFinished', 'backupFailed'], 1],
		['backupTrigger', ['restoreFailed'], 1],
		['backupTrigger', ['restoreFinished', 'migrationFailed'], 2],
		['backupTrigger', ['otherStatus'], 3],
		['backupTrigger', ['backupOverdue'], 0],
		['activityLogTrigger', 'all', 1],
	])('a quiet poll of %s for %s: %i', async (node, chosen, requests) => {
		const events = chosen === 'all' ? await eventsOf(node) : chosen;
		const { sites } = fleet.world.store;
		const site = sites.peek().find(({ activity_logs }) => activity_logs.enabled)!;
		const parameters = events.length > 0 ? { events } : { siteId: locator(site.id) };
		const { poll } = await activate(fleet, { node, parameters });
		await poll();
		fleet.clock.advance(5 * MINUTE);
		await poll();
		fleet.forget();
		expect(await poll()).toBeNull();
		expect(fleet.sent()).toHaveLength(requests);
	});
});

/** Tells what docs/triggers.md says. */
const tell = (what: string, count: number | string) => process.stdout.write(`${what}: ${count}\n`);

describe('when much has happened at once', () => {
	let fleet: Fleet;
	let rows: SiteRow[];
	afterEach(async () => await fleet.close());

	/** A trigger over a fleet whose sites all have this status. */
	async function start(sites: number, node: string, events: string[], status = 'connected') {
		fleet = await startFleet({ sites });
		inStep(fleet);
		fleet.clock.advance(HOUR);
		const { store } = fleet.world;
		rows = store.sites.all().map(({ id }) => store.sites.get(id)!);
		become(sites, status);
		const { poll, state } = await activate(fleet, { node, parameters: { events } });
		/** How many items a poll has, and what it costs. */
		const cost = async () => {
			fleet.forget();
			const items = await poll();
			return [items?.length ?? 0, fleet.sent().length] as const;
		};
		return { cost, state: () => JSON.stringify(state()).length };
	}

	function become(count: number, status: string): void {
		for (const site of rows.slice(0, count)) {
			site.connection.status = status as never;
			site.updated_at = fleet.world.timestamp();
		}
	}

	const STATES = ['disconnected', 'reconnected'];

	it.each([3_000, ...(isLong ? [10_000] : [])])('%i tasks: a request a page', async (count) => {
		const { cost, state } = await start(5, 'taskTrigger', ['completed', 'started']);
		await cost();
		const order = { type: 'speed', siteIds: [rows[0]!.id], durationMs: 1, step: { types: [] } };
		for (let index = 0; index < count; index++) {
			if (index % 10 === 0) fleet.clock.advance(100);
			startTaskNow(fleet.world, order as never);
		}
		fleet.clock.advance(MINUTE);
		fleet.world.catchUp();
		const [items, requests] = await cost();
		expect(items).toBe(2 * count);
		tell(`requests for ${count} tasks that start and complete`, requests);
		tell('  characters that n8n keeps after them', state());
		// A page begins with the ten of the time that the last one ended with.
		expect(requests).toBeLessThanOrEqual(count / 90 + 3);
		expect(state()).toBeLessThan(65_536);
		expect((await cost())[0]).toBe(0);
	});

	it('2,000 sites that are gone and come back: a request a page of them', async () => {
		const { cost } = await start(2_000, 'siteTrigger', STATES);
		await cost();
		for (const [name, status] of Object.entries({ gone: 'disconnected', back: 'connected' })) {
			fleet.clock.advance(5 * MINUTE);
			become(2_000, status);
			const [items, requests] = await cost();
			expect(items).toBe(2_000);
			tell(`requests for 2,000 sites that are ${name}`, requests);
			expect(requests).toBeLessThanOrEqual(22);
			expect((await cost())[0]).toBe(0);
		}
	});

	it('40 of 2,000 sites in a third state: one check of each, and no reading of all good sites', async () => {
		const { cost } = await start(2_000, 'siteTrigger', STATES);
		await cost();
		fleet.clock.advance(HOUR);
		become(40, 'disconnected');
		expect((await cost())[0]).toBe(40);
		become(40, 'connecting');
		const costs: Array<readonly [number, number]> = [];
		for (let times = 0; times < 8; times++) {
			fleet.clock.advance(MINUTE);
			costs.push(await cost());
		}
		expect(costs).toEqual([18, 17, 9, 1, 1, 1, 1, 1].map((requests) => [0, requests]));
		become(40, 'connected');
		// They count as gone since.
		expect(await cost()).toEqual([0, 1]);
		// The service of the sandbox never says "connecting".
		takeViolations();
	});

	it(`${LARGE} sites that are disconnected at the activation cost one request a poll after it, and are stored by their IDs`, async () => {
		const { cost, state } = await start(LARGE, 'siteTrigger', STATES, 'disconnected');
		const [, first] = await cost();
		tell(`requests to begin with ${LARGE} disconnected sites`, first);
		expect(first).toBeLessThanOrEqual(LARGE / 100 + 5);
		for (let times = 0; times < 5; times++) {
			fleet.clock.advance(MINUTE);
			expect(await cost()).toEqual([0, 1]);
		}
		const { length } = rows[0]!.id;
		tell(`characters that n8n keeps of ${LARGE} disconnected sites with ids of ${length}`, state());
		expect(state()).toBeLessThan(LARGE * (length + 1) + 2_000);
		fleet.clock.advance(MINUTE);
		become(1, 'connected');
		expect((await cost())[0]).toBe(1);
	});
});
