import { casesOf, fc, type Made, PATIENCE_MS } from '../../support/effort';
import { operationRun, runNode } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { startGate, type Gate } from '../../support/gate';
import { locator } from '../../support/locator';
import { useClock } from '../../support/transportClock';

/**
 * Adds and removes of one process and of two, in any order of their requests. One process loses nothing. Of two, every
 * difference between what was sent and the one reading after it is an error with both lists; nothing is sent twice.
 */

/** Time that goes on when all that runs waits: for the gate to open, or for a time. */
class World {
	now = Date.parse('2030-01-01T00:00:00Z');

	private sleepers: Array<{ until: number; wake: () => void }> = [];

	private held: Array<{ since: number; open: () => Promise<void> }> = [];

	private arrivals = 0;

	constructor(private readonly choose: (most: number) => number) {}

	sleep = async (ms: number): Promise<void> => {
		this.arrivals += 1;
		await new Promise<void>((wake) => this.sleepers.push({ until: this.now + ms, wake }));
	};

	hold = async (forward: () => Promise<void>): Promise<void> => {
		this.arrivals += 1;
		await new Promise<void>((resolve, reject) => {
			const open = async () => await forward().then(resolve, reject);
			this.held.push({ since: this.now, open });
		});
	};

	/** Nothing new has come for a while. */
	private async quiet(): Promise<void> {
		for (let before = -1; before !== this.arrivals;) {
			before = this.arrivals;
			await new Promise((resolve) => setTimeout(resolve, 12));
		}
	}

	async until(isOver: () => boolean): Promise<void> {
		for (;;) {
			await this.quiet();
			if (isOver()) return;
			if (this.held.length > 0) {
				// A request takes up to half a second; one that has waited for longer goes first.
				const late = this.held.findIndex(({ since }) => this.now - since > 500);
				const next = late >= 0 ? late : this.choose(this.held.length - 1);
				const [request] = this.held.splice(next, 1);
				this.now += this.choose(100);
				await request!.open();
			} else {
				this.sleepers.sort((a, b) => a.until - b.until);
				const first = this.sleepers.shift();
				if (!first) continue;
				this.now = Math.max(this.now, first.until);
				first.wake();
			}
		}
	}
}

const deed = (most: 0 | 1, latest = 1_500) =>
	fc.record({
		/** Each goes through a gate of its own, and shares nothing but the service. */
		process: fc.integer({ min: 0, max: most }),
		how: fc.constantFrom('add', 'remove'),
		sites: fc.integer({ min: 1, max: 2 }),
		again: fc.boolean(),
		/** When it begins, in milliseconds. */
		at: fc.integer({ min: 0, max: latest }),
	});
type Deed = Made<ReturnType<typeof deed>>;

/** A request that was answered, and the list directly after it. */
interface Seen {
	process: number;
	isRead: boolean;
	list: string[];
}

const fleet = fleetEach({ sites: 60 });
let free: string[];

beforeEach(async () => {
	const all = await fleet.sites(60);
	free = all.filter((site) => site.client === null).map(({ id }) => id);
});

jest.setTimeout(PATIENCE_MS);

const BEFORE = 6;

/** Does deeds at once. @returns what is wrong at the end, the messages of errors, and all requests with their runs */
async function play(deeds: Deed[], choices: number[]) {
	const left = [...choices];
	const world = new World((most) => (left.shift() ?? 0) % (most + 1));
	useClock({ now: () => world.now, sleep: () => undefined });
	const { clock } = require('../../../dist/nodes/shared/lib') as {
		clock: { sleep: (ms: number) => Promise<void> };
	};
	clock.sleep = async (ms) => await (ms > 0 ? world.sleep(ms) : Promise.resolve());

	const before = free.slice(0, BEFORE);
	const { data } = await fleet.api.post('/clients', {
		client: { email: 'own@example.com', site_ids: before },
	});
	const { id } = data.client;
	const seen: Seen[] = [];
	const listNow = () => {
		const sites = fleet.world.store.sites.peek();
		return sites.flatMap((site) => (site.internal.client_id === id ? [site.id] : []));
	};
	const gates: Gate[] = await Promise.all(
		[0, 1].map(async (process) => {
			const pass = async (route: string, forward: () => Promise<void>) =>
				await world.hold(async () => {
					await forward();
					seen.push({ process, isRead: route.startsWith('GET '), list: listNow() });
				});
			return await startGate(fleet, pass);
		}),
	);
	const pools = { add: free.slice(BEFORE), remove: [...before] };
	const wanted = new Map(before.map((site) => [site, true]));
	const errors: string[] = [];
	let [running, runs] = [deeds.length, 0];
	const run = async ({ process, how, sites, again, at }: Deed) => {
		const siteIds = pools[how].splice(0, sites);
		if (siteIds.length === 0) return;
		const node = operationRun('client', `${how}Sites`, { clientId: locator(id), siteIds });
		for (const site of siteIds) wanted.set(site, how === 'add');
		if (at > 0) await world.sleep(at);
		for (let time = 0; time < (again ? 2 : 1); time++) {
			runs += 1;
			const { error } = await runNode(gates[process]!, node);
			if (error) errors.push(error.message);
		}
	};
	for (const each of deeds) void run(each).finally(() => (running -= 1));
	await world.until(() => running === 0);
	await Promise.all(gates.map(async (gate) => await gate.close()));
	const { data: after } = await fleet.api.get(`/clients/${id}`);
	const there = new Set(after.client.site_ids as string[]);
	await fleet.api.post('/clients/delete', { ids: [id] });
	const wrong = [...wanted].filter(([site, isThere]) => there.has(site) !== isThere);
	return { wrong, errors, seen, runs };
}

/** What each reading directly after a change shows to be otherwise than it was sent. */
function differences(seen: Seen[]) {
	return [0, 1].flatMap((process) => {
		const own = seen.filter((each) => each.process === process);
		return own.flatMap(({ isRead, list: sent }, index) => {
			if (isRead) return [];
			const [before, now] = [own[index - 1], own[index + 1]];
			if (!now?.isRead) throw new Error('The record was not read after the change');
			const missing = sent.filter((site) => !now.list.includes(site));
			const removed = before!.list.filter((site) => !sent.includes(site));
			const undone = removed.filter((site) => now.list.includes(site));
			return missing.length + undone.length > 0
				? [{ sites: [...missing, ...undone], sent, now: now.list }]
				: [];
		});
	});
}

const choices = fc.array(fc.nat(1_000), { minLength: 60, maxLength: 120 });

it('of one process nothing is lost, and nothing fails', async () => {
	const deeds = fc.array(deed(0), { minLength: 2, maxLength: 6 });
	const judge = async (some: Deed[], chosen: number[]) => {
		expect(await play(some, chosen)).toMatchObject({ wrong: [], errors: [] });
	};
	const numRuns = casesOf('LISTS', { quick: 8, long: 400 });
	const property = fc.asyncProperty(deeds, choices, judge);
	await fc.assert(property, { numRuns, endOnFailure: true });
});

it('of two processes each loss that is there when the list is read again is an error', async () => {
	const deeds = fc.array(deed(1, 50), { minLength: 2, maxLength: 5 });
	const judge = async (some: Deed[], chosen: number[]) => {
		const { errors, seen, runs } = await play(some, chosen);
		const found = differences(seen);
		expect(errors).toHaveLength(found.length);
		for (const { sites, sent, now } of found) {
			const all = [...sites, ...sent, ...now];
			const isNamed = (error: string) =>
				all.every((site) => error.includes(site)) && /\(sent: .*; now: .*\)/.test(error);
			expect(errors.filter(isNamed)).not.toEqual([]);
		}
		expect(seen.filter(({ isRead }) => !isRead).length).toBeLessThanOrEqual(runs);
	};
	const numRuns = casesOf('LISTS', { quick: 20, long: 600 });
	const property = fc.asyncProperty(deeds, choices, judge);
	await fc.assert(property, { numRuns, endOnFailure: true });
});
