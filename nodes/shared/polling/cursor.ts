/**
 * Where a trigger stands in a list that is ordered by time. Kept by n8n between polls, so it stays small.
 * Only times of the service are in it.
 */
export interface Cursor {
	/** The latest time seen; empty when the list had no records yet. */
	watermark: string;
	/** Keys of the latest events, oldest first: what must not be emitted again. */
	seen: string[];
}

/** What a trigger supplies: how to read its list, and what in a record is an event. */
export interface Source<T> {
	/** A page of the records at or after `since`, oldest first; of all records when it is empty. */
	page: (since: string, page: number) => Promise<Page<T>>;
	/** The first page of all records, newest first. */
	newest: () => Promise<Page<T>>;
	/** The time that the list is ordered by. */
	time: (record: T) => string;
	/** Tells records apart. */
	id: (record: T) => string;
	/** Names the event that a record stands for, the same each time it is read; undefined when it is none. */
	key: (record: T) => string | undefined;
}

export interface Page<T> {
	records: T[];
	/** Whether the list ends with this page. */
	last: boolean;
}

/** Keys to remember beyond those of the latest time, in case the service touches an old record again. */
const MAX_SEEN = 1000;

/** A time with more records than a page is read until two passes agree, but not for ever. */
const MAX_PASSES = 10;

/** Where to start: everything that is there already is no event. One request, unless a page shares the newest time. */
export async function baseline<T>(source: Source<T>): Promise<Cursor> {
	const first = await source.newest();
	const watermark = first.records[0] ? source.time(first.records[0]) : '';
	const isLatest = (record: T) => source.time(record) === watermark;
	const whole = first.last || !first.records.every(isLatest);
	const { records } = whole ? first : await batchFrom(source, watermark);
	const keys = records.filter(isLatest).flatMap((record) => source.key(record) ?? []);
	return { watermark, seen: [...new Set(keys)] };
}

/**
 * The events since a cursor, oldest first, and the cursor after them. It reads on by time, not by page number,
 * because records move while the list is read. Nothing is kept when it throws.
 */
export async function advance<T>(
	source: Source<T>,
	cursor: Cursor,
): Promise<{ events: T[]; cursor: Cursor }> {
	const seen = new Set(cursor.seen);
	const times = new Map<string, string>();
	const events: T[] = [];
	let { watermark } = cursor;
	for (;;) {
		const { records, last } = await batchFrom(source, watermark);
		for (const record of records) {
			const key = source.key(record);
			if (key === undefined) continue;
			if (!seen.has(key)) events.push(record);
			// Moved to the end: the keys of the latest time are the last to be forgotten.
			seen.delete(key);
			seen.add(key);
			times.set(key, source.time(record));
		}
		if (records.length > 0) watermark = source.time(records.at(-1)!);
		if (last) {
			const atBoundary = [...times.values()].filter((time) => time === watermark).length;
			const kept = [...seen].slice(-Math.max(MAX_SEEN, atBoundary));
			return { events, cursor: { watermark, seen: kept } };
		}
	}
}

/**
 * The next records at or after a time: a page, or as many as it takes to get past that time. A record that leaves
 * that time while those pages are read hides another one, so they are read until two passes agree; and only
 * passes count that begin when a later time is known, because until then records may still join.
 */
async function batchFrom<T>(source: Source<T>, since: string): Promise<Page<T>> {
	const all: T[] = [];
	let isPast = false;
	let before: string | undefined;
	for (let pass = 1; ; pass++) {
		const records: T[] = [];
		let number = 0;
		let last = false;
		const isBeyond = () => records.length > 0 && isLater(source.time(records.at(-1)!), since);
		do {
			const page = await source.page(since, ++number);
			records.push(...page.records);
			last = page.last;
		} while (!last && !isBeyond());
		all.push(...records);

		const boundary = records.filter((record) => source.time(record) === since);
		const now = boundary.map((record) => `${source.id(record)}:${source.key(record) ?? ''}`).join();
		const agreed = now === before;
		if (number === 1 || !isBeyond() || agreed || pass === MAX_PASSES) return { records: all, last };
		before = isPast ? now : undefined;
		isPast = true;
	}
}

const isLater = (time: string, than: string) => !than || Date.parse(time) > Date.parse(than);
