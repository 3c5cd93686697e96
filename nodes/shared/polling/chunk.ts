import type { IDataObject } from 'n8n-workflow';
import { OutOfTime } from '../client/limiter';
import { instantOf } from '../lib';

/** A list that can be read by a time, oldest first. */
export interface Ordered {
	/** A page of the records at or after a time, oldest first. */
	page: (from: string, page: number) => Promise<Page>;
	/** A page of the records with exactly this time. */
	at: (time: string, page: number) => Promise<Page>;
	id: (record: IDataObject) => string;
	/** The time that the list is ordered by, in ISO 8601; an empty text when a record has none. */
	time: (record: IDataObject) => string;
}

/** When a request was sent by n8n's clock, and the `Date` header of its answer; in epoch milliseconds. */
export interface Span {
	asked: number;
	date?: number;
}

export interface Page extends Span {
	records: IDataObject[];
	/** Whether the list ends with this page. */
	last: boolean;
	/** How many records the whole list has, where the service reports it. */
	total?: number;
}

/** A record, or a change of one, may appear in a list with a time that is this much earlier than the newest one. */
export const OVERLAP_MS = 600_000;

/** A record may be dated this much later than the clocks without counting as dated ahead. */
const AHEAD_MS = 150_000;

/** The latest time that a record can have without being dated ahead of both clocks. */
export const latestOf = ({ asked, date = asked }: Span) => Math.max(asked, date) + AHEAD_MS;

/** The time of the records' clock at a request, in epoch milliseconds. */
export interface RecordClock extends Span {
	time: number;
}

/** The least time of the records' clock at a later request: by the slower clock; unchanged without a `Date` header. */
export function clockAt({ time, asked, date = Infinity }: RecordClock, later: Span): number {
	return time + Math.max(0, Math.min(later.asked - asked, (later.date ?? 0) - date));
}

export const spanOf = ({ asked, date }: Span): Span => ({ asked, date });

/** In epoch milliseconds; NaN when a record has none. */
export const timeOf = ({ time }: Pick<Ordered, 'time'>, record: IDataObject) =>
	instantOf(time(record));

export const BEGINNING = '1970-01-01T00:00:00.000Z';

/** Undefined if the rate limit leaves no request within the time of this poll. */
export async function orTimedOut<T>(work: Promise<T>): Promise<T | undefined> {
	return await work.catch((error: unknown) => {
		if (!(error instanceof OutOfTime)) throw error;
		return undefined;
	});
}

/** Where to continue a list. */
export interface Place {
	/** A time in ISO 8601. */
	at: string;
	/** The page from that time, if more records have it than were read. @default 1 */
	page?: number;
}

/** The next part of a list, and where to continue. */
export interface Chunk extends Page, Place {
	/** Whether all records of a time that fills pages were read for certain. */
	isWhole: boolean;
}

/**
 * The next records at or after a time: a page, or as many as needed to get past a time that fills pages. By time, not
 * by page number, nothing is missed when records leave the part that was read.
 * @param isOver whether the time for this poll is over; called once after each request
 */
export async function chunkFrom(
	list: Ordered,
	{ at: from, page = 1 }: Place,
	isOver = () => false,
): Promise<Chunk> {
	const first = await list.page(from, page);
	if (isPast(list, first, from)) {
		return { ...first, at: latest(list, first.records, from), isWhole: page === 1 };
	}
	const next = { ...first, at: from, page: page + 1, isWhole: false };
	return page > 1 || isOver() ? next : await readTied(list, from, first, isOver);
}

const isPast = (list: Ordered, { records, last }: Page, from: string) =>
	last || timeOf(list, records.at(-1)!) > Date.parse(from);

const latest = (list: Ordered, records: IDataObject[], from: string) =>
	records.reduce(
		(at, record) => (timeOf(list, record) > Date.parse(at) ? list.time(record) : at),
		from,
	);

/** Rounds over the records of one time until they count as read, in any order of the service. */
const MAX_ROUNDS = 30;

/** Reads a time that fills pages until all of its records have been seen: their order may differ in each answer. */
async function readTied(list: Ordered, time: string, first: Page, isOver: () => boolean) {
	let read = first;
	const add = (page: Page) => {
		read = { ...page, asked: first.asked, records: [...read.records, ...page.records] };
	};
	const cut = (page = 2) => ({ ...read, at: time, page, isWhole: false, last: false });
	const seen = new Set<string>();
	let total: number | undefined;
	let number = 1;
	let rounds = 0;
	for (; ; number++) {
		const page = await orTimedOut(list.at(time, number));
		if (!page) return cut();
		add(page);
		const hasChanged = total !== undefined && page.total !== total;
		total = page.total;
		if (hasChanged) seen.clear();
		for (const record of page.records) seen.add(list.id(record));
		if ((total === undefined ? page.last : seen.size >= total) || rounds === MAX_ROUNDS) break;
		if (isOver()) return cut();
		if (!page.last && !hasChanged) continue;
		rounds += 1;
		number = 0;
	}
	// Continue with the page of the last record of the time. If some left meanwhile, others may have moved up unseen.
	let isWhole = rounds < MAX_ROUNDS;
	number = total === undefined ? number : Math.max(1, Math.ceil(total / first.records.length));
	for (let isFirst = true; ; isFirst = false, number++) {
		const rest = isOver() ? undefined : await orTimedOut(list.page(time, number));
		if (!rest) return cut(Math.max(2, number));
		add(rest);
		const isTied = (record: IDataObject) => !(timeOf(list, record) > Date.parse(time));
		if (isFirst && number > 1) isWhole &&= rest.records.some(isTied);
		if (isPast(list, rest, time)) return { ...read, at: latest(list, rest.records, time), isWhole };
	}
}

export async function allOf(list: Ordered): Promise<IDataObject[]> {
	let chunk = await chunkFrom(list, { at: BEGINNING });
	const records = [...chunk.records];
	while (!chunk.last) {
		chunk = await chunkFrom(list, chunk);
		records.push(...chunk.records);
	}
	return records;
}
