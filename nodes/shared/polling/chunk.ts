import { OutOfTime } from '../client/limiter';
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
	/** Once all have been read, the page of the whole list to go on with to get past them, and how far that has come. */
	past?: number;
	reached?: string;
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
 * time come twice. After each request the time can be over: what was read until then is kept in the tie run.
 */
export async function chunkFrom<T>(
	list: Ordered<T>,
	from: string,
	{ isOver, isKnown, tieRun: earlier }: Pace<T> = { isOver: () => false, isKnown: () => false },
): Promise<Chunk<T>> {
	const first = earlier ? undefined : await list.page(from, 1);
	const isPastTime = ({ records, last }: Page<T>) =>
		last || timeOf(list, records.at(-1)!) > Date.parse(from);
	if (first && isPastTime(first)) return { ...first, at: latest(list, first.records, from) };
	const tie = new TieReading(list, from, isKnown, earlier ?? first!.records.length);
	const pages: Array<Page<T>> = [];
	for (let hasRead = first !== undefined; !tie.isPast && !(hasRead && isOver()); hasRead = true) {
		const page = await orTimedOut(async () => await tie.step());
		if (page === TIMED_OUT && !hasRead) throw new OutOfTime();
		if (page === TIMED_OUT) break;
		pages.push(page);
	}
	const read = pages.length > 0 || !first ? pages : [first];
	const records = read.flatMap((page) => page.records);
	const span = { asked: (first ?? read[0]!).asked, answered: read.at(-1)!.answered };
	if (!tie.isPast) return { ...span, records, at: from, last: false, tieRun: tie.saved() };
	return { ...span, records, at: latest(list, records, tie.reached), last: tie.isLast };
}

/** All records of a list. */
export async function allOf<T>(list: Ordered<T>): Promise<T[]> {
	let records: T[] = [];
	for (let [at, isLast] = [BEGINNING, false]; !isLast;) {
		const chunk = await chunkFrom(list, at);
		records = records.concat(chunk.records);
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

/** Rounds over the records of a time; more than it takes in any order that a service may give. */
const MAX_ROUNDS = 30;

/** Rounds without news after which there are none, in any order. */
const QUIET_ROUNDS = 3;

/** Of so many the hashes are kept from poll to poll. */
const FEW = 500;

/** The way past the records of a time that fill pages, a request at a time. */
class TieReading<T> {
	isPast = false;

	isLast = false;

	private readonly run: TieRun;

	private readonly counted: Set<string>;

	/** Of many, what an earlier poll has read is taken for counted. */
	private readonly isExact: boolean;

	private rounds = 0;

	/** @param begun the run as an earlier poll has left it, or how many records a page has */
	constructor(
		private readonly list: Ordered<T>,
		private readonly time: string,
		private readonly isKnown: (record: T) => boolean,
		begun: TieRun | number,
	) {
		const isNew = typeof begun === 'number';
		const { ids, ...run } = isNew
			? { ids: '', perPage: begun, page: 1, count: 0, isNew: false, quiet: 0 }
			: begun;
		this.run = run;
		this.counted = new Set(hashesIn(ids));
		this.isExact = isNew || ids !== undefined;
	}

	get reached(): string {
		return this.run.reached ?? this.time;
	}

	saved(): TieRun {
		const { run, counted, isExact } = this;
		const keepsIds = run.past === undefined && isExact && counted.size <= FEW;
		return { ...run, ...(keepsIds && { ids: [...counted].join('') }) };
	}

	async step(): Promise<Page<T>> {
		return await (this.run.past === undefined ? this.readTime() : this.readPast(this.run.past));
	}

	/**
	 * A page of the records of the time. They have no order among themselves, which may be another one in each answer,
	 * and some may leave meanwhile, so that others move up: they are read until as many are known as there are, counted
	 * anew where some have left. Where they are too many to be counted, until rounds over all of them meet none that is new.
	 */
	private async readTime(): Promise<Page<T>> {
		const { list, time, run, counted, isExact } = this;
		const page = await list.at(time, run.page);
		const { total, last } = page;
		// Some have left: those that are there now are counted anew, where it is known which were.
		const isAnew = run.total !== undefined && total !== run.total;
		if (isAnew) {
			counted.clear();
			Object.assign(run, { count: isExact ? 0 : -1, quiet: 0 });
		}
		run.total = total;
		for (const record of page.records) {
			const id = hash(list.id(record));
			if (counted.has(id) || (!isExact && this.isKnown(record))) continue;
			counted.add(id);
			run.isNew = true;
			if (run.count >= 0) run.count += 1;
		}
		const isRound = last && !isAnew;
		if (isRound) {
			Object.assign(run, { quiet: run.isNew ? 0 : run.quiet + 1, isNew: false });
			this.rounds += 1;
		}
		// Where it can not be counted, only rounds without news tell.
		const isQuiet = !isExact && run.quiet >= QUIET_ROUNDS;
		const isWhole = total === undefined ? last : run.count >= total || isQuiet;
		if (isWhole || this.rounds >= MAX_ROUNDS) {
			run.past = Math.max(1, total === undefined ? run.page : Math.ceil(total / run.perPage));
		} else run.page = isRound || isAnew ? 1 : run.page + 1;
		return page;
	}

	/** The page with the last record of the time and others after it, and all before it that hide some of these. */
	private async readPast(number: number): Promise<Page<T>> {
		const { list, time, run } = this;
		const page = await list.page(time, number);
		const isAtTime = (record: T | undefined) =>
			record !== undefined && timeOf(list, record) <= Date.parse(time);
		const [first] = page.records;
		this.isLast ||= page.last;
		if (run.reached === undefined && !page.last && isAtTime(page.records.at(-1)))
			run.past = number + 1;
		else if (number > 1 && !isAtTime(first)) {
			// Some may have left meanwhile, and others moved up unseen: back to where that time is met.
			run.past = number - 1;
			run.reached ??= first ? list.time(first) : time;
		} else this.isPast = true;
		return page;
	}
}
