import type { IDataObject } from 'n8n-workflow';
import { dueNow, readDue, type DueMemory, type DueSource } from '../../../nodes/shared/polling/due';
import type { Due } from '../../../nodes/shared/polling/feed';
import { OutOfTime } from '../../../nodes/shared/client/limiter';
import { clock } from '../../../nodes/shared/lib';
import { casesOf, fc } from '../../support/effort';

/** A list of records that come due; it does not fit on a page. */

const PAGE = 3;
const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T12:00:00Z');
const AFTER = 4 * HOUR;

interface Row extends IDataObject {
	id: string;
	created_at: string;
	/** The time that it is due by, and whether it tells it. */
	since: number;
	isHidden: boolean;
	isWanted: boolean;
	isMuted: boolean;
	/** Whether nobody can find it. */
	isLost: boolean;
}

class List {
	now = START;

	/** How far n8n's clock is ahead, and how far the answers of the service are. */
	ahead = 0;

	skew = 0;

	requests = 0;

	finds: string[] = [];

	/** Requests that there is room for. */
	room = Infinity;

	everyMs = 0;

	refindMs = AFTER / 2;

	memory?: DueMemory;

	readonly rows = new Map<string, Row>();

	add(id: string, fields: Partial<Row> = {}): Row {
		const row: Row = {
			id,
			created_at: new Date(START - 1_000_000 + this.rows.size).toISOString(),
			since: this.now,
			isHidden: false,
			isWanted: true,
			isMuted: false,
			isLost: false,
			...fields,
		};
		this.rows.set(id, row);
		return row;
	}

	private read(rows: Row[], page: number) {
		if (this.room-- <= 0) throw new OutOfTime();
		this.requests += 1;
		const records = rows.slice((page - 1) * PAGE, page * PAGE);
		const last = page * PAGE >= rows.length;
		return { asked: 0, records, last, total: rows.length };
	}

	/** Records of one time come in another order each time. */
	private tie({ id }: Row): number {
		return (Number(id.slice(1)) * (2 * this.requests + 7)) % 31;
	}

	private by(fits: (at: string) => boolean): Row[] {
		const rows = [...this.rows.values()].filter(({ created_at: at }) => fits(at));
		return rows.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
	}

	readonly source = (): DueSource => ({
		time: (record) => String(record.created_at),
		id: ({ id }) => String(id),
		page: async (from, page) =>
			this.read(
				this.by((at) => at >= from),
				page,
			),
		at: async (time, page) =>
			this.read(
				this.by((at) => at === time).sort((a, b) => this.tie(a) - this.tie(b)),
				page,
			),
		refindMs: this.refindMs,
		everyMs: this.everyMs,
		concerns: ({ isMuted }) => isMuted !== true,
		due: (record) => {
			const { since, isHidden, isWanted } = record as Row;
			const afterMs = isWanted ? AFTER : Infinity;
			// What hides its time shows that of a later failure.
			const shown: Due = { event: 'due', since: since + HOUR / 2, isAtMost: true, afterMs };
			return [isHidden ? shown : { event: 'due', since, afterMs }];
		},
		json: (record, { since }) => ({ id: record.id!, since }),
		find: async (record, due) => {
			if (this.room-- <= 0) throw new OutOfTime();
			this.finds.push(String(record.id));
			const { since, isLost } = this.rows.get(String(record.id))!;
			return isLost ? undefined : { event: due.event, since, afterMs: due.afterMs };
		},
		now: async () => this.now + this.skew,
		samples: async () => this.read([...this.rows.values()], 1).records,
	});

	/** @param units how much the time for the poll allows; no end by default */
	async poll({ units = Infinity, most = Infinity, ms = 60_000 } = {}): Promise<string[]> {
		this.now += ms;
		clock.now = () => this.now + this.ahead;
		const { events, memory, isComplete } = await readDue(this.source(), this.memory, {
			isOver: () => --units <= 0,
			isFull: (found) => found >= most,
		});
		expect(isComplete).toBe(memory.pass === undefined);
		this.memory = JSON.parse(JSON.stringify(memory)) as DueMemory;
		return events.map(({ json }) => String(json?.id)).sort();
	}
}

const ids = (count: number) => [...Array(count).keys()].map((index) => `s${index}`);

let list: List;
beforeEach(() => {
	list = new List();
});

it('the list is read once in the time that is set, a little early too, and at once after the clock was set back', async () => {
	list.everyMs = HOUR;
	list.add('s');
	await list.poll();
	list.requests = 0;
	for (let minute = 0; minute < 55; minute++) await list.poll();
	expect(list.requests).toBe(0);
	await list.poll({ ms: 5 * 60_000 - 20_000 });
	expect(list.requests).toBe(1);
	list.ahead = -72 * HOUR;
	await list.poll();
	expect(list.requests).toBe(2);
});

it('a full poll reports the rest later', async () => {
	for (const id of ids(20)) list.add(id);
	await list.poll();
	list.now += AFTER;
	const told: string[] = [];
	for (let round = 0; round < 30; round++) {
		const some = await list.poll({ most: 2 });
		expect(some.length).toBeLessThan(20);
		told.push(...some);
	}
	expect(told.sort()).toEqual(ids(20).sort());
});

it('only the time of a record that can come due is found, and is forgotten once the record shows it', async () => {
	const row = list.add('s', { isHidden: true });
	list.add('never due', { isHidden: true, isWanted: false });
	await list.poll();
	expect(list.finds).toEqual(['s']);
	expect(list.memory!.found).toBeDefined();
	row.isHidden = false;
	await list.poll();
	expect(list.memory!.found).toBeUndefined();
});

it('a record is forgotten only when the list lacks it a second time, and not where it is read in parts', async () => {
	const row = list.add('s');
	for (const id of ids(8).slice(1)) list.add(id);
	await list.poll();
	expect(await list.poll({ ms: AFTER })).toContain('s');
	for (const times of [1, 2]) {
		list.rows.delete('s');
		for (let time = 0; time < times; time++) await list.poll();
		list.rows.set('s', row);
		expect(await list.poll()).toEqual(times === 1 ? [] : ['s']);
	}
	await list.poll({ units: 1 });
	expect(list.memory!.pass).toBeDefined();
	for (let part = 0; part < 20 || list.memory!.pass; part++)
		expect(await list.poll({ units: 1 })).toEqual([]);
	expect(list.memory!.missing).toBeUndefined();
});

describe('what n8n keeps', () => {
	/** Its length for 10,000 records whose times are of the last 60 days. */
	async function sizeOf(fields: Partial<Row>): Promise<number> {
		for (const [index, id] of ids(10_000).entries()) {
			const since = START - 100 * HOUR - (index % 1_440) * HOUR;
			list.add(id, { since, ...fields });
		}
		const { source } = list;
		list.refindMs = 18 * HOUR;
		// One page, so that the test is not about pages.
		const records = [...list.rows.values()];
		const page = async () => ({ records, last: true });
		Object.assign(list, { source: () => ({ ...source(), page }) });
		await list.poll();
		return JSON.stringify(list.memory).length;
	}

	it.each([
		[50_000, 'that are due', {}],
		[0, 'whose times were found', { isHidden: true, since: START }],
	])('is between %i and 56,500 characters for 10,000 records %s', async (least, _, fields) => {
		const size = await sizeOf(fields);
		expect(size).toBeGreaterThan(least);
		expect(size).toBeLessThan(56_500);
	});
});

it('a test run shows due records, and finds a limited number of times', async () => {
	for (const id of ids(3)) list.add(id, { isHidden: true, since: START - 9 * HOUR });
	const shown = await dueNow(list.source(), () => true, 2);
	expect(shown.map(({ json }) => json?.id)).toEqual(['s0', 's1']);
	expect(await dueNow(list.source(), () => false, 2)).toEqual([]);
});

const often = (
	weight: number,
	kind: string,
	given: Record<string, fc.Arbitrary<unknown>> = {},
) => ({
	weight,
	arbitrary: fc.record({ kind: fc.constant(kind), ...given }) as fc.Arbitrary<Record<string, any>>,
});

/** What may happen between two polls. */
const happening = fc.oneof(
	often(12, 'wait', { hours: fc.double({ min: 0.1, max: 3, noNaN: true }) }),
	often(6, 'good', { index: fc.nat(7) }),
	// Perhaps after a good one that no poll has seen, or with no time that can be found.
	often(4, 'hide', { index: fc.nat(7), isGood: fc.boolean(), isLost: fc.boolean() }),
	often(2, 'step', { hours: fc.integer({ min: -30, max: 30 }) }),
	often(1, 'restart'),
	often(1, 'back'),
	often(4, 'cut', { units: fc.integer({ min: 1, max: 3 }) }),
	often(2, 'full', { most: fc.integer({ min: 1, max: 3 }) }),
	often(2, 'room', { requests: fc.nat(4) }),
);

it('any history tells each lapse once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(happening, { maxLength: 40 }),
			fc.boolean(),
			async (history, isTied) => {
				const list = new List();
				const tied = isTied && { created_at: new Date(START).toISOString() };
				for (const id of ids(8))
					list.add(id, { since: START - (Number(id.slice(1)) % 3) * 5 * HOUR, ...tied });
				/** Of each record: the times that were told, and when it was due at the activation. */
				const told = new Map<string, number[]>();
				const silent = new Set<string>();
				const note = (items: string[]) => {
					for (const id of items) told.set(id, [...(told.get(id) ?? []), list.rows.get(id)!.since]);
				};
				const due = ({ since }: Row) => list.now >= since + AFTER;
				await list.poll();
				for (const row of list.rows.values()) if (due(row)) silent.add(`${row.id} ${row.since}`);
				let saved = list.memory;
				for (const { kind, ...what } of history) {
					list.room = Infinity;
					let options = {};
					const row = list.rows.get(`s${what.index}`);
					if (kind === 'wait') list.now += what.hours * HOUR;
					// What records say goes back by little; what the headers of answers say, by anything.
					if (kind === 'step') list.skew = list.ahead = what.hours * HOUR;
					if (kind === 'back') list.now -= HOUR / 2;
					if (kind === 'good')
						Object.assign(row!, { since: list.now, isHidden: false, isLost: false });
					const { isGood, isLost } = what;
					if (kind === 'hide')
						Object.assign(row!, { isHidden: true, isLost, ...(isGood && { since: list.now }) });
					if (kind === 'restart') list.memory = saved;
					if (kind === 'cut' || kind === 'full') options = what;
					if (kind === 'room') list.room = what.requests;
					const items = await list.poll(options);
					note(items);
					// n8n saves a state with its events.
					if (items.length > 0) saved = list.memory;
				}
				// Enough polls to see what is due now, and to find what is to be found anew.
				Object.assign(list, { room: Infinity, skew: 0, ahead: 0 });
				for (let round = 0; round < 40; round++) note(await list.poll({ ms: AFTER / 20 }));
				const wrong: string[] = [];
				for (const row of list.rows.values()) {
					const times = told.get(row.id) ?? [];
					if (new Set(times).size < times.length) wrong.push(`${row.id} twice`);
					const isLater = !row.isLost && !times.some((time) => time >= row.since);
					if (due(row) && isLater && !silent.has(`${row.id} ${row.since}`))
						wrong.push(`${row.id} lost`);
				}
				expect(wrong).toEqual([]);
			},
		),
		{ numRuns: casesOf('DUE', { quick: 300, long: 20_000 }) },
	);
});
