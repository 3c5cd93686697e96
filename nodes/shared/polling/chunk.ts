import { OutOfTime } from '../transport/pacing/limiter';
import { orTimedOut, TIMED_OUT } from './orTimedOut';
import { instantOf } from '../lib/instant';
import { hash, hashesIn } from './seenStore';
import type { Span } from './recordClock';

/** A list that can be read by a time, oldest first. */
export interface Ordered<T> {
	/** A page of the records at or after a time, oldest first. */
	page: (from: string, page: number) => Promise<Page<T>>;
	/** The records with exactly this time, a page of them, and how many there are. */
	at: (time: string, page: number) => Promise<Page<T> & { total?: number }>;
	id: (record: T) => string;
	/** The time that the list is ordered by, in ISO 8601; an empty text when a record has none. */
	time: (record: T) => string;
}

export interface Page<T> extends Span {
	records: T[];
	/** Whether the list ends with this page. */
	last: boolean;
}

/**
 * A record, or a change of one, may appear in a list so much later than its time says: two minutes, and what the
 * clocks of several servers may differ by.
 */
export const APPEARS_LATE_MS = 150_000;

/** In epoch milliseconds; NaN when a record has none. */
export const timeOf = <T>({ time }: Pick<Ordered<T>, 'time'>, record: T) => instantOf(time(record));

/** The next part of a list. */
export interface Chunk<T> extends Span {
	records: T[];
	/** The time to go on from. */
	at: string;
	/** Whether the list ends with it. */
	last: boolean;
	/** Where the time was over before all records of a time were read. */
	tieRun?: TieRun;
}

/** More records of one time than fit on a page, as far as they have been read. Plain JSON. */
export interface TieRun {
	perPage: number;
	/** The page to go on with. */
	page: number;
	/** How many there are, as the last answer told. */
	total?: number;
	/** How many different ones have been read; -1 where that can not be said any more. */
	count: number;
	/** Their hashes, as long as they are few: what was known before the run was met is not counted yet. */
	ids?: string;
	/** Whether this round has met one that was not known, and how many rounds have met none. */
	isNew: boolean;
	quiet: number;
}

interface Pace<T> {
	/** Whether the time for this poll is over. */
	isOver: () => boolean;
	/** Whether an earlier poll has read the record. */
	isKnown: (record: T) => boolean;
	tieRun?: TieRun;
}

/**
 * The next records at or after a time: a page, or what it takes to get past a time that fills pages. To go on from a
 * time, and not from a page number, misses nothing when records leave the part that has been read; those of the last
 * time come twice.
 */
export async function chunkFrom<T>(
	list: Ordered<T>,
	from: string,
	pace: Pace<T> = { isOver: () => false, isKnown: () => false },
): Promise<Chunk<T>> {
	let { tieRun: before } = pace;
	if (!before) {
		const first = await list.page(from, 1);
		const isStuck = !first.last && timeOf(list, first.records.at(-1)!) <= Date.parse(from);
		if (!isStuck) return { ...first, at: latest(list, first.records, from) };
		before = { perPage: first.records.length, page: 1, count: 0, isNew: false, quiet: 0 };
	}
	const { records, tieRun, isWhole, ...span } = await allAt(list, from, before, pace);
	const total = tieRun.total ?? records.length;
	const rest = isWhole
		? await orTimedOut(async () => await past(list, from, total, tieRun.perPage))
		: TIMED_OUT;
	if (rest === TIMED_OUT) return { ...span, records, at: from, last: false, tieRun };
	const { last, answered } = rest;
	const all = [...records, ...rest.records];
	return { asked: span.asked, answered, records: all, at: latest(list, rest.records, from), last };
}

/** All records of a list. */
export async function allOf<T>(list: Ordered<T>): Promise<T[]> {
	const records: T[] = [];
	for (let [at, isLast] = [BEGINNING, false]; !isLast;) {
		const chunk = await chunkFrom(list, at);
		records.push(...chunk.records);
		[at, isLast] = [chunk.at, chunk.last];
	}
	return records;
}

/** Before all records. */
export const BEGINNING = '1970-01-01T00:00:00.000Z';

const latest = <T>(list: Ordered<T>, records: T[], from: string) =>
	records.reduce(
		(at, record) => (timeOf(list, record) > Date.parse(at) ? list.time(record) : at),
		from,
	);

/** The page with the last record of a time and others after it, and all before it that hide some of these. */
async function past<T>(
	list: Ordered<T>,
	time: string,
	total: number,
	perPage: number,
): Promise<Page<T>> {
	const isAtTime = (record: T | undefined) =>
		record !== undefined && timeOf(list, record) <= Date.parse(time);
	let number = Math.max(1, Math.ceil(total / perPage));
	let page = await list.page(time, number);
	const records = [...page.records];
	while (!page.last && isAtTime(page.records.at(-1))) {
		page = await list.page(time, ++number);
		records.push(...page.records);
	}
	const { last, asked } = page;
	// Some may have left meanwhile, and others moved up unseen: back to where that time is met.
	while (number > 1 && !isAtTime(page.records[0])) {
		page = await list.page(time, --number);
		records.push(...page.records);
	}
	return { records, last, asked, answered: page.answered };
}

/** Rounds over the records of a time; more than it takes in any order that a service may give. */
const MAX_ROUNDS = 30;

/** Rounds without news after which there are none, in any order. */
const QUIET_ROUNDS = 3;

/** Of so many the hashes are kept from poll to poll. */
const FEW = 500;

/**
 * All records of a time. They have no order among themselves, which may be another one in each answer, and some may
 * leave meanwhile, so that others move up: they are read until as many are known as there are, counted anew where some
 * have left. Where they are too many to be counted, until rounds over all of them meet none that is new.
 */
async function allAt<T>(
	list: Ordered<T>,
	time: string,
	before: TieRun,
	{ isOver, isKnown, tieRun: earlier }: Pace<T>,
): Promise<Span & { records: T[]; tieRun: TieRun; isWhole: boolean }> {
	const records: T[] = [];
	const { ids, ...tieRun }: TieRun = { ...before };
	// Of many, what an earlier poll has read is taken for counted.
	const isExact = !earlier || ids !== undefined;
	const counted = new Set(hashesIn(ids));
	const kept = () => ({
		...tieRun,
		...(isExact && counted.size <= FEW && { ids: [...counted].join('') }),
	});
	let span: Span | undefined;
	for (let round = 0; round < MAX_ROUNDS;) {
		const page = await orTimedOut(async () => await list.at(time, tieRun.page));
		if (page === TIMED_OUT) {
			if (!span) throw new OutOfTime();
			return { ...span, records, tieRun: kept(), isWhole: false };
		}
		span = { asked: span?.asked ?? page.asked, answered: page.answered };
		records.push(...page.records);
		// Some have left: those that are there now are counted anew, where it is known which were.
		const isAnew = tieRun.total !== undefined && page.total !== tieRun.total;
		if (isAnew) {
			counted.clear();
			Object.assign(tieRun, { count: isExact ? 0 : -1, quiet: 0 });
		}
		tieRun.total = page.total;
		for (const record of page.records) {
			const id = hash(list.id(record));
			if (counted.has(id) || (!isExact && isKnown(record))) continue;
			counted.add(id);
			tieRun.isNew = true;
			if (tieRun.count >= 0) tieRun.count += 1;
		}
		const isRound = page.last && !isAnew;
		if (isRound) {
			tieRun.quiet = tieRun.isNew ? 0 : tieRun.quiet + 1;
			round += 1;
		}
		// Where it can not be counted, only rounds without news tell.
		const isQuiet = !isExact && tieRun.quiet >= QUIET_ROUNDS;
		const isWhole = tieRun.count >= (page.total ?? 0) || isQuiet || page.total === undefined;
		if (isWhole && (page.last || page.total !== undefined))
			return { ...span, records, tieRun: kept(), isWhole: true };
		if (isRound) tieRun.isNew = false;
		tieRun.page = isRound || isAnew ? 1 : tieRun.page + 1;
		if (isOver()) return { ...span, records, tieRun: kept(), isWhole: false };
	}
	return { ...span!, records, tieRun, isWhole: true };
}
