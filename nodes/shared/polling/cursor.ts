import type { IDataObject } from 'n8n-workflow';
import { hash, HOUR_MS, instantOf, MINUTE_MS, namesByHash, textsBy } from '../lib';
import type { Ordered, Page, Place, RecordClock, Span } from './chunk';
import {
	BEGINNING,
	chunkFrom,
	clockAt,
	latestOf,
	orTimedOut,
	OVERLAP_MS,
	spanOf,
	timeOf,
} from './chunk';
import { MAX_LENGTH, type Event, type FeedRead, type ReadLimits, type TimedFeed } from './feed';

/*
 * The invariant of a cursor:
 * - The watermark is the newest time of a record if everything before it was read. Without new records, it moves with
 *   the clocks. It never moves back, and a record dated ahead of all clocks does not move it.
 * - A record can appear with a time in the overlap before the watermark, but not earlier: `settled` is its beginning.
 * - The seen store has hashes of the records created since `settled`, and of open ones with their reported events.
 * - So all events of an unknown record created since `settled` are reported, and none of an older one: it was closed.
 * - A pass reads the list from `settled`, or from the oldest open record, to its end. It may take several polls, and
 *   sets the watermark of the moment when it began.
 */

/** The position of a trigger in a list that is ordered by time. Plain JSON. */
export interface Cursor {
	/** Where the next pass begins, in ISO 8601. */
	since: string;
	/** The watermark, and the answer that it is from. */
	clock: RecordClock;
	/** The watermark minus the overlap, or later if records were forgotten; in epoch milliseconds. */
	settled: number;
	/** See `SeenStore`. */
	known: Record<string, string>;
	/** See `Pass`: set by a first pass that is unsure of some records, for the next pass. */
	silentUntil?: number;
	/** A pass that continues with the next poll. */
	pass?: Pass;
}

interface Pass extends Place {
	/** When its first page was requested. */
	began?: Span;
	/** The newest time of a record read, and the oldest of an open one; in epoch milliseconds. */
	newest: number;
	oldestOpen?: number;
	/** A time whose records were perhaps not all read: the watermark does not pass it. */
	unsure?: number;
	/** Records up to this time existed at the activation and are not events; in epoch milliseconds. */
	silentUntil?: number;
}

export interface CursorSource
	extends
		Ordered,
		Pick<TimedFeed, 'born' | 'occurrences' | 'isOpen' | 'isUncertain' | 'openForMs' | 'onlyNew'> {
	/** The first page of all records, or of those up to a time, newest first. */
	newest: (until?: string) => Promise<Page>;
	/** The open records, in a list where records move with each change. */
	open: () => Promise<IDataObject[]>;
}

const iso = (ms: number) => (ms > 0 ? new Date(ms).toISOString() : BEGINNING);

/** Passes begin with whole minutes, so that triggers of one list send the same request. */
const minuteOf = (ms: number) => iso(Math.floor(ms / MINUTE_MS) * MINUTE_MS);

/** Uncertain records are followed for a day, in whole hours so that many share a time. */
const UNCERTAIN_MS = 23 * HOUR_MS;

const isMoving = ({ born }: CursorSource) => born !== undefined;

/** Where to start: existing records are not events. One request, unless many are open or new. */
async function baseline(source: CursorSource, limits: ReadLimits): Promise<FeedRead<Cursor>> {
	let first = await source.newest();
	const latest = latestOf(first);
	const timesOf = (records: IDataObject[]) =>
		records.map((record) => timeOf(source, record)).filter((at) => at <= latest);
	const ahead = first.records.filter((record) => timeOf(source, record) > latest);
	const isHidden = !first.last && timesOf(first.records).length === 0;
	if (isHidden) first = await source.newest(iso(latest));
	const open = await source.open();
	const times = timesOf(first.records);
	const newest = Math.max(0, ...times);
	const follow = isMoving(source) ? 0 : (source.openForMs ?? 0);
	const settled = Math.max(0, newest - Math.max(OVERLAP_MS, follow));
	const isWhole = !isHidden && (first.last || times.some((at) => at < settled));
	const began = spanOf(first);
	const clock = { ...began, time: newest };
	const cursor = { since: minuteOf(settled), clock, settled, known: {} };
	const pass: Pass = { at: cursor.since, began, newest, silentUntil: Infinity };
	const reading = new Reading(source, cursor, pass, true);
	const isMeant = (record: IDataObject) =>
		timeOf(source, record) >= (isWhole ? settled : newest) || source.isUncertain?.(record);
	for (const record of [...open, ...ahead, ...first.records.filter(isMeant)]) {
		reading.take(record, first);
	}
	if (isWhole) return reading.end();
	// If all records of the newest time were seen, others of that time are new.
	pass.silentUntil = times.some((at) => at < newest) ? newest - 1 : newest;
	return await readOn(reading, limits);
}

/** The events since a cursor, and the cursor after them; none at first. Reads at least one page if the rate limit allows. */
export async function advance(
	source: CursorSource,
	cursor: Cursor | undefined,
	limits: ReadLimits,
): Promise<FeedRead<Cursor>> {
	if (!cursor) return await baseline(source, limits);
	const { since, silentUntil } = cursor;
	const pass = cursor.pass ?? { at: since, newest: 0, silentUntil };
	return await readOn(new Reading(source, cursor, { ...pass }), limits);
}

async function readOn(reading: Reading, limits: ReadLimits): Promise<FeedRead<Cursor>> {
	for (;;) {
		const isLast = await orTimedOut(reading.step(limits));
		if (isLast === undefined) return reading.cut();
		if (isLast) return reading.end();
		if (limits.isOver() || limits.isFull(reading.events.length)) return reading.cut();
	}
}

/** A pass over a list, in one poll or several. */
class Reading {
	readonly events: Event[] = [];
	private readonly known: SeenStore;
	private ahead = 0;
	private last?: Span;

	constructor(
		private readonly source: CursorSource,
		private readonly cursor: Cursor,
		private readonly pass: Pass,
		private readonly isBaseline = false,
	) {
		this.known = new SeenStore(cursor.known);
	}

	/** Reads the next part. @returns whether the list has ended */
	async step({ isOver, isFull }: ReadLimits): Promise<boolean> {
		const { source, pass } = this;
		const from = pass.at;
		const chunk = await chunkFrom(source, pass, isOver);
		pass.began ??= spanOf(chunk);
		if (!chunk.isWhole) pass.unsure ??= Date.parse(from);
		const inOrder = [...chunk.records].sort(
			(a, b) => (timeOf(source, a) || 0) - (timeOf(source, b) || 0),
		);
		for (const [index, record] of inOrder.entries()) {
			this.take(record, chunk);
			if (!isFull(this.events.length) || index === inOrder.length - 1) continue;
			// The next poll reads the rest of this part again.
			pass.at = source.time(record) || from;
			if (timeOf(source, record) > Date.parse(from)) delete pass.page;
			return false;
		}
		pass.at = chunk.at;
		pass.page = chunk.page;
		return chunk.last;
	}

	/** Processes a record. @param span of its answer */
	take(record: IDataObject, span: Span): void {
		this.last = span;
		const { source, known, pass } = this;
		const latest = latestOf(span);
		const time = timeOf(source, record);
		if (Number.isNaN(time)) return;
		const id = source.id(record);
		const seen = known.get(id);
		if (time <= latest) pass.newest = Math.max(pass.newest, time);
		else if (!seen) this.ahead += 1;
		// A record dated ahead at the activation may have existed before it.
		const { silentUntil = -Infinity } = pass;
		const isOld = time <= silentUntil || (time > latest && pass.silentUntil !== undefined);
		// The next poll reports events that happen during the activation's reading.
		if (this.isBaseline && (seen || !isOld)) return;
		// A closed record has no more events.
		if (seen === 'closed') return;

		const bornAt = (source.born && instantOf(source.born(record))) || time;
		const isOpen = this.isFollowed(record, time, isOld);
		// A creation time long after the last change does not show the age; such a record may be old.
		const isUndated = bornAt > time + OVERLAP_MS;
		const isSettled = !seen && (isUndated || Math.min(bornAt, time) < this.cursor.settled);
		// An old record was closed before, unless it is open and moves with each change or existed at the activation.
		if (isSettled && !(isOpen && (isMoving(source) || isOld))) return;

		const keys = seen ?? new Set<string>();
		this.report(record, keys, !seen && (isSettled || isOld));
		if (!isOpen) return known.set(id, 'closed', bornAt);
		if (!isMoving(source)) {
			pass.oldestOpen = Math.min(pass.oldestOpen ?? Infinity, time);
			return known.set(id, keys, bornAt);
		}
		const isUncertain = source.isUncertain?.(record) === true;
		known.set(id, keys, isUncertain ? Math.ceil(time / HOUR_MS) * HOUR_MS : undefined);
	}

	/** Whether a record can have more events and is not too old to be followed. */
	private isFollowed(record: IDataObject, time: number, isOld: boolean): boolean {
		const { isOpen, isUncertain, onlyNew, openForMs = Infinity } = this.source;
		if (!isOpen?.(record) || (isOld && onlyNew)) return false;
		const newest = Math.max(this.pass.newest, this.cursor.settled);
		if (isUncertain?.(record) && time < newest - UNCERTAIN_MS) return false;
		const { asked, date = asked } = this.pass.began!;
		return isMoving(this.source) || time >= Math.min(asked, date) - openForMs;
	}

	/** Notes the events of a record. @param isSilent whether not to report them */
	private report(record: IDataObject, keys: Set<string>, isSilent: boolean): void {
		for (const occurrence of this.source.occurrences(record)) {
			if (occurrence.isUnsure && !isSilent) continue;
			const { replaces, was = '' } = occurrence;
			const isKnown = keys.has(occurrence.key) || keys.delete(was);
			if (!isSilent && !isKnown) this.events.push({ ...occurrence, record });
			for (const key of keys) if (replaces && key.startsWith(replaces)) keys.delete(key);
			keys.add(occurrence.key);
		}
	}

	/** The result after the end of the list. */
	end(): FeedRead<Cursor> {
		const { cursor, pass } = this;
		const began = pass.began!;
		const { asked, date = 0 } = this.last ?? began;
		const took = Math.max(asked - began.asked, date - (began.date ?? date));
		// The time of the records' clock when the pass began.
		const newest = pass.newest - (took > MINUTE_MS / 2 ? took : 0);
		const time = Math.max(newest, clockAt(cursor.clock, began));
		const watermark = Math.min(time, pass.unsure ?? Infinity);
		const settled = Math.max(cursor.settled, watermark - OVERLAP_MS);
		const since = minuteOf(Math.min(settled, pass.oldestOpen ?? Infinity));
		const silentUntil = pass.unsure === undefined ? undefined : pass.silentUntil;
		return this.result({ since, clock: { ...began, time }, settled, silentUntil }, true);
	}

	/** The result when the next poll continues. */
	cut(): FeedRead<Cursor> {
		const { cursor, pass } = this;
		const { asked, date = asked } = pass.began ?? { asked: Infinity };
		// More records may get the newest time while it lasts.
		const mayGetMore = this.isBaseline && date - pass.newest < 2_000;
		if (mayGetMore && pass.silentUntil === pass.newest) pass.silentUntil -= 1;
		const { since, clock, settled } = cursor;
		return this.result({ since, clock, settled, pass }, false);
	}

	private result(next: Omit<Cursor, 'known'>, isComplete: boolean): FeedRead<Cursor> {
		const { events, known, ahead, pass, source } = this;
		const openBefore = isMoving(source) ? pass.newest - UNCERTAIN_MS : Date.parse(next.since);
		known.forget(next.settled, openBefore);
		const { count, until } = known.shrink();
		// Forgotten records count as closed, so that they are not reported again.
		const settled = Math.max(next.settled, Math.min(until, pass.newest + 1));
		const memory = { ...next, settled, known: known.saved() };
		return { events, memory, isComplete, forgotten: count, ahead };
	}
}

/** Characters: 10,000 records fit into the state, and then one new record in seven million has the hash of another. */
const HASH_LENGTH = 6;

/** Precision of stored times, so that many records share one. */
const STEP_MS = 10_000;

/** Share of the entries that is forgotten at a time when the store is full. */
const FORGOTTEN_SHARE = 0.03;

/** Hashes of the records that may be read again, with the events of open ones; short, because n8n stores it. */
export class SeenStore {
	/** By hash, `step`, or of an open record `step:keys` with the sorted keys of its events; no step if it has no limit. */
	private readonly entries: Map<string, string>;

	/** @param saved as `saved` gives it: the hashes by entry */
	constructor(saved?: Record<string, string>) {
		this.entries = new Map(namesByHash(saved, HASH_LENGTH));
	}

	/** The keys of an open record's events; undefined if the record is unknown. */
	get(id: string): Set<string> | 'closed' | undefined {
		const entry = this.entries.get(hash(id, HASH_LENGTH));
		const [, keys] = entry?.split(':') ?? [];
		if (keys !== undefined) return new Set(keys.split(',').filter(Boolean));
		return entry === undefined ? undefined : 'closed';
	}

	/**
	 * @param keys of an open record's events; a closed one has no more events
	 * @param at the time by which it is forgotten, in epoch milliseconds. @default never
	 */
	set(id: string, keys: Set<string> | 'closed', at?: number): void {
		const step = at === undefined ? '' : Math.floor(at / STEP_MS).toString(36);
		const entry = keys === 'closed' ? step : `${step}:${[...keys].sort().join()}`;
		this.entries.set(hash(id, HASH_LENGTH), entry);
	}

	/** Forgets closed and open records whose time is earlier, in epoch milliseconds. */
	forget(closedBefore: number, openBefore: number): void {
		for (const [key, entry] of this.entries) {
			if (endOf(entry) <= (hasKeys(entry) ? openBefore : closedBefore)) this.entries.delete(key);
		}
	}

	/**
	 * Forgets the oldest records until the rest fits; those without a time limit come last.
	 * @returns the number of open ones forgotten, and the end of the time of forgotten ones, in epoch milliseconds
	 */
	shrink(): { count: number; until: number } {
		let [count, until] = [0, 0];
		while (JSON.stringify(this.saved()).length > MAX_LENGTH) {
			const oldest = [...this.entries].sort(([, one], [, other]) => stepOf(one) - stepOf(other));
			for (const [key, entry] of oldest.slice(0, Math.ceil(oldest.length * FORGOTTEN_SHARE))) {
				this.entries.delete(key);
				if (hasKeys(entry)) count += 1;
				until = Math.max(until, endOf(entry));
			}
		}
		return { count, until };
	}

	saved(): Record<string, string> {
		return textsBy(this.entries, (entry) => entry);
	}
}

const hasKeys = (entry: string) => entry.includes(':');

/** The time by which it is forgotten, in steps. */
const stepOf = (entry: string) => (entry.startsWith(':') ? Infinity : parseInt(entry, 36));

const endOf = (entry: string) => (stepOf(entry) + 1) * STEP_MS;
