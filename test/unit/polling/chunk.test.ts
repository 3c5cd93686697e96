import type { IDataObject } from 'n8n-workflow';
import { chunkFrom, type Ordered } from '../../../nodes/shared/polling/chunk';
import { OutOfTime } from '../../../nodes/shared/client/limiter';

/** A list that is read on by time, also past a time that fills pages, while records come and leave. */

interface Row extends IDataObject {
	id: string;
	at: number;
}

const PAGE = 3;
const iso = (at: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + at * 1_000).toISOString();
const rowsAt = (at: number, count: number, name = `t${at}-`): Row[] =>
	Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, at }));

class List implements Ordered {
	/** What happens after each request, in order. */
	meanwhile: Array<() => void> = [];

	readonly asked: string[] = [];

	tellsTotal = true;

	constructor(public rows: Row[]) {}

	readonly id = ({ id }: IDataObject) => String(id);

	readonly time = ({ at }: IDataObject) => iso(Number(at));

	private read(what: string, rows: Row[], page: number) {
		this.asked.push(`${what} ${page}`);
		const records = rows.slice((page - 1) * PAGE, page * PAGE);
		const last = page * PAGE >= rows.length;
		const read = { asked: 0, records, last };
		this.meanwhile.shift()?.();
		return this.tellsTotal ? { ...read, total: rows.length } : read;
	}

	readonly page = async (from: string, page: number) =>
		this.read(
			'from',
			[...this.rows].sort((a, b) => a.at - b.at).filter(({ at }) => iso(at) >= from),
			page,
		);

	readonly at = async (time: string, page: number) =>
		this.read(
			'at',
			this.rows.filter(({ at }) => iso(at) === time),
			page,
		);
}

const idsOf = (records: IDataObject[]) => [...new Set(records.map(({ id }) => String(id)))].sort();

it.each([4, 40])('a time with %i pages of records is passed in one chunk', async (pages) => {
	const rows = [...rowsAt(1, pages * PAGE + 1), ...rowsAt(2, 1)];
	const chunk = await chunkFrom(new List(rows), { at: iso(1) });
	expect(idsOf(chunk.records)).toEqual(idsOf(rows));
	expect(chunk).toMatchObject({ at: iso(2), last: true });
});

it('a list without a total is read to the end of the time, or until the poll is over', async () => {
	const rows = [...rowsAt(1, 8), ...rowsAt(2, 1)];
	const list = new List(rows);
	list.tellsTotal = false;
	expect(idsOf((await chunkFrom(list, { at: iso(1) })).records)).toEqual(idsOf(rows));
	list.asked.splice(0);
	const chunk = await chunkFrom(list, { at: iso(1) }, () => true);
	expect(list.asked).toEqual(['from 1']);
	expect(chunk).toMatchObject({ at: iso(1), last: false, page: 2, isWhole: false });
	expect(chunk.records).toHaveLength(PAGE);
});

it('records of the time that come while it is passed are read as well', async () => {
	const list = new List([...rowsAt(1, 7), ...rowsAt(2, 2)]);
	list.meanwhile[3] = () => void list.rows.push(...rowsAt(1, 3, 'late'));
	const chunk = await chunkFrom(list, { at: iso(1) });
	expect(idsOf(chunk.records)).toEqual(idsOf(list.rows));
	expect(chunk.at).toBe(iso(2));
});

it('a time is not whole when others left it and records after it may have moved up unseen', async () => {
	const list = new List([...rowsAt(1, 7), ...rowsAt(2, 1), ...rowsAt(3, 1), ...rowsAt(4, 6)]);
	list.meanwhile[3] = () =>
		void (list.rows = list.rows.filter(({ at }, index) => at > 1 || index < 1));
	const chunk = await chunkFrom(list, { at: iso(1) });
	// What was not read is met when the list is read once more from the time that is not whole.
	expect(chunk.isWhole).toBe(false);
});

it('what leaves in the midst ends after rounds without news, and hides none', async () => {
	const list = new List([...rowsAt(1, 10), ...rowsAt(2, 1)]);
	list.meanwhile[2] = () => void list.rows.shift();
	const chunk = await chunkFrom(list, { at: iso(1) });
	expect(idsOf(chunk.records)).toEqual(idsOf([...rowsAt(1, 10), ...rowsAt(2, 1)]));
	// Three rounds of three pages without news, after those that had some.
	expect(list.asked.length).toBeLessThan(25);
});

it.each([1, 3, 4, 7])(
	'a cut after %i requests keeps what was read, and gets further',
	async (requests) => {
		const rows = [...rowsAt(1, 10), ...rowsAt(2, 1)];
		const list = new List(rows);
		list.meanwhile[requests] = () => {
			throw new OutOfTime();
		};
		const cut = await chunkFrom(list, { at: iso(1) });
		const isCut = list.asked.length === requests + 1;
		expect(cut).toMatchObject(isCut ? { at: iso(1), isWhole: false } : { at: iso(2) });
		expect(cut.page ?? 2).toBeGreaterThan(1);
		expect(cut.records.length).toBeGreaterThanOrEqual(PAGE);
	},
);

it('one that is on no page for long is found in the end, also when another has left', async () => {
	const [one, two, three, left, known, hidden] = rowsAt(1, 6) as [Row, Row, Row, Row, Row, Row];
	let requests = 0;
	const read = async (_: string, page: number) => {
		requests += 1;
		const hasLeft = requests > 3;
		const rest = hasLeft ? [known, requests < 30 ? one : hidden] : [left, known, one];
		const records = page === 1 ? [one, two, three] : rest;
		return { asked: 0, records, last: page > 1, total: hasLeft ? 5 : 6 };
	};
	const list = Object.assign(new List([]), { page: read, at: read });
	const chunk = await chunkFrom(list, { at: iso(1) });
	expect(idsOf(chunk.records)).toContain(hidden.id);
});
