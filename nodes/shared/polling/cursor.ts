import type { Occurrence } from './feed';
import { Seen } from './seen';

/** Where a trigger stands in a list that is ordered by time. Only times of the service are in it, in ISO 8601. */
export interface Cursor {
	/** When the trigger was switched on. */
	begun: string;
	/** From here on the list is read again: what is earlier has been seen and does not change any more. */
	since: string;
	/** What must not be emitted again; see `Seen`. */
	seen: string[];
	/** Nothing up to here is looked at any more, because what was seen of it has been forgotten. */
	floor?: string;
}

/** What the cursor needs of a list. */
export interface Source<T> {
	/** A page of the records at or after `since`, oldest first; of all records when it is empty. */
	page: (since: string, page: number) => Promise<Page<T>>;
	/** The first page of all records, newest first. */
	newest: () => Promise<Page<T>>;
	/** The time that the list is ordered by. */
	time: (record: T) => string;
	/** Tells records apart. */
	id: (record: T) => string;
	/** See `TimedFeed`. */
	occurrences: (record: T, begun: string) => Occurrence[];
	isOpen?: (record: T) => boolean;
	openForMs?: number;
}

export interface Page<T> {
	records: T[];
	/** Whether the list ends with this page. */
	last: boolean;
	/** The service's clock when it answered, in epoch milliseconds; undefined when it does not tell. */
	now?: number;
}

export interface Emitted<T> extends Occurrence {
	record: T;
	/** The record's place in the list. */
	time: string;
}

/** A record may appear in the list so much later than its time says. */
export const LATE_MS = 120_000;

/** A time with more records than a page is read until two passes agree, but not for ever. */
const MAX_PASSES = 10;

const iso = (ms: number) => new Date(ms).toISOString();

/** Where to start: everything that is there already is no event. One request, unless much is still open or new. */
export async function baseline<T>(source: Source<T>, capacity: number): Promise<Cursor> {
	const first = await source.newest();
	const [newest] = first.records;
	const now = first.now ?? (newest && Date.parse(source.time(newest)));
	if (now === undefined) return { begun: '', since: '', seen: [] };

	const reach = now - Math.max(LATE_MS, source.openForMs ?? 0);
	const oldest = first.records.at(-1);
	const whole = first.last || (oldest && Date.parse(source.time(oldest)) < reach);
	const cursor = { begun: iso(now), since: iso(reach), seen: [] };
	const from = whole ? { ...source, page: async () => ({ ...first, last: true }) } : source;
	return (await advance(from, cursor, { capacity })).cursor;
}

interface Limits {
	/** How many events are remembered. */
	capacity: number;
	/** After how many events the rest is left to the next poll. */
	most?: number;
	/** Whether the time for this poll is over: then the rest is left to the next one. */
	isOver?: () => boolean;
}

/**
 * The events since a cursor, in the order of the list, and the cursor after them. It reads on by time, not by page
 * number, because records move while the list is read. Nothing is kept when it throws.
 */
export async function advance<T>(
	source: Source<T>,
	cursor: Cursor,
	{ capacity, most = Infinity, isOver = () => false }: Limits,
): Promise<{ events: Array<Emitted<T>>; cursor: Cursor }> {
	const seen = new Seen(cursor.seen);
	const events: Array<Emitted<T>> = [];
	const open: number[] = [];
	let now = Infinity;
	let from = cursor.since;
	let complete = false;
	while (!complete) {
		const batch = await batchFrom(source, from);
		now = Math.min(now, batch.now ?? Infinity);
		for (const record of batch.records) {
			const time = source.time(record);
			if (cursor.floor && !isLater(time, cursor.floor)) continue;
			for (const occurrence of source.occurrences(record, cursor.begun)) {
				if (!seen.has(occurrence)) events.push({ ...occurrence, record, time });
				seen.add(occurrence, Date.parse(time));
			}
			if (source.isOpen?.(record)) open.push(Date.parse(time));
		}
		const last = batch.records.at(-1);
		if (last && isLater(source.time(last), from)) from = source.time(last);
		complete = batch.last;
		if (isOver() || events.length >= most) break;
	}

	// Without a clock of the service its newest time is the best that is known.
	const clock = now === Infinity ? Date.parse(from || '1970-01-01T00:00:00Z') : now;
	const settled = Math.min(clock - LATE_MS, complete ? Infinity : Date.parse(from));
	const oldestOpen = open.filter((time) => time >= clock - (source.openForMs ?? 0));
	const since = Math.max(
		Math.min(settled, ...oldestOpen),
		cursor.since ? Date.parse(cursor.since) : -Infinity,
	);
	const forgotten = seen.shrink(capacity, since);
	const floor = forgotten === undefined ? cursor.floor : iso(forgotten);
	const kept = { begun: cursor.begun, since: iso(Math.max(since, forgotten ?? since)) };
	return { events, cursor: { ...kept, seen: seen.entries(), ...(floor && { floor }) } };
}

/**
 * The next records at or after a time: a page, or as many as it takes to get past that time. A record that leaves
 * that time while those pages are read hides another one, so they are read until two passes agree; and only
 * passes count that begin when a later time is known, because until then records may still join.
 */
async function batchFrom<T>(source: Source<T>, since: string): Promise<Page<T>> {
	const all: T[] = [];
	let now: number | undefined;
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
			now ??= page.now;
		} while (!last && !isBeyond());
		all.push(...records);

		const boundary = records.filter((record) => !isLater(source.time(record), since));
		const state = boundary.map((record) => describe(source, record)).join();
		const agreed = state === before;
		if (number === 1 || !isBeyond() || agreed || pass === MAX_PASSES) {
			return { records: all, last, now };
		}
		before = isPast ? state : undefined;
		isPast = true;
	}
}

const describe = <T>(source: Source<T>, record: T) => {
	const keys = source.occurrences(record, '').map(({ key, value = '' }) => `${key} ${value}`);
	return `${source.id(record)}:${keys.join('+')}`;
};

const isLater = (time: string, than: string) => !than || Date.parse(time) > Date.parse(than);
