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
	/** A page of the records at or after `since`, oldest first; all records when it is empty. */
	page: (since: string, page: number) => Promise<Page<T>>;
	/** A page of all records, newest first. */
	newest: (page: number) => Promise<Page<T>>;
	/** The time that the list is ordered by. */
	time: (record: T) => string;
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

/** Where to start: everything that is there already is no event. One request, unless many share the newest time. */
export async function baseline<T>(source: Source<T>): Promise<Cursor> {
	const seen: string[] = [];
	let watermark = '';
	for (let number = 1; ; number++) {
		const { records, last } = await source.newest(number);
		watermark ||= records[0] ? source.time(records[0]) : '';
		const latest = records.filter((record) => source.time(record) === watermark);
		seen.push(...latest.flatMap((record) => source.key(record) ?? []));
		if (last || latest.length < records.length) return { watermark, seen };
	}
}

/**
 * The events since a cursor, oldest first, and the cursor after them. It reads on by time, not by page number,
 * because records move while the list is read; within one time it has to page. Nothing is kept when it throws.
 */
export async function advance<T>(
	source: Source<T>,
	cursor: Cursor,
): Promise<{ events: T[]; cursor: Cursor }> {
	const seen = new Set(cursor.seen);
	const times = new Map<string, string>();
	const events: T[] = [];
	let { watermark } = cursor;
	for (let number = 1; ;) {
		const { records, last } = await source.page(watermark, number);
		for (const record of records) {
			const key = source.key(record);
			if (key === undefined) continue;
			if (!seen.has(key)) events.push(record);
			// Moved to the end: the keys of the latest time are the last to be forgotten.
			seen.delete(key);
			seen.add(key);
			times.set(key, source.time(record));
		}
		const latest = records.length > 0 ? source.time(records.at(-1)!) : watermark;
		const moved = isLater(latest, watermark);
		if (moved) watermark = latest;
		if (last) {
			const atBoundary = [...times.values()].filter((time) => time === watermark).length;
			const kept = [...seen].slice(-Math.max(MAX_SEEN, atBoundary));
			return { events, cursor: { watermark, seen: kept } };
		}
		number = moved ? 1 : number + 1;
	}
}

const isLater = (time: string, than: string) => !than || Date.parse(time) > Date.parse(than);
