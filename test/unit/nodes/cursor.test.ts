import { advance, baseline, LATE_MS, type Cursor } from '../../../nodes/shared/polling/cursor';
import { ModelAccount, ModelTrigger } from '../../support/modelAccount';

/** Single rules of the cursor, one at a time; the property test has them all together. */

const each = {
	occurrences: ({ id }: Record<string, unknown>) => [{ key: String(id), event: 'seen' }],
};
const unlimited = { capacity: 3_000 };
const second = 1_000;

let account: ModelAccount;
beforeEach(() => (account = new ModelAccount('at')));

const write = (id: string, lateMs = 0) => account.write({ id, at: account.iso() }, lateMs);
const writeMany = (name: string, count: number) =>
	Array.from({ length: count }, (_, index) => write(`${name} ${index}`));
const read = async (cursor: Cursor, limits = unlimited) =>
	await advance(account.source(each), cursor, limits);
const keys = (events: Array<{ key: string }>) => events.map(({ key }) => key);

it('records that share the newest time at the start are no events, however many', async () => {
	writeMany('old', 10);
	const start = await baseline(account.source(each), 3_000);
	expect(keys((await read(start)).events)).toEqual([]);
	write('new');
	expect(keys((await read(start)).events)).toEqual(['new']);
});

it('a list without records has a baseline, too', async () => {
	const start = await baseline(account.source(each), 3_000);
	write('first');
	expect(keys((await read(start)).events)).toEqual(['first']);
});

it('a service that does not tell its time is read on from its newest record', async () => {
	const source = account.source(each);
	const timeless = {
		...source,
		page: async (since: string, page: number) => ({
			...(await source.page(since, page)),
			now: undefined,
		}),
		newest: async () => ({ ...(await source.newest()), now: undefined }),
	};
	const empty = await baseline(timeless, 3_000);
	expect(empty).toEqual({ begun: '', since: '', seen: [] });
	expect((await advance(timeless, empty, unlimited)).events).toEqual([]);
	write('a');
	const start = await baseline(timeless, 3_000);
	account.now += 600 * second;
	write('b');
	const { events, cursor } = await advance(timeless, start, unlimited);
	expect(keys(events)).toEqual(['b']);
	expect((await advance(timeless, cursor, unlimited)).events).toEqual([]);
});

it('a poll without news takes one request, also after a burst over many pages', async () => {
	const trigger = new ModelTrigger(account.source(each));
	await trigger.poll();
	writeMany('burst', 40);
	await trigger.poll();
	expect(trigger.emitted).toHaveLength(40);
	account.now += LATE_MS + 2 * second;
	await trigger.poll();
	account.requests = 0;
	await trigger.poll();
	expect(account.requests).toBe(1);
});

it('a record that appears later than its time says is emitted', async () => {
	const trigger = new ModelTrigger(account.source(each));
	await trigger.poll();
	write('late', LATE_MS);
	account.now += second;
	write('punctual');
	await trigger.poll();
	account.now += LATE_MS;
	await trigger.poll();
	await trigger.poll();
	expect(keys(trigger.emitted)).toEqual(['punctual', 'late']);
});

it('a time that more records than a page share is read until two passes agree', async () => {
	const trigger = new ModelTrigger(account.source(each));
	await trigger.poll();
	account.now += 600 * second;
	writeMany('same', 6);
	account.now += second;
	writeMany('later', 4);
	account.now += 600 * second;
	// While the second page is fetched, a record of the first one gets a new time: the others move up.
	account.meanwhile = [() => undefined, () => write('same 0')];
	await trigger.poll();
	account.now += 600 * second;
	await trigger.poll();
	const emitted = keys(trigger.emitted).sort();
	expect(emitted).toHaveLength(10);
	expect(new Set(emitted).size).toBe(10);
});

it('a poll that runs out of time keeps what it has, and the next one goes on', async () => {
	const trigger = new ModelTrigger(account.source(each));
	await trigger.poll();
	for (let index = 0; index < 12; index++) {
		account.now += 600 * second;
		write(`${index}`);
	}
	await trigger.poll(1);
	const first = trigger.emitted.length;
	expect(first).toBeGreaterThan(0);
	expect(first).toBeLessThan(12);
	await trigger.poll();
	expect(keys(trigger.emitted).sort()).toEqual([...Array(12).keys()].map(String).sort());
});

it('a poll that has enough events leaves the rest to the next one', async () => {
	const start = await baseline(account.source(each), 3_000);
	writeMany('burst', 4);
	account.now += second;
	writeMany('later', 4);
	const first = await advance(account.source(each), start, { capacity: 3_000, most: 1 });
	expect(first.events.length).toBeLessThan(8);
	const rest = await read(first.cursor);
	expect(new Set([...keys(first.events), ...keys(rest.events)]).size).toBe(8);
	expect(first.events.length + rest.events.length).toBe(8);
});

it('what happens again and again to a record is remembered by where it stands', async () => {
	const progress = {
		occurrences: ({ id, percent }: Record<string, unknown>) => [
			{ key: String(id), value: percent as number, event: 'progress' },
		],
	};
	const trigger = new ModelTrigger(account.source(progress));
	await trigger.poll();
	for (const percent of [0, 10, 10, 55, 10]) {
		account.now += second;
		account.write({ id: 'a', at: account.iso(), percent });
		await trigger.poll();
		await trigger.poll();
	}
	expect(trigger.emitted.map(({ value }) => value)).toEqual([0, 10, 55]);
	expect(trigger.cursor!.seen).toHaveLength(1);
});

it('a slow poll does not take what came while it was read for seen', async () => {
	const trigger = new ModelTrigger(account.source(each));
	await trigger.poll();
	writeMany('a', 7);
	account.meanwhile = [
		() => {
			write('late', LATE_MS - second);
			account.now += LATE_MS - 2 * second;
		},
	];
	await trigger.poll();
	account.now += 2 * second;
	await trigger.poll();
	expect(keys(trigger.emitted)).toContain('late');
});

it('an open record of before the baseline is followed', async () => {
	const follows = {
		occurrences: ({ id, ended }: Record<string, unknown>) =>
			ended ? [{ key: String(id), event: 'ended' }] : [],
		isOpen: ({ ended }: Record<string, unknown>) => !ended,
		openForMs: 3_600_000,
	};
	account.write({ id: 'run', at: account.iso(), ended: false });
	account.now += 1_800_000;
	const trigger = new ModelTrigger(account.source(follows));
	await trigger.poll();
	account.write({ ...account.latest('run')!, ended: true });
	await trigger.poll();
	expect(keys(trigger.emitted)).toEqual(['run']);
});

it('an open record that never ends does not hold the window open', async () => {
	const follows = { ...each, isOpen: () => true, openForMs: 3_600_000 };
	const trigger = new ModelTrigger(account.source(follows));
	await trigger.poll();
	write('stuck');
	await trigger.poll();
	account.now += 7_200_000;
	await trigger.poll();
	expect(Date.parse(trigger.cursor!.since)).toBe(account.now - LATE_MS);
});

it('a clock of the service that goes back brings no event back', async () => {
	const trigger = new ModelTrigger(account.source(each), 2);
	await trigger.poll();
	for (const id of ['a', 'b', 'c', 'd']) {
		account.now += 600 * second;
		write(id);
		await trigger.poll();
	}
	account.now -= 1_800 * second;
	await trigger.poll();
	expect(keys(trigger.emitted)).toEqual(['a', 'b', 'c', 'd']);
});

it('an old record that is touched again is not emitted again', async () => {
	const trigger = new ModelTrigger(account.source(each));
	await trigger.poll();
	write('a');
	await trigger.poll();
	account.now += 7_200_000;
	write('a');
	await trigger.poll();
	expect(keys(trigger.emitted)).toEqual(['a']);
});

describe('what is remembered', () => {
	it('stays below 64 KB after 100,000 events, and nothing comes back', async () => {
		const trigger = new ModelTrigger(account.source(each));
		await trigger.poll();
		let cursor = trigger.cursor!;
		let emitted = 0;
		for (let poll = 0; poll < 20; poll++) {
			const rows = Array.from({ length: 5_000 }, (_, index) => {
				if (index % 10 === 0) account.now += 100;
				return { id: `${poll}/${index}`, at: account.iso() };
			});
			const source = {
				...account.source(each),
				page: async (since: string) => ({
					records: rows.filter(({ at }) => at >= since),
					last: true,
					now: account.now,
				}),
			};
			for (let again = 0; again < 2; again++) {
				const next = await advance(source, cursor, unlimited);
				cursor = JSON.parse(JSON.stringify(next.cursor)) as Cursor;
				emitted += next.events.length;
			}
			expect(JSON.stringify(cursor).length).toBeLessThan(64 * 1024);
		}
		expect(emitted).toBe(100_000);
	});

	it('keeps all of the newest time, whatever the capacity', async () => {
		const trigger = new ModelTrigger(account.source(each), 5);
		await trigger.poll();
		writeMany('same', 8);
		await trigger.poll();
		await trigger.poll();
		expect(trigger.emitted).toHaveLength(8);
	});
});
