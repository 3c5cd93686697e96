import { instantOf } from '../lib/instant';
import type { Chunk, Ordered, Page, RecordClock, Span } from './chunk';
import {
	BEGINNING,
	chunkFrom,
	clockAt,
	latestOf,
	orTimedOut,
	OVERLAP_MS,
	spanOf,
	TIMED_OUT,
	timeOf,
} from './chunk';
import type { Occurrence } from './feed';
import { SeenStore } from './seenStore';

/*
 * The invariant of a cursor:
 * - The watermark is the newest time of a record, as far as everything before it was read, and moves on while nothing
 *   comes. It never goes back, and a record that is dated ahead of all clocks does not move it.
 * - A record can appear with a time in the overlap before the watermark, but no earlier: `settled` is its beginning.
 * - Known by a hash are the records that were born since then, and those that are open, with what has happened to them.
 * - So of an unknown record that was born since then all is told, and of an older one nothing: it was closed before.
 * - A pass reads the list from there, or from the oldest open record, to its end. It may take several polls, and
 *   moves the watermark to where that stood when the pass began.
 */

/** Where a trigger stands in a list that is ordered by time. Plain JSON. */
export interface Cursor {
	/** Where the next pass begins, in ISO 8601. */
	since: string;
	/** The watermark, and when that was. */
	clock: RecordClock;
	/** The watermark less the overlap; later where not all could be remembered; in epoch milliseconds. */
	settled: number;
	/** See `SeenStore`. */
	known: Record<string, string>;
	/** See `Pass`: of a first pass that was unsure of some, which the next one meets. */
	silentUntil?: number;
	/** A pass that has been cut. */
	pass?: Pass;
}

interface Pass {
	/** Where to go on: a time in ISO 8601, and the page from there where more records have that time. */
	at: string;
	page?: number;
	/** When its first page was asked for. */
	began?: Span;
	/** The newest time of a record that was read, and the oldest of an open one; in epoch milliseconds. */
	newest: number;
	oldestOpen?: number;
	/** A time of which not all records have surely been read: the watermark does not pass it. */
	unsure?: number;
	/** What has a time up to here was there at the activation, and is no event; in epoch milliseconds. */
	silentUntil?: number;
}

/** What the cursor needs of a list. */
export interface CursorSource<T> extends Ordered<T> {
	/** The first page of all records, or of those up to a time, newest first. */
	newest: (until?: string) => Promise<Page<T>>;
	/** The open records, where they keep no place in the list. */
	open: () => Promise<T[]>;
	/** See `TimedFeed`. */
	born?: (record: T) => string;
	occurrences: (record: T) => Occurrence[];
	isOpen?: (record: T) => boolean;
	isUncertain?: (record: T) => boolean;
	openForMs?: number;
	onlyNew?: true;
}

/** What a poll has read of a list. */
export interface Advance<T> {
	found: Array<Occurrence & { record: T }>;
	cursor: Cursor;
	/** Whether the list was read to its end. */
	isComplete: boolean;
	/** How many open records had to be forgotten for want of room. */
	forgotten: number;
	/** How many were met for the first time whose times are ahead of all clocks. */
	ahead: number;
}

/** When the rest is left to the next poll. */
export interface ReadLimits {
	/** Whether the time for this poll is over; what was asked for is taken all the same. */
	isOver: () => boolean;
	/** Whether no more events can be told by this poll. */
	isFull: (found: number) => boolean;
}

const iso = (ms: number) => (ms > 0 ? new Date(ms).toISOString() : BEGINNING);

/** Passes begin with whole minutes, so that triggers of one list ask for the same. */
const MINUTE_MS = 60_000;
const minuteOf = (ms: number) => iso(Math.floor(ms / MINUTE_MS) * MINUTE_MS);

const SECOND_MS = 1_000;

/** Uncertain records are followed by whole hours, so that many of them share a time; in all for a day. */
const HOUR_MS = 3_600_000;
const UNCERTAIN_MS = 23 * HOUR_MS;

const isMoving = <T>({ born }: CursorSource<T>) => born !== undefined;

/** Where to start: everything that is there already is no event. One request, unless much is open or new. */
export async function baseline<T>(
	source: CursorSource<T>,
	limits: ReadLimits,
): Promise<Advance<T>> {
	let first = await source.newest();
	const latest = latestOf(first);
	const timesOf = (records: T[]) =>
		records.map((record) => timeOf(source, record)).filter((at) => at <= latest);
	const ahead = first.records.filter((record) => timeOf(source, record) > latest);
	const isHidden = !first.last && timesOf(first.records).length === 0;
	if (isHidden) first = await source.newest(iso(latest));
	const open = await source.open();
	const times = timesOf(first.records);
	const newest = times.reduce((a, b) => Math.max(a, b), 0);
	const follow = isMoving(source) ? 0 : (source.openForMs ?? 0);
	const settled = Math.max(0, newest - Math.max(OVERLAP_MS, follow));
	const isWhole = !isHidden && (first.last || times.some((at) => at < settled));
	const began = spanOf(first);
	const clock = { ...began, time: newest };
	const cursor = { since: minuteOf(settled), clock, settled, known: {} };
	const pass = { at: cursor.since, began, newest, silentUntil: Infinity };
	const reading = new Reading(source, cursor, pass, true);
	reading.takeAll(open, first);
	reading.takeAll(ahead, first);
	const isMeant = (record: T) =>
		timeOf(source, record) >= (isWhole ? settled : newest) || source.isUncertain?.(record);
	reading.takeAll(first.records.filter(isMeant), first);
	if (isWhole) return reading.end();
	// Where all records of the newest time are known, others of that time are new.
	reading.silence(times.some((at) => at < newest) ? newest - 1 : newest);
	return await readOn(reading, limits);
}

/**
 * The events since a cursor, in the order of the list, and the cursor after them. Unless the account has no room, at
 * least one page is read. Nothing is kept when it throws.
 */
export async function advance<T>(
	source: CursorSource<T>,
	cursor: Cursor,
	limits: ReadLimits,
): Promise<Advance<T>> {
	const { since, silentUntil } = cursor;
	const pass = cursor.pass ?? { at: since, newest: 0, silentUntil };
	return await readOn(new Reading(source, cursor, { ...pass }), limits);
}

async function readOn<T>(reading: Reading<T>, limits: ReadLimits): Promise<Advance<T>> {
	for (;;) {
		const isLast = await orTimedOut(async () => await reading.step(limits));
		if (isLast === TIMED_OUT) return reading.cut();
		if (isLast) return reading.end();
		if (limits.isOver() || limits.isFull(reading.found.length)) return reading.cut();
	}
}

/** A pass over a list, in one poll or several. */
class Reading<T> {
	readonly found: Advance<T>['found'] = [];

	private readonly known: SeenStore;

	private ahead = 0;

	private last?: Span;

	constructor(
		private readonly source: CursorSource<T>,
		private readonly cursor: Cursor,
		private readonly pass: Pass,
		private readonly isBaseline = false,
	) {
		this.known = new SeenStore(cursor.known);
	}

	/** Has records up to a time be no events. */
	silence(until: number): void {
		this.pass.silentUntil = until;
	}

	/** Reads on. @returns whether the list has ended */
	async step({ isOver, isFull }: ReadLimits): Promise<boolean> {
		const { source, pass } = this;
		const { at: from, page } = pass;
		const chunk: Chunk<T> = await chunkFrom(source, from, { isOver, page });
		pass.began ??= spanOf(chunk);
		if (!chunk.isWhole) pass.unsure ??= Date.parse(from);
		const inOrder = [...chunk.records].sort(
			(a, b) => (timeOf(source, a) || 0) - (timeOf(source, b) || 0),
		);
		for (const [index, record] of inOrder.entries()) {
			this.takeAll([record], chunk);
			if (!isFull(this.found.length) || index === inOrder.length - 1) continue;
			// The rest of this part is read again.
			pass.at = source.time(record) || from;
			if (timeOf(source, record) > Date.parse(from)) delete pass.page;
			return false;
		}
		pass.at = chunk.at;
		pass.page = chunk.page;
		return chunk.last;
	}

	/** Takes note of records. @param span of the answer that has them */
	takeAll(records: T[], span: Span): void {
		this.last = span;
		for (const record of records) this.take(record, latestOf(span));
	}

	/** @param latest what is later than that is dated ahead */
	private take(record: T, latest: number): void {
		const { source, known, pass } = this;
		const time = timeOf(source, record);
		if (Number.isNaN(time)) return;
		const id = source.id(record);
		const seen = known.get(id);
		if (time <= latest) pass.newest = Math.max(pass.newest, time);
		else if (!seen) this.ahead += 1;
		// What is dated ahead at the activation may have been there.
		const { silentUntil = -Infinity } = pass;
		const isOld = time <= silentUntil || (time > latest && pass.silentUntil !== undefined);
		// At the activation, what happens while the list is read is left to the next poll.
		if (this.isBaseline && (seen || !isOld)) return;
		// Nothing more can happen to it.
		if (seen === 'closed') return;

		const bornAt = (source.born && instantOf(source.born(record))) || time;
		const isOpen = this.isFollowed(record, time, isOld);
		// One that was born ahead of its last change may be of any age.
		const isSettled = !seen && Math.min(bornAt, time) < this.cursor.settled;
		// It was closed before; or, where it moves with each change, it has begun before anything told of it.
		if (isSettled && !(isOpen && (isMoving(source) || isOld))) return;

		const keys = seen ?? new Set<string>();
		this.note(record, keys, !seen && (isSettled || isOld));
		if (!isOpen) return known.set(id, 'closed', bornAt);
		if (!isMoving(source)) {
			pass.oldestOpen = Math.min(pass.oldestOpen ?? Infinity, time);
			return known.set(id, keys, bornAt);
		}
		const isUncertain = source.isUncertain?.(record) === true;
		known.set(id, keys, isUncertain ? Math.ceil(time / HOUR_MS) * HOUR_MS : undefined);
	}

	/** Whether more can happen to a record, and it is not too old to be followed. */
	private isFollowed(record: T, time: number, isOld: boolean): boolean {
		const { isOpen, isUncertain, onlyNew, openForMs } = this.source;
		if (!isOpen?.(record) || (isOld && onlyNew)) return false;
		if (
			isUncertain?.(record) &&
			time < Math.max(this.pass.newest, this.cursor.settled) - UNCERTAIN_MS
		)
			return false;
		const { asked, date = asked } = this.pass.began!;
		return isMoving(this.source) || time >= Math.min(asked, date) - (openForMs ?? Infinity);
	}

	/** Takes note of what has happened to a record. @param isSilent whether that is no event */
	private note(record: T, keys: Set<string>, isSilent: boolean): void {
		for (const occurrence of this.source.occurrences(record)) {
			if (occurrence.isUnsure && !isSilent) continue;
			const { replaces, was = '' } = occurrence;
			const isKnown = keys.has(occurrence.key) || keys.delete(was);
			if (!isSilent && !isKnown) this.found.push({ ...occurrence, record });
			for (const key of keys) if (replaces && key.startsWith(replaces)) keys.delete(key);
			keys.add(occurrence.key);
		}
	}

	/** The list has been read to its end. */
	end(): Advance<T> {
		const { cursor, pass } = this;
		const began = pass.began!;
		const time = Math.max(pass.newest - this.took(), clockAt(cursor.clock, began));
		const watermark = Math.min(time, pass.unsure ?? Infinity);
		const settled = Math.max(cursor.settled, watermark - OVERLAP_MS);
		const since = minuteOf(Math.min(settled, pass.oldestOpen ?? Infinity));
		const { silentUntil } = pass;
		const isSilent = silentUntil !== undefined && pass.unsure !== undefined;
		const next = { since, clock: { ...began, time }, settled, ...(isSilent && { silentUntil }) };
		return this.advance(next, true);
	}

	/** How long the pass has taken by the clock that went faster, unless that is short; in milliseconds. */
	private took(): number {
		const [began, last] = [this.pass.began!, this.last ?? this.pass.began!];
		const byDate = (last.date ?? 0) - (began.date ?? last.date ?? 0);
		const ms = Math.max(last.answered - began.asked, byDate);
		return ms > MINUTE_MS / 2 ? ms : 0;
	}

	/** The rest is left to the next poll. */
	cut(): Advance<T> {
		const { cursor, pass } = this;
		const { asked, date = asked } = pass.began ?? { asked: Infinity };
		// More may be written with the newest time while that lasts.
		const goesOn = this.isBaseline && date - pass.newest < 2 * SECOND_MS;
		if (goesOn && pass.silentUntil === pass.newest) pass.silentUntil -= 1;
		const { since, clock, settled } = cursor;
		return this.advance({ since, clock, settled, pass }, false);
	}

	private advance(next: Omit<Cursor, 'known'>, isComplete: boolean): Advance<T> {
		const { found, known, ahead, pass, source } = this;
		const openBefore = isMoving(source) ? pass.newest - UNCERTAIN_MS : Date.parse(next.since);
		known.forget(next.settled, openBefore);
		const { count, until } = known.shrink();
		// What was forgotten counts as closed, so that it comes no second time.
		const settled = Math.max(next.settled, Math.min(until, pass.newest + 1));
		const cursor = { ...next, settled, known: known.saved() };
		return { found, cursor, isComplete, forgotten: count, ahead };
	}
}
