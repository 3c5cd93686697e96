import type { InternalAxiosRequestConfig } from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import { takeViolations } from '../../support/checkAnswers';
import { isLong, PATIENCE_MS } from '../../support/effort';
import { activate, eventsOf, startNode } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { axios } from '../../support/n8nAxios';
import { VirtualTime } from '../../support/virtualTime';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { locator } from '../../support/locator';

/**
 * What a poll costs when nothing has happened, whatever the size of the fleet, and when much has; see docs/triggers.md.
 * What many triggers leave to a run of another node.
 */

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

	it.each<[string, string[] | 'all', number]>([
		['taskTrigger', 'all', 1],
		['autoUpdateTrigger', 'all', 1],
		['reportTrigger', ['created'], 1],
		// One for each list that the chosen events need.
		['siteTrigger', 'all', 4],
		['siteTrigger', ['disconnected', 'reconnected'], 1],
		// And once an hour the list of sites.
		['backupTrigger', 'all', 3],
		['backupTrigger', ['backupFailed', 'backupFinished'], 1],
		['backupTrigger', ['restoreFailed'], 1],
	])('%s for %s: %i', async (node, chosen, requests) => {
		const events = chosen === 'all' ? await eventsOf(node) : chosen;
		expect(await requestsOfAQuietPoll(node, { events })).toBe(requests);
	});

	it('activityLogTrigger: one', async () => {
		const { world } = fleet;
		const site = world.store.sites.peek().find(({ activity_logs }) => activity_logs.enabled)!;
		const parameters = { siteId: locator(site.id) };
		expect(await requestsOfAQuietPoll('activityLogTrigger', parameters)).toBe(1);
	});
});

/** Tells what docs/triggers.md says. */
const tell = (what: string, count: number | string) => process.stdout.write(`${what}: ${count}\n`);

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
			for (const site of all) {
				site.connection.status = status as never;
				site.updated_at = fleet.world.timestamp();
			}
			fleet.forget();
			expect(await poll()).toHaveLength(2_000);
			tell(`requests for 2,000 sites that are ${name}`, fleet.sent().length);
			expect(fleet.sent().length).toBeLessThanOrEqual(22);
			expect(await poll()).toBeNull();
		}
	});

	it('40 of 2,000 sites in a third state: one check of each, and no reading of all good sites', async () => {
		await start(2_000);
		const { sites } = fleet.world.store;
		const all = sites.all().map(({ id }) => sites.get(id)!);
		const become = (count: number, status: string) => {
			for (const site of all.slice(0, count)) {
				site.connection.status = status as never;
				site.updated_at = fleet.world.timestamp();
			}
		};
		become(2_000, 'connected');
		const { poll } = await activate(fleet, {
			node: 'siteTrigger',
			parameters: { events: ['disconnected', 'reconnected'] },
		});
		await poll();
		fleet.clock.advance(3_600_000);
		become(40, 'disconnected');
		expect(await poll()).toHaveLength(40);
		become(40, 'connecting');
		const costs: number[] = [];
		for (let times = 0; times < 8; times++) {
			fleet.clock.advance(60_000);
			fleet.forget();
			expect(await poll()).toBeNull();
			costs.push(fleet.sent().length);
		}
		tell('requests a poll for 40 sites in a third state', Math.max(...costs.slice(3)));
		expect(costs).toEqual([18, 17, 9, 1, 1, 1, 1, 1]);
		become(40, 'connected');
		fleet.forget();
		// They count as gone since.
		expect(await poll()).toBeNull();
		expect(fleet.sent()).toHaveLength(1);
		// The service of the sandbox never says "connecting".
		takeViolations();
	});

	it(`${LARGE} sites that are disconnected at the activation cost one request a poll after it`, async () => {
		await start(LARGE);
		const { sites } = fleet.world.store;
		for (const { id } of sites.all()) {
			const site = sites.get(id)!;
			site.connection.status = 'disconnected';
			site.updated_at = fleet.world.timestamp();
		}
		const { poll } = await activate(fleet, {
			node: 'siteTrigger',
			parameters: { events: ['disconnected', 'reconnected'] },
		});
		const costs: number[] = [];
		const pollOnce = async () => {
			fleet.forget();
			const items = await poll();
			costs.push(fleet.sent().length);
			fleet.clock.advance(60_000);
			return items?.length ?? 0;
		};
		await pollOnce();
		tell(`requests to begin with ${LARGE} disconnected sites`, costs[0]!);
		expect(costs.splice(0)[0]).toBeLessThanOrEqual(LARGE / 100 + 5);
		for (let times = 0; times < 5; times++) expect(await pollOnce()).toBe(0);
		expect(costs.splice(0)).toEqual([1, 1, 1, 1, 1]);
		const [one] = sites.all();
		const site = sites.get(one!.id)!;
		site.connection.status = 'connected';
		site.updated_at = fleet.world.timestamp();
		expect(await pollOnce()).toBe(1);
	});

	it(`${LARGE} disconnected sites are stored by their IDs`, async () => {
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

// Minutes of a hundred triggers take their time on a slow machine.
jest.setTimeout(PATIENCE_MS);

const MINUTE = 60_000;
const ITEMS = 500;

/** A request on its way, by the clock of the fleet. */
interface Arrival {
	at: number;
	/** As `GET /tags/7`. */
	route: string;
	status: number;
}

/**
 * Virtual time over HTTP: n8n and the service have the same clock, which moves on only when no request is under way and
 * nothing else can happen. Each request takes a while there and back.
 */
function fleetTime(fleet: Fleet, tripMs = 60) {
	let underWay = 0;
	const time = new VirtualTime({
		isBusy: () => underWay > 0,
		start: fleet.clock.now(),
		moved: (ms) => fleet.clock.advance(ms),
	});
	const { clock } = require('../../../dist/nodes/shared/lib') as { clock: object };
	Object.assign(clock, { now: time.now, steady: time.now, sleep: time.sleep, guard: time.sleep });
	const arrivals: Arrival[] = [];
	const { adapter } = axios.defaults;
	const send = axios.getAdapter(['http']);
	axios.defaults.adapter = async (config: InternalAxiosRequestConfig) => {
		await time.sleep(tripMs / 2);
		const at = time.now();
		underWay += 1;
		const answer = await send(config).finally(() => (underWay -= 1));
		const { method = '', url = '' } = config;
		arrivals.push({ at, route: `${method.toUpperCase()} ${url}`, status: answer.status });
		await time.sleep(tripMs / 2);
		return answer;
	};
	const end = () => void (axios.defaults.adapter = adapter);
	return { time, arrivals, end };
}

/** Whether a request is of the run, and not of a poll. */
const isOfRun = ({ route }: Arrival) => route.includes('/tags/');

/** The requests by the windows of the service: each begins with the first request after the one before. */
function windowsOf(arrivals: Arrival[]): Arrival[][] {
	const windows: Arrival[][] = [];
	for (const arrival of arrivals) {
		const [first] = windows.at(-1) ?? [];
		if (first && arrival.at < first.at + MINUTE) windows.at(-1)!.push(arrival);
		else windows.push([arrival]);
	}
	return windows;
}

describe.each(['get', 'update'])('during a run of 500 items: %s', (operation) => {
	let fleet: Fleet;
	let end = () => {};
	afterEach(async () => {
		end();
		await fleet.close();
	});

	/** Triggers that poll each minute, each for a site of its own, so that they have no list in common. */
	async function play(count: number) {
		fleet = await startFleet({ sites: 120, rateLimit: { limit: 200 } });
		const { time, arrivals, end: stop } = fleetTime(fleet);
		end = stop;
		const events = (await eventsOf('siteTrigger')).filter((event) => event !== 'siteAdded');
		const triggers = await Promise.all(
			fleet.world.store.sites
				.peek()
				.slice(0, count)
				.map(async ({ id: siteIds }, index) => {
					const parameters = { events, scope: 'sites', siteIds };
					const settings = { id: `${operation}-${count}-${index}` };
					return await activate(fleet, { node: 'siteTrigger', parameters, settings });
				}),
		);
		const errors: Error[] = [];
		const tick = () =>
			triggers.forEach(({ poll }) => void poll().catch((error: Error) => errors.push(error)));
		tick();
		await time.run();
		const begins = time.now() + 5 * MINUTE;
		arrivals.splice(0);
		fleet.forget();
		let done: number | undefined;
		time.at(begins + 100, () => {
			const setName = operation === 'update' && { updateFields: { name: '={{ $json.name }}' } };
			const started = startNode(fleet, {
				node: 'tag',
				parameters: { resource: 'tag', operation, tagId: locator('1'), ...setName },
				items: Array.from({ length: ITEMS }, (_, index) => ({ name: `Tag ${index}` })),
			});
			void started.then(async ({ result }) => {
				const { error, items } = await result;
				done = time.now();
				if (error ?? items.length < ITEMS) errors.push(error ?? new Error('Items are missing'));
			});
		});
		for (let minute = 0; minute < 15 && done === undefined; minute++) {
			time.at(begins + minute * MINUTE, tick);
			await time.run(begins + (minute + 1) * MINUTE - 1);
		}
		const minutes = ((done ?? Infinity) - begins) / MINUTE;
		const ofEach = new Map<unknown, number>();
		for (const { query } of fleet.sent()) {
			const site = query['filters[id:eq]'];
			if (site) ofEach.set(site, (ofEach.get(site) ?? 0) + 1);
		}
		return { arrivals, errors, minutes, ofEach: [...ofEach.values()] };
	}

	it.each([1, 20, 100])('%i triggers leave it a third of each window', async (count) => {
		const { arrivals, errors, minutes, ofEach } = await play(count);
		const own = arrivals.filter(isOfRun);
		const waits = own.slice(1).map(({ at }, index) => at - own[index]!.at);
		// The first one begins before the run, and the last one ends after it.
		const during = windowsOf(arrivals.filter(({ at }) => at <= own.at(-1)!.at)).slice(1, -1);
		const shares = during.map((all) => all.filter(isOfRun).length / all.length);
		tell(
			`${count} triggers beside a run of ${ITEMS} items, ${operation}`,
			[
				`done after ${minutes.toFixed(1)} minutes`,
				`at least ${Math.round(100 * Math.min(...shares))} % of a window`,
				`at most ${Math.round(Math.max(...waits) / 1000)} s between two`,
				`${arrivals.length - own.length} requests of polls`,
			].join(', '),
		);
		expect(errors).toEqual([]);
		expect(own).toHaveLength(ITEMS);
		expect(arrivals.filter(({ status }) => status === 429)).toEqual([]);
		// Of 200 requests a third are 66 whole ones.
		for (const share of shares) expect(share).toBeGreaterThanOrEqual(0.33);
		expect(minutes).toBeLessThan(ITEMS / 66 + 1);
		expect(Math.max(...waits)).toBeLessThanOrEqual(2 * MINUTE);
		expect(ofEach).toHaveLength(count);
		expect(Math.min(...ofEach)).toBeGreaterThan(Math.max(...ofEach) / 2);
	});
});
