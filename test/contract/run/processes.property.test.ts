import { casesOf, fc, PATIENCE_MS } from '../../support/effort';
import { runNode, type NodeRun } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { startGate, type Gate } from '../../support/gate';
import { locator } from '../../support/locator';
import { useClock } from '../../support/transportClock';

/**
 * Adds and removes of one process and of two, in any order of their requests: what succeeded is so at the end, and
 * what was there before is there, or an error has said so.
 */

interface Deed {
	/** The process that does it; each goes through a gate of its own, and shares nothing but the service. */
	process: 0 | 1;
	how: 'add' | 'remove';
	/** How many sites. */
	sites: number;
	/** Whether it is done twice. */
	again: boolean;
	/** When it begins, in milliseconds. */
	at: number;
}

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

const deed = (most: 0 | 1): fc.Arbitrary<Deed> =>
	fc.record({
		process: fc.integer({ min: 0, max: most }) as fc.Arbitrary<0 | 1>,
		how: fc.constantFrom('add', 'remove'),
		sites: fc.integer({ min: 1, max: 2 }),
		again: fc.boolean(),
		at: fc.integer({ min: 0, max: 1_500 }),
	});

let fleet: Fleet;
let free: string[];

beforeEach(async () => {
	fleet = await startFleet({ sites: 60 });
	const all = await fleet.sites(60);
	free = all.filter((site) => site.client === null).map(({ id }) => id);
});
afterEach(async () => await fleet.close());

const BEFORE = 6;

/** Does deeds at once. @returns what is wrong at the end, and how many errors there were */
async function play(deeds: Deed[], choices: number[]) {
	const left = [...choices];
	const world = new World((most) => (left.shift() ?? 0) % (most + 1));
	useClock({ now: () => world.now, sleep: () => undefined });
	const { clock } = require('../../../dist/nodes/shared/client/clock') as {
		clock: { sleep: (ms: number) => Promise<void> };
	};
	clock.sleep = async (ms) => await (ms > 0 ? world.sleep(ms) : Promise.resolve());

	const before = free.slice(0, BEFORE);
	const { data } = await fleet.api.post('/clients', {
		client: { email: 'own@example.com', site_ids: before },
	});
	const { id } = data.client;
	const gates: Gate[] = await Promise.all(
		[0, 1].map(async () => await startGate(fleet, async (_, forward) => await world.hold(forward))),
	);
	const pools = { add: free.slice(BEFORE), remove: [...before] };
	const wanted = new Map(before.map((site) => [site, true]));
	const exempt = new Set<string>();
	let running = 0;
	let errors = 0;
	const run = async ({ process, how, sites, again, at }: Deed) => {
		const entries = pools[how].splice(0, sites);
		if (entries.length === 0) return;
		const node: NodeRun = {
			node: 'client',
			parameters: {
				...{ resource: 'client', operation: `${how}Sites`, clientId: locator(id) },
				siteIds: entries,
			},
		};
		for (const entry of entries) wanted.set(entry, how === 'add');
		if (at > 0) await world.sleep(at);
		for (let time = 0; time < (again ? 2 : 1); time++) {
			const { error } = await runNode(gates[process]!, node);
			if (!error) continue;
			errors += 1;
			for (const entry of [...entries, ...before]) {
				if (error.message.includes(entry)) exempt.add(entry);
			}
		}
	};
	for (const each of deeds) {
		running += 1;
		void run(each).finally(() => (running -= 1));
	}
	await world.until(() => running === 0);
	await Promise.all(gates.map(async (gate) => await gate.close()));
	const { data: after } = await fleet.api.get(`/clients/${id}`);
	const there = new Set(after.client.site_ids as string[]);
	await fleet.api.post('/clients/delete', { ids: [id] });
	const wrong = [...wanted].filter(
		([site, isThere]) => there.has(site) !== isThere && !exempt.has(site),
	);
	return { wrong: wrong.map(([site, isThere]) => `${site} should be ${isThere}`), errors };
}

const choices = fc.array(fc.nat(1_000), { minLength: 0, maxLength: 120 });

it(
	'of one process nothing is lost, and nothing fails',
	async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(deed(0), { minLength: 2, maxLength: 6 }),
				choices,
				async (deeds, chosen) => {
					expect(await play(deeds, chosen)).toEqual({ wrong: [], errors: 0 });
				},
			),
			{ numRuns: casesOf('LISTS', { quick: 8, long: 400 }), endOnFailure: true },
		);
	},
	PATIENCE_MS,
);

it(
	'of two processes nothing is lost that no error tells',
	async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(deed(1), { minLength: 2, maxLength: 5 }),
				choices,
				async (deeds, chosen) => {
					const { wrong } = await play(deeds, chosen);
					expect(wrong).toEqual([]);
				},
			),
			{ numRuns: casesOf('LISTS', { quick: 12, long: 600 }), endOnFailure: true },
		);
	},
	PATIENCE_MS,
);
