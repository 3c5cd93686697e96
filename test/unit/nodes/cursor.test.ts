import { advance, baseline, type Source } from '../../../nodes/shared/polling/cursor';

interface Row {
	id: string;
	at: string;
}

const PAGE = 3;
const time = (second: number) => new Date(second * 1000).toISOString();

/** A list in pages of three that a test changes as it likes. */
function sourceOf(rows: Row[], onPage: () => void = () => {}): Source<Row> & { reads: number } {
	const paged = (all: Row[], page: number) => {
		source.reads += 1;
		onPage();
		const records = all.slice((page - 1) * PAGE, page * PAGE);
		return { records, last: records.length < PAGE };
	};
	const sorted = () => [...rows].sort((a, b) => a.at.localeCompare(b.at));
	const source = {
		reads: 0,
		page: async (since: string, page: number) =>
			paged(
				sorted().filter(({ at }) => at >= since),
				page,
			),
		newest: async () => paged(sorted().reverse(), 1),
		id: ({ id }: Row) => id,
		time: ({ at }: Row) => at,
		key: ({ id }: Row) => id,
	};
	return source;
}

const row = (id: string, second: number): Row => ({ id, at: time(second) });
const ids = (rows: Row[]) => rows.map(({ id }) => id);

it('records that share the newest time at the start are no events, however many', async () => {
	const rows = Array.from({ length: 10 }, (_, index) => row(`old ${index}`, 5));
	const source = sourceOf(rows);
	const start = await baseline(source);
	expect(start.seen).toHaveLength(10);
	expect(ids((await advance(source, start)).events)).toEqual([]);
	rows.push(row('new', 5));
	expect(ids((await advance(source, start)).events)).toEqual(['new']);
});

it('a record that changes while pages are read is neither lost nor doubled', async () => {
	const rows = Array.from({ length: 9 }, (_, index) => row(`${index}`, index + 1));
	let moved = false;
	const source = sourceOf(rows, () => {
		// Between two pages, the first record becomes the newest, and all others move up.
		if (source.reads === 2 && !moved) {
			moved = true;
			rows[0] = row('0', 100);
		}
	});
	const { events } = await advance(source, { watermark: '', seen: [] });
	expect(ids(events).sort()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
});

it('an old record that is touched again is not emitted again', async () => {
	const rows = [row('a', 1), row('b', 2)];
	const source = sourceOf(rows);
	const first = await advance(source, { watermark: '', seen: [] });
	rows[0] = row('a', 50);
	expect(ids((await advance(source, first.cursor)).events)).toEqual([]);
});

it('the state stays bounded, and keeps all keys of the latest time', async () => {
	const rows = Array.from({ length: 3000 }, (_, index) => row(`${index}`, index));
	const source = sourceOf(rows);
	const { cursor, events } = await advance(source, { watermark: '', seen: [] });
	expect(events).toHaveLength(3000);
	expect(cursor.seen).toHaveLength(1000);
	const same = Array.from({ length: 1500 }, (_, index) => row(`same ${index}`, 5000));
	rows.push(...same);
	const next = await advance(source, cursor);
	expect(next.events).toHaveLength(1500);
	expect(next.cursor.seen).toHaveLength(1500);
	expect((await advance(source, next.cursor)).events).toEqual([]);
});
