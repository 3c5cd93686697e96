import type { Feed, Polled } from '../../../nodes/shared/polling/feed';
import { casesOf, fc } from '../../support/effort';
import {
	activate,
	beginAtNoon,
	MINUTE,
	polledOf,
	SECOND,
	Service,
	settle,
	state,
	time,
	timed,
} from '../../support/pollLists';

/**
 * A poll gets further than the one before, or tells what it has: whatever its time and that of a request, the pages,
 * and how many records have one time.
 */

const RUNS = casesOf('BUDGETS', { quick: 60, long: 5_000 });

interface Plan {
	/** What n8n allows for a poll, and how long a request takes. */
	budget: number;
	takes: number;
	pageSize: number;
	/** How many records have each time, and how far the times are apart. */
	groups: number[];
	apart: number;
	isDurable: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
	budget: fc.integer({ min: 1, max: 30 }).map((seconds) => seconds * SECOND),
	takes: fc.constantFrom(0, 1, 3, 6, 9, 20, 40).map((seconds) => seconds * SECOND),
	pageSize: fc.constantFrom(3, 4, 10),
	groups: fc.array(fc.constantFrom(1, 1, 2, 3, 4, 8, 10, 20, 30), { minLength: 1, maxLength: 6 }),
	apart: fc.constantFrom(1, SECOND, 10 * MINUTE),
	isDurable: fc.boolean(),
});

/** Polls until all has come, slowly, and then until nothing more can. */
async function tellAll(
	service: Service,
	trigger: ReturnType<typeof activate>,
	count: number,
	save: () => unknown,
): Promise<string[]> {
	const told: string[] = [];
	const most = 40 + 12 * count;
	for (let poll = 0; poll < most && told.length < count; poll++) {
		told.push(...((await trigger.poll()) ?? []));
		save();
		time.now += MINUTE;
	}
	expect(told).toHaveLength(count);
	service.takesMs = 0;
	for (let poll = 0; poll < 4; poll++) {
		told.push(...((await trigger.poll()) ?? []));
		save();
		settle();
	}
	return told.sort();
}

/** Switches a trigger on, has things happen, and reads them slowly. */
async function live(
	{ budget, takes, pageSize, groups, apart, isDurable }: Plan,
	polled: Polled,
	write: (service: Service, id: string) => void,
	before: (service: Service) => void = () => undefined,
): Promise<{ told: string[]; ids: string[] }> {
	beginAtNoon();
	const service = new Service();
	service.pageSize = pageSize;
	const ids = groups.flatMap((count, group) =>
		Array.from({ length: count }, (_, index) => `g${group}-${index}`),
	);
	before(service);
	settle();
	const trigger = activate(service, polled, { budget, isDurable });
	const save = () => isDurable && trigger.save();
	await trigger.poll();
	save();
	settle();
	for (const [group, count] of groups.entries()) {
		for (let index = 0; index < count; index++) write(service, `g${group}-${index}`);
		time.now += apart;
	}
	service.takesMs = takes;
	return { told: await tellAll(service, trigger, ids.length, save), ids };
}

const placed = { timeField: 'created_at', born: undefined, isOpen: undefined };

const lists: Record<string, Record<string, Feed>> = {
	'that keep their place': { things: timed(placed) },
	'that keep their place and stay open': {
		things: timed({ ...placed, isOpen: () => true, openForMs: 72 * 60 * MINUTE }),
	},
	'that move with each change': { things: timed() },
	'of two lists': { things: timed(), others: timed({ url: '/others' }) },
};

describe.each(Object.entries(lists))('records %s', (_, feeds) => {
	it('are all told once', async () => {
		await fc.assert(
			fc.asyncProperty(plan, async (of) => {
				const { told, ids } = await live(of, polledOf(feeds), (service, id) =>
					service.write(
						id,
						{ status: 'done' },
						id.length % 2 && feeds.others ? 'others' : 'things',
					),
				);
				expect(told).toEqual(ids.map((id) => `${id} done`).sort());
			}),
			{ numRuns: RUNS },
		);
	});
});

describe('records of a state', () => {
	const feeds = { others: state() };

	it('are all told once when they come into it', async () => {
		await fc.assert(
			fc.asyncProperty(plan, async (of) => {
				const { told, ids } = await live(of, polledOf(feeds), (service, id) =>
					service.write(id, { state: 'in' }, 'others'),
				);
				expect(told).toEqual(ids.map((id) => `${id} in`).sort());
			}),
			{ numRuns: RUNS },
		);
	});

	it.each(['out', 'third'])('are all told once when they leave it (by %s)', async (first) => {
		await fc.assert(
			fc.asyncProperty(plan, async (of) => {
				const { groups } = of;
				const all = groups.flatMap((count, group) =>
					Array.from({ length: count }, (_, index) => `g${group}-${index}`),
				);
				const { told } = await live(
					of,
					polledOf(feeds),
					(service, id) => {
						if (first === 'third') service.write(id, { state: 'third' }, 'others');
						service.write(id, { state: 'out' }, 'others');
					},
					(service) => {
						for (const id of all) service.write(id, { state: 'in' }, 'others');
					},
				);
				expect(told).toEqual(all.map((id) => `${id} out`).sort());
			}),
			{ numRuns: RUNS },
		);
	});
});

it('records whose details are read are all told once, with them or without', async () => {
	const details = (service: Service): Polled['details'] => ({
		read: async (_, json) => {
			for (let count = 0; count < 2; count++) time.now += service.takesMs;
			return { json: { ...json } };
		},
		without: (json) => ({ json }),
		waitMs: 5 * MINUTE,
		tries: 5,
	});
	await fc.assert(
		fc.asyncProperty(plan, async (of) => {
			const service = { takesMs: of.takes } as Service;
			const polled = polledOf({ things: timed(placed) }, { details: details(service) });
			const { told, ids } = await live(of, polled, (to, id) => to.write(id, { status: 'done' }));
			expect(told).toEqual(ids.map((id) => `${id} done`).sort());
		}),
		{ numRuns: RUNS },
	);
});

it('a hundred records of one second and 46 behind them, with time for three requests', async () => {
	const of = { budget: 9 * SECOND, takes: 3 * SECOND, pageSize: 100, apart: SECOND };
	const groups = [100, 46];
	const { told } = await live(
		{ ...of, groups, isDurable: true },
		polledOf({ things: timed(placed) }),
		(service, id) => service.write(id, { status: 'done' }),
	);
	expect(told).toHaveLength(146);
});
