import type { EventDetails, Feed } from '../../../nodes/shared/polling/feed';
import { clock } from '../../../nodes/shared/lib';
import { casesOf, fc, type Made } from '../../support/effort';
import {
	HOUR,
	MINUTE,
	placed,
	SECOND,
	startTrigger,
	state,
	timed,
	type TriggerOptions,
} from '../../support/engine/feedTrigger';

/**
 * A poll gets further than the one before, or tells what it has: whatever its time and that of a request, the pages,
 * and how many records have one time.
 */

const RUNS = casesOf('BUDGETS', { quick: 40, long: 5_000 });

const plan = fc.record({
	/** What n8n allows for a poll, and how long a request takes. */
	budget: fc.integer({ min: 1, max: 30 }).map((seconds) => seconds * SECOND),
	takes: fc.constantFrom(0, 1, 3, 6, 9, 20, 40).map((seconds) => seconds * SECOND),
	pageSize: fc.constantFrom(3, 4, 10),
	/** How many records have each time, and how far the times are apart. */
	groups: fc.array(fc.constantFrom(1, 1, 2, 3, 4, 8, 10, 20, 30), { minLength: 1, maxLength: 6 }),
	apart: fc.constantFrom(1, SECOND, 10 * MINUTE),
	isDurable: fc.boolean(),
});

/** What happens to a record while the trigger is on: what it becomes, one after the other; and what it was before. */
interface Happens {
	becomes?: string[];
	was?: string;
	listOf?: (id: string) => string;
}

/** Switches a trigger on, has things happen, reads them slowly until all have come, and then until nothing more can. */
async function live(
	{ budget, takes, pageSize, groups, apart, isDurable }: Made<typeof plan>,
	feeds: Record<string, Feed>,
	{ becomes = ['done'], was, listOf = () => Object.values(feeds)[0]!.url.slice(1) }: Happens = {},
	more: TriggerOptions = {},
): Promise<void> {
	const trigger = startTrigger(feeds, { budget, isDurable, ...more });
	const { time, service, settle, write } = trigger;
	service.pageSize = pageSize;
	const told: string[] = [];
	const poll = async () => void told.push(...(await trigger.poll()));
	const all = groups.map((count, group) =>
		Array.from({ length: count }, (_, index) => `g${group}-${index}`),
	);
	const ids = all.flat();
	if (was) for (const id of ids) write(id, { state: was }, listOf(id));
	await settle();
	await poll();
	await settle();
	for (const group of all) {
		for (const id of group) for (const next of becomes) write(id, { state: next }, listOf(id));
		await time.advance(apart);
	}
	service.fastest = takes;
	for (let left = 40 + 12 * ids.length; left > 0 && told.length < ids.length; left--) {
		await poll();
		await time.advance(MINUTE);
	}
	expect(told).toHaveLength(ids.length);
	service.fastest = 0;
	for (let round = 0; round < 4; round++) {
		await poll();
		await settle();
	}
	expect(told.sort()).toEqual(ids.map((id) => `${id} ${becomes.at(-1)!}`).sort());
}

const always = async (check: (of: Made<typeof plan>) => Promise<void>) =>
	await fc.assert(fc.asyncProperty(plan, check), { numRuns: RUNS });

const ofTwo = { things: timed(), others: timed({ url: '/others' }) };

it.each<[string, Record<string, Feed>, Happens?]>([
	['that keep their place', { things: placed({ isOpen: undefined }) }],
	[
		'that keep their place and stay open',
		{ things: placed({ isOpen: () => true, openForMs: 72 * HOUR }) },
	],
	['that move with each change', { things: timed() }],
	['of two lists', ofTwo, { listOf: (id) => (id.length % 2 ? 'others' : 'things') }],
	['that come into a state', { others: state() }, { becomes: ['in'] }],
	['that leave a state', { others: state() }, { was: 'in', becomes: ['out'] }],
	['that leave a state by a third', { others: state() }, { was: 'in', becomes: ['third', 'out'] }],
])('records %s are all told once', async (_, feeds, ...[happens]) => {
	await always(async (of) => await live(of, feeds, happens));
});

it('records whose details are read are all told once, with them or without', async () => {
	await always(async (of) => {
		const details: EventDetails = {
			read: async (_, json) => {
				for (let requests = 0; requests < 2; requests++) await clock.sleep(of.takes);
				return { json };
			},
		};
		await live(of, { things: placed({ isOpen: undefined }) }, {}, { details });
	});
});
