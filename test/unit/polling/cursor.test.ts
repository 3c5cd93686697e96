import type { IDataObject } from 'n8n-workflow';
import {
	advance,
	type Cursor,
	type CursorSource,
	SeenStore,
} from '../../../nodes/shared/polling/cursor';
import { OVERLAP_MS, type Span } from '../../../nodes/shared/polling/chunk';
import { hash } from '../../../nodes/shared/lib';
import { OutOfTime } from '../../../nodes/shared/client/limiter';
import { Random } from '../../../sandbox/service/engine/random';
import { seed } from '../../support/effort';

/** Single rules of the cursor, one at a time; the histories of `exactlyOnce` have them all together. */

interface Row extends IDataObject {
	id: string;
	at: string;
	born?: string;
	state?: string;
}

const PAGE = 3;
const SECOND = 1_000;
const HOUR = 3_600_000;

/** Records appear so much later than their time says, at most. */
const LATE = 150 * SECOND;

/** A list by time in memory, and a trigger over it; what n8n keeps goes through JSON. */
class List {
	now = Date.parse('2026-03-01T12:00:00Z');

	/** How far the header of answers is ahead. */
	ahead = 0;

	requests = 0;

	/** What happens after each page that is read, in order. */
	meanwhile: Array<() => void> = [];

	/** Requests that there is room for. */
	room = Infinity;

	readonly emitted: string[] = [];

	cursor?: Cursor;

	private readonly rows = new Map<string, Array<{ row: Row; from: number }>>();

	constructor(feed: Partial<CursorSource> = {}) {
		Object.assign(this.source, feed);
	}

	get iso() {
		return new Date(this.now).toISOString();
	}

	write(id: string, change: Partial<Row> = {}, lateMs = 0): void {
		const versions = this.rows.get(id) ?? [];
		const before = versions.at(-1)?.row ?? { id, born: this.iso };
		versions.push({ row: { ...before, at: this.iso, ...change }, from: this.now + lateMs });
		this.rows.set(id, versions);
	}

	writeMany(name: string, count: number): void {
		for (let index = 0; index < count; index++) this.write(`${name}${index}`);
	}

	/** Of records with the same time. */
	order: (a: Row, b: Row) => number = () => 0;

	private shown(): Row[] {
		return [...this.rows.values()]
			.flatMap((versions) => versions.filter(({ from }) => from <= this.now).at(-1)?.row ?? [])
			.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || this.order(a, b));
	}

	private read(rows: Row[], page = 1, size = PAGE) {
		if (this.room-- <= 0) throw new OutOfTime();
		this.requests += 1;
		const asked = this.moment();
		const records = rows.slice((page - 1) * size, page * size).map((row) => ({ ...row }));
		this.meanwhile.shift()?.();
		const { date } = this.moment();
		return { ...asked, date, records, last: page * size >= rows.length };
	}

	moment = (): Span => ({
		date: Math.floor((this.now + this.ahead) / SECOND) * SECOND,
		asked: this.now - 7 * HOUR,
	});

	readonly source: CursorSource = {
		time: ({ at }) => String(at),
		id: ({ id }) => String(id),
		occurrences: ({ state = 'there' }) => [{ key: String(state), event: String(state) }],
		page: async (from, page) =>
			this.read(
				this.shown().filter(({ at }) => Date.parse(at) >= Date.parse(from)),
				page,
			),
		at: async (time, page) => {
			const rows = this.shown().filter(({ at }) => at === time);
			return { ...this.read(rows, page), total: rows.length };
		},
		newest: async () => this.read(this.shown().reverse()),
		open: async () => [],
	};

	/** @param units how much the time for the poll allows; no end by default */
	async poll(units = Infinity, events = Infinity) {
		const isFull = (found: number) => found >= events;
		const limits = { isOver: () => --units <= 0, isFull };
		const isFirst = !this.cursor;
		const { events: found, memory } = await advance(this.source, this.cursor, limits);
		this.cursor = JSON.parse(JSON.stringify(memory)) as Cursor;
		if (isFirst) return [];
		const told = found.map(({ record, event }) =>
			event === 'there' ? String(record.id) : `${String(record.id)} ${event}`,
		);
		this.emitted.push(...told);
		return told;
	}
}

const moving = { born: ({ born = '' }: IDataObject) => String(born) };
const open = { isOpen: ({ state }: IDataObject) => state !== 'ended' };

it('records that share the newest time at the start are not reported, however many', async () => {
	const list = new List();
	list.writeMany('old', 10);
	await list.poll();
	expect(await list.poll()).toEqual([]);
	list.write('new');
	expect(await list.poll()).toEqual(['new']);
});

it('a list without records has a baseline, too', async () => {
	const list = new List();
	await list.poll();
	list.write('first');
	expect(await list.poll()).toEqual(['first']);
	expect(await list.poll()).toEqual([]);
});

it('a service that does not tell its time is read on from its newest record', async () => {
	const list = new List();
	list.moment = () => ({ asked: list.now });
	list.write('a');
	await list.poll();
	list.now += 600 * SECOND;
	list.write('b');
	expect(await list.poll()).toEqual(['b']);
	expect(await list.poll()).toEqual([]);
});

it.each([600_000, -600_000])('a header that is %i ms ahead loses nothing', async (ahead) => {
	const list = new List();
	list.ahead = ahead;
	await list.poll();
	for (let index = 0; index < 10; index++) {
		list.write(`${index}`, {}, index % 2 ? LATE : 0);
		list.now += 60 * SECOND;
		await list.poll();
	}
	list.now += LATE;
	await list.poll();
	expect([...list.emitted].sort()).toEqual([...Array(10).keys()].map(String));
});

it('nor does one that jumps ahead for one answer', async () => {
	const list = new List();
	list.write('old');
	await list.poll();
	list.ahead = 600_000;
	await list.poll();
	list.ahead = 0;
	list.now += 60 * SECOND;
	list.write('new');
	expect(await list.poll()).toEqual(['new']);
});

it('a clock that is set while the trigger is switched on hides nothing that is open', async () => {
	const list = new List({ ...open, openForMs: 48 * HOUR });
	list.source.open = async () => [{ id: 'open', at: '2026-03-01T12:00:00.000Z' }];
	list.write('open');
	list.now += HOUR;
	for (let index = 0; index < 4; index++) {
		list.now += SECOND;
		list.write(`old ${index}`, { state: 'ended' });
	}
	list.now += HOUR;
	// Between the first page, which is that of the newest, and the next.
	list.meanwhile = [() => undefined, () => void (list.ahead -= 300 * SECOND)];
	await list.poll();
	list.now += HOUR;
	list.write('open', { at: '2026-03-01T12:00:00.000Z', state: 'ended' });
	expect(await list.poll()).toEqual(['open ended']);
});

it('a poll without news takes one request, also after a burst over many pages', async () => {
	const list = new List();
	await list.poll();
	list.writeMany('burst', 40);
	expect(await list.poll()).toHaveLength(40);
	list.now += OVERLAP_MS + 62 * SECOND;
	await list.poll();
	list.requests = 0;
	await list.poll();
	expect(list.requests).toBe(1);
});

it('a record that appears later than its time says is emitted', async () => {
	const list = new List();
	await list.poll();
	list.write('late', {}, LATE);
	list.now += SECOND;
	list.write('punctual');
	expect(await list.poll()).toEqual(['punctual']);
	list.now += LATE;
	expect(await list.poll()).toEqual(['late']);
	expect(await list.poll()).toEqual([]);
});

it('records that leave a time of many pages while it is read hide none', async () => {
	const list = new List(moving);
	await list.poll();
	list.now += 600 * SECOND;
	list.writeMany('same', 7);
	list.now += SECOND;
	list.writeMany('later', 4);
	list.now += 600 * SECOND;
	list.meanwhile = [() => undefined, () => list.write('same0'), () => list.write('same1')];
	await list.poll();
	list.now += 600 * SECOND;
	await list.poll();
	expect(list.emitted).toHaveLength(11);
	expect(new Set(list.emitted).size).toBe(11);
});

it('records of one time may come in another order in each answer', async () => {
	const list = new List();
	await list.poll();
	list.writeMany('same', 20);
	const random = new Random(seed);
	list.order = () => random.next() - 0.5;
	await list.poll();
	await list.poll();
	expect([...list.emitted].sort()).toEqual([...Array(20).keys()].map((n) => `same${n}`).sort());
});

it('a poll that can tell no more leaves the rest to the next ones', async () => {
	const list = new List();
	await list.poll();
	list.writeMany('same', 7);
	list.now += SECOND;
	list.writeMany('later', 7);
	for (let poll = 0; poll < 7; poll++) expect(await list.poll(Infinity, 2)).toHaveLength(2);
	expect(await list.poll()).toEqual([]);
	expect(new Set(list.emitted).size).toBe(14);
});

describe('when the time for a poll is over', () => {
	it.each([
		['one time', 0],
		['times of their own', 1_000],
	])('each poll continues where the last one ended, with records of %s', async (_, step) => {
		const list = new List();
		await list.poll();
		for (let index = 0; index < 30; index++) {
			list.now += step;
			list.write(`${index}`);
		}
		for (let polls = 0; list.emitted.length < 30; polls++) {
			expect(polls).toBeLessThan(30);
			await list.poll(1);
		}
		await list.poll();
		expect(new Set(list.emitted).size).toBe(30);
		expect(list.emitted).toHaveLength(30);
	});

	it('many open records are followed in parts', async () => {
		const list = new List({ ...open, openForMs: 72 * HOUR });
		await list.poll();
		for (let index = 0; index < 25; index++) {
			list.now += 60 * SECOND;
			list.write(`${index}`);
		}
		list.now += LATE;
		for (let index = 0; index < 15; index++) await list.poll(1);
		expect(list.emitted).toHaveLength(25);
		const { at } = { at: list.iso };
		list.now += HOUR;
		list.write('24', {
			at: list.cursor!.since > at ? at : new Date(Date.parse(at) - LATE).toISOString(),
			state: 'ended',
		});
		for (let index = 0; index < 30; index++) await list.poll(1);
		expect(list.emitted.filter((told) => told === '24 ended')).toHaveLength(1);
	});

	it('if the rate limit is used up, the records read count, and the rest comes later', async () => {
		const list = new List();
		await list.poll();
		for (let index = 0; index < 12; index++) {
			list.now += SECOND;
			list.write(`${index}`);
		}
		list.room = 2;
		const first = await list.poll();
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThan(12);
		list.room = 0;
		expect(await list.poll()).toEqual([]);
		list.room = Infinity;
		await list.poll();
		expect(new Set(list.emitted).size).toBe(12);
		expect(list.emitted).toHaveLength(12);
	});

	it.each([2, 3, 4])(
		'many of one time are read in parts, with room for %i requests',
		async (room) => {
			const list = new List(moving);
			await list.poll();
			list.writeMany('same', 20);
			list.now += SECOND;
			list.writeMany('later', 4);
			for (let poll = 0; poll < 40; poll++) {
				list.room = room;
				await list.poll();
			}
			expect(new Set(list.emitted).size).toBe(24);
			expect(list.emitted).toHaveLength(24);
		},
	);

	it('a record that moves on meanwhile is neither lost nor told twice', async () => {
		const list = new List(moving);
		await list.poll();
		for (let index = 0; index < 12; index++) {
			list.now += SECOND;
			list.write(`${index}`);
		}
		await list.poll(1);
		list.now += 300 * SECOND;
		list.write('0');
		list.write('11');
		for (let index = 0; index < 10; index++) await list.poll(1);
		expect([...list.emitted].sort()).toEqual([...Array(12).keys()].map(String).sort());
	});
});

it('a slow poll does not take what came while it was read for seen', async () => {
	const list = new List();
	await list.poll();
	list.writeMany('a', 7);
	list.meanwhile = [
		() => {
			list.write('late', {}, LATE - SECOND);
			list.now += LATE - 2 * SECOND;
		},
	];
	await list.poll();
	list.now += 2 * SECOND;
	expect(await list.poll()).toContain('late');
});

it('an open record of before the baseline is followed, and not for ever', async () => {
	const list = new List({ ...open, openForMs: HOUR });
	list.write('run');
	list.write('stuck');
	const { iso } = list;
	list.now += HOUR / 2;
	await list.poll();
	list.write('run', { at: iso, state: 'ended' });
	expect(await list.poll()).toEqual(['run ended']);
	// By n8n's clock it is seven hours earlier.
	list.now += 8 * HOUR;
	await list.poll();
	list.write('stuck', { at: iso, state: 'ended' });
	expect(await list.poll()).toEqual([]);
	expect(list.cursor!.known).toEqual({});
});

it('an open record that moves with each change is followed for as long as it is open', async () => {
	const list = new List({ ...moving, ...open });
	list.write('long');
	await list.poll();
	list.now += 1_000 * HOUR;
	await list.poll();
	list.write('long', { state: 'ended' });
	expect(await list.poll()).toEqual(['long ended']);
	list.now += HOUR;
	list.write('long');
	expect(await list.poll()).toEqual([]);
});

it('an old record that is touched again is not emitted again, and nothing of it is remembered', async () => {
	const list = new List(moving);
	await list.poll();
	list.write('a');
	await list.poll();
	list.now += 2 * HOUR;
	list.write('b');
	await list.poll();
	list.now += HOUR;
	list.write('a');
	expect(await list.poll()).toEqual([]);
	list.now += HOUR;
	list.write('c');
	await list.poll();
	expect(Object.values(list.cursor!.known).join('')).not.toContain(';');
	expect(list.emitted).toEqual(['a', 'b', 'c']);
});

it('a clock of the service that goes back repeats no event', async () => {
	const list = new List();
	await list.poll();
	for (const id of ['a', 'b', 'c', 'd']) {
		list.now += 600 * SECOND;
		list.write(id);
		await list.poll();
	}
	list.now -= 1_800 * SECOND;
	await list.poll();
	expect(list.emitted).toEqual(['a', 'b', 'c', 'd']);
});

it.each([4, 10])(
	'a record that was created %i minutes ahead of the clock and changed since is reported once',
	async (minutes) => {
		const list = new List(moving);
		list.write('old');
		await list.poll();
		list.now += 60 * SECOND;
		list.write('new', { born: new Date(list.now + minutes * 60 * SECOND).toISOString() });
		expect(await list.poll()).toEqual(['new']);
		list.now += 60 * SECOND;
		expect(await list.poll()).toEqual([]);
	},
);

it('an old record that says it was created far ahead is not reported when it changes', async () => {
	const list = new List(moving);
	list.write('old', { born: new Date(list.now + 17_520 * HOUR).toISOString() });
	list.now += HOUR;
	list.writeMany('other', PAGE);
	await list.poll();
	list.now += 60 * SECOND;
	list.write('old');
	expect(await list.poll()).toEqual([]);
});

it('a clock of the service that was set back before the baseline hides nothing that is written by it', async () => {
	const list = new List();
	list.write('old', { at: new Date(list.now + 300 * SECOND).toISOString() });
	list.moment = () => {
		const local = list.now + 300 * SECOND;
		return { date: list.now, asked: local };
	};
	await list.poll();
	for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
		list.now += 60 * SECOND;
		list.write(id);
		await list.poll();
	}
	expect(list.emitted).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

describe('what is remembered', () => {
	const spanAt = (now: number): Span => ({ asked: now, date: now });
	const size = (cursor: Cursor) => JSON.stringify(cursor).length;
	const big = (rows: Row[], list: List) => ({
		page: async (from: string) => ({
			...spanAt(list.now),
			records: rows.filter(({ at }) => Date.parse(at) >= Date.parse(from)),
			last: true,
		}),
		newest: async () => ({ ...spanAt(list.now), records: [], last: true }),
	});

	it('stays below 64 KB after 100,000 events, and none comes twice', async () => {
		const rows: Row[] = [];
		const list = new List();
		Object.assign(list.source, big(rows, list));
		await list.poll();
		for (let poll = 0; poll < 20; poll++) {
			rows.splice(0);
			for (let index = 0; index < 5_000; index++) {
				if (index % 10 === 0) list.now += 100;
				rows.push({ id: `${poll}/${index}`, at: list.iso });
			}
			await list.poll();
			await list.poll();
			expect(size(list.cursor!)).toBeLessThan(64 * 1024);
		}
		expect(list.emitted).toHaveLength(100_000);
	});

	it.each([9_000, 20_000])('%i events of one second come once, in any state', async (count) => {
		const rows: Row[] = [];
		const list = new List();
		Object.assign(list.source, big(rows, list));
		await list.poll();
		for (let index = 0; index < count; index++) rows.push({ id: `${index}`, at: list.iso });
		for (let poll = 0; poll < 5; poll++) {
			await list.poll();
			expect(size(list.cursor!)).toBeLessThan(64 * 1024);
			list.now += 30 * SECOND;
		}
		rows.push({ id: 'later', at: list.iso });
		await list.poll();
		expect(list.emitted).toHaveLength(count + 1);
	});

	it('of 20,000 open records, the youngest are followed', async () => {
		const rows: Row[] = [];
		const list = new List({ ...open, openForMs: 72 * HOUR });
		Object.assign(list.source, big(rows, list));
		await list.poll();
		for (let index = 0; index < 20_000; index++) {
			if (index % 10 === 0) list.now += SECOND;
			rows.push({ id: `${index}`, at: list.iso });
		}
		list.now += HOUR;
		await list.poll();
		expect(size(list.cursor!)).toBeLessThan(64 * 1024);
		Object.assign(rows[0]!, { state: 'ended' });
		Object.assign(rows.at(-1)!, { state: 'ended' });
		expect(await list.poll()).toEqual(['19999 ended']);
		expect(list.emitted).toHaveLength(20_001);
	});
});

it('the events of the emails of 1,700 reports fit into the state', () => {
	const known = new SeenStore();
	for (let index = 0; index < 1_700; index++) {
		const of = hash(`${index}@example.com`, 4);
		known.set(`report ${index}`, new Set([`d${of}`, `o${of}`]), index * 60_000);
	}
	expect(known.shrink().count).toBe(0);
	expect(known.get('report 0')).toContain(`d${hash('0@example.com', 4)}`);
});

it('records open long before the activation are followed after it, in a list where they keep their place', async () => {
	const list = new List({ ...open, openForMs: 72 * HOUR });
	const began = list.iso;
	list.write('old', { state: 'running' });
	list.now += 10 * HOUR;
	list.writeMany('new', 5);
	await list.poll();
	list.now += HOUR;
	list.write('old', { at: began, state: 'ended' });
	expect(await list.poll()).toEqual(['old ended']);
});

it('an open record created long ago is followed when it appears, in a list by the last change', async () => {
	const list = new List({ ...moving, ...open });
	const born = list.iso;
	list.now += 10 * HOUR;
	list.write('newest', { state: 'ended' });
	await list.poll();
	list.now += HOUR;
	list.write('old', { born, state: 'running' });
	expect(await list.poll()).toEqual([]);
	list.now += HOUR;
	list.write('old', { state: 'ended' });
	expect(await list.poll()).toEqual(['old ended']);
});

it('what stays open for long does not make polls longer where records move', async () => {
	const list = new List({ ...moving, ...open });
	await list.poll();
	list.write('long', { state: 'running' });
	for (let index = 0; index < 12; index++) {
		list.now += HOUR;
		list.write(`${index}`, { state: 'ended' });
		await list.poll();
	}
	list.now += HOUR;
	list.requests = 0;
	expect(await list.poll()).toEqual([]);
	expect(list.requests).toBe(1);
	list.write('long', { state: 'ended' });
	expect(await list.poll()).toEqual(['long ended']);
});

describe.each([
	['that move', moving],
	['that keep their place', { openForMs: 48 * HOUR }],
])('records %s in a state that is not known', (_, feed) => {
	const isUncertain = ({ state }: IDataObject) => state === 'odd';
	const uncertain = { ...feed, ...open, isUncertain };
	const stays =
		'born' in feed ? {} : { at: new Date(Date.parse('2026-03-01T13:00:00Z')).toISOString() };

	/** One that has come into that state after the activation. */
	async function withOdd(): Promise<List> {
		const list = new List(uncertain);
		await list.poll();
		list.now += HOUR;
		list.write('a', { state: 'odd' });
		expect(await list.poll()).toEqual(['a odd']);
		return list;
	}

	it('are reported once, and followed to a known end within a day', async () => {
		const list = await withOdd();
		for (let hour = 0; hour < 22; hour++) {
			list.now += HOUR;
			expect(await list.poll()).toEqual([]);
		}
		list.write('a', { state: 'ended', ...stays });
		expect(await list.poll()).toEqual(['a ended']);
		expect(await list.poll()).toEqual([]);
	});

	it('are forgotten after a day, and told no more', async () => {
		const list = await withOdd();
		for (let hour = 0; hour < 26; hour++) {
			list.now += HOUR;
			list.write(`clock${hour}`, { state: 'ended' });
			await list.poll();
		}
		expect(new SeenStore(list.cursor!.known).get('a')).toBeUndefined();
		list.write('a', { state: 'odd', ...stays });
		expect(await list.poll()).toEqual([]);
		list.write('a', { state: 'odd', ...stays });
		expect(await list.poll()).toEqual([]);
	});

	it('from before the activation are not reported, but their end is', async () => {
		const list = new List(uncertain);
		list.write('a', { state: 'odd' });
		list.now += HOUR;
		list.write('b', { state: 'ended' });
		await list.poll();
		list.now += HOUR;
		const at = new Date(list.now - 2 * HOUR).toISOString();
		list.write('a', { state: 'ended', ...('born' in feed ? {} : { at }) });
		expect(await list.poll()).toEqual(['a ended']);
	});
});

it('one that runs for days and then has such a state is followed for a day from then on', async () => {
	const isUncertain = ({ state }: IDataObject) => state === 'odd';
	const list = new List({ ...moving, ...open, isUncertain });
	await list.poll();
	list.write('long', { state: 'running' });
	expect(await list.poll()).toEqual(['long running']);
	for (const [state, told] of [
		['odd', ['long odd']],
		['running', []],
		['odd', []],
	] as const) {
		list.now += 72 * HOUR;
		list.write('long', { state });
		expect(await list.poll()).toEqual(told);
	}
	list.now += 20 * HOUR;
	list.write('long', { state: 'ended' });
	expect(await list.poll()).toEqual(['long ended']);
});

it('many of them each day leave room for those that are watched', async () => {
	const isUncertain = ({ state }: IDataObject) => state === 'odd';
	const list = new List({ ...moving, ...open, isUncertain });
	await list.poll();
	for (let index = 0; index < 50; index++) list.write(`watched${index}`, { state: 'running' });
	await list.poll();
	let size = 0;
	for (let hour = 0; hour < 3 * 24; hour++) {
		for (let index = 0; index < 20; index++) {
			list.now += 180 * SECOND;
			list.write(`odd${hour}-${index}`, { state: 'odd' });
		}
		expect(await list.poll()).toHaveLength(20);
		size = Math.max(size, JSON.stringify(list.cursor).length);
	}
	// Those of a day, six characters each, and the hours.
	expect(size).toBeLessThan(24 * 20 * 6 + 2_000);
	for (let index = 0; index < 50; index++) list.write(`watched${index}`, { state: 'ended' });
	expect(await list.poll()).toHaveLength(50);
});

it('a poll that is full with the last record of the list has read it to its end', async () => {
	const list = new List();
	await list.poll();
	for (let index = 0; index < 3; index++) {
		list.now += SECOND;
		list.write(`${index}`);
	}
	expect(await list.poll(Infinity, 3)).toHaveLength(3);
	expect(list.cursor!.pass).toBeUndefined();
});

describe('what is known', () => {
	const MOMENT = Date.parse('2026-03-01T12:00:00Z');

	/** Open records without end and with one, and closed ones. */
	function filled(): SeenStore {
		const known = new SeenStore();
		for (let index = 0; index < 20; index++) {
			known.set(`endless${index}`, new Set(['begun', 'again']));
			known.set(`open${index}`, new Set(), MOMENT - HOUR);
			known.set(`closed${index}`, 'closed', MOMENT);
		}
		return known;
	}
	const left = (known: SeenStore, name: string) =>
		[...Array(20).keys()].filter((index) => known.get(`${name}${index}`) !== undefined).length;

	it('is the same after n8n has kept it', () => {
		const again = new SeenStore(filled().saved());
		expect(again.saved()).toEqual(filled().saved());
		expect(again.get('endless7')).toEqual(new Set(['again', 'begun']));
		expect(again.get('open7')).toEqual(new Set());
		expect(again.get('closed7')).toBe('closed');
		expect(again.get('other')).toBeUndefined();
	});

	it('is forgotten by its time, but for what is followed without end', () => {
		const known = filled();
		known.forget(MOMENT - HOUR, MOMENT);
		expect(['endless', 'open', 'closed'].map((name) => left(known, name))).toEqual([20, 0, 20]);
		known.forget(MOMENT + HOUR, MOMENT);
		expect(['endless', 'open', 'closed'].map((name) => left(known, name))).toEqual([20, 0, 0]);
	});

	it('loses the oldest first, when there is no room for all, and at last those without end', () => {
		const known = new SeenStore(filled().saved());
		const { length } = JSON.stringify(known.saved());
		const first = known.shrink(length - 100);
		// An open record is an hour older than the closed ones.
		expect(left(known, 'open')).toBeLessThan(20);
		expect([left(known, 'endless'), left(known, 'closed')]).toEqual([20, 20]);
		expect(first).toEqual({ count: 20 - left(known, 'open'), until: MOMENT - HOUR + 10 * SECOND });
		expect(JSON.stringify(known.saved()).length).toBeLessThanOrEqual(length - 100);

		const second = known.shrink(length - 250);
		expect([left(known, 'open'), left(known, 'endless')]).toEqual([0, 20]);
		expect(left(known, 'closed')).toBeLessThan(20);
		expect(second.until).toBe(MOMENT + 10 * SECOND);

		known.shrink(100);
		expect(left(known, 'closed')).toBe(0);
		expect(left(known, 'endless')).toBeGreaterThan(0);
	});
});
