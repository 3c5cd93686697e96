import { omit } from '../lib/records';
import type { Occurrence } from './feed';
import { orTimedOut, TIMED_OUT } from './orTimedOut';
import { SeenStore } from './seenStore';
import { instantOf } from '../lib/instant';
import type { Moment, Newest } from './recordClock';
import { clockAt, clockBy, fellBehind, latestOf, STEP_MS, wasSet } from './recordClock';
import type { Ordered, Page, TieRun } from './chunk';
import { APPEARS_LATE_MS, BEGINNING, chunkFrom, timeOf } from './chunk';

/*
 * What a cursor has to hold, from the beginning:
 *
 * - A list is read in passes, oldest first, from `since` on. It is read on by time, not by page number: records move
 *   while it is read. A pass begins where the next change can be, and ends at the end of the list. When the time for
 *   a poll is over, `pass` keeps where it stood, and the next poll goes on there.
 * - A record may appear in the list up to `LATE_MS` later than its time says. So at the end of a pass only what was
 *   born `LATE_MS` before the pass began is settled: all of that has been read. What is younger is remembered, with
 *   what has happened to it, because it will be read again.
 * - What is settled and open, so that more can happen to it, is remembered until it is closed. A settled record that
 *   is not remembered was closed before: whatever touches it is no event, and nothing of it needs to be kept.
 * - Times are those of the records. The headers of answers, and n8n's clock, only tell how much time has passed since
 *   a record was seen, and the one that says less is believed; see `clockAt`. A record that is dated ahead of both
 *   does not move it.
 * - A clock may be set back. What was closed is remembered `STEP_BACK_MS` longer than it has to be, so that the settled
 *   time can go back as well: what gets an earlier time then is an event, and what had it before is known.
 * - What is remembered is small and bounded. Where a burst is too large for it, the settled time moves up, so that
 *   late records of the burst are not looked at; no event can come again by that.
 */

/** Where a trigger stands in a list that is ordered by time. Plain JSON; times are those of the records. */
export interface Cursor {
	/** Where the next pass begins, in ISO 8601. */
	since: string;
	/** What was born before has been read, and is remembered or closed; in epoch milliseconds. */
	settled: number;
	/** See `Known`. */
	known: Record<string, string>;
	newest?: Newest;
	/** The last answer. */
	heard?: Moment;
	/**
	 * The latest time that the service has told, or would have if no clock had been set. Until it tells it again, what is
	 * there may have been written before that: no record moves the records' clock; in epoch milliseconds.
	 */
	latest?: number;
	/** Records before it that have been told may be forgotten; it only moves on, in epoch milliseconds. */
	keptFrom?: number;
	/** Whether a clock was set in the midst of a pass that had gone back already: the next one goes back as well. */
	isSet?: true;
	/** A pass that has been cut. */
	pass?: Pass;
}

/** The farthest that the settled time goes back when a clock is set. */
export const STEP_BACK_MS = 900_000;

interface Pass {
	/** Where to go on, in ISO 8601. */
	at: string;
	/** What has been read there of more records than fit on a page. */
	tieRun?: TieRun;
	/** When its first page was asked for. */
	began?: Moment;
	/** The time of the oldest record that is open, of those read until now; in epoch milliseconds. */
	oldestOpen?: number;
	/** What has a time up to here was there at the activation, and is no event; in epoch milliseconds. */
	silentUntil?: number;
	/** Whether it went back because a clock was set; it does so once, where each answer has another time as well. */
	isBack?: true;
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

export interface FoundOccurrence<T> extends Occurrence {
	record: T;
	/** No later than it happened, in epoch milliseconds. */
	time: number;
}

/** What a poll has read of a list. */
export interface Advance<T> {
	found: Array<FoundOccurrence<T>>;
	cursor: Cursor;
	/** Whether the list was read to its end. */
	isComplete: boolean;
	/** How many records had to be forgotten for want of room. */
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

const SECOND_MS = 1_000;

/** A clock that was set ahead and back between two answers was not farther ahead of what they tell. */
const SHOWN_MS = 2 * APPEARS_LATE_MS;

const iso = (ms: number) => (ms > 0 ? new Date(ms).toISOString() : BEGINNING);

/** What is known of the clocks from lists that were read before. */
export type Heard = Pick<Cursor, 'heard' | 'latest'>;

/** How far the service's clock is behind what it has told before; 0 where it is not, or nothing is known. */
function behindOf({ heard, latest = -Infinity }: Heard, { service, ...answered }: Moment): number {
	if (service === undefined) return 0;
	const expected = Math.max(latest, service + fellBehind(heard, { service, ...answered }));
	return expected > service + STEP_MS ? expected - service : 0;
}

/**
 * Where to start: everything that is there already is no event. One request, unless much is still open or new.
 * @param before what earlier lists of the same account have told
 */
export async function baseline<T>(
	source: CursorSource<T>,
	limits: ReadLimits,
	before: Heard = {},
): Promise<Advance<T>> {
	let first = await source.newest();
	const { asked: began, answered } = first;
	const latest = latestOf(answered, APPEARS_LATE_MS);
	const isAhead = (record: T) => timeOf(source, record) > latest;
	const ahead = first.records.filter(isAhead);
	const isHidden = !first.last && first.records.every(isAhead);
	if (isHidden) first = await source.newest(iso(latest));
	const open = await source.open();
	const times = first.records.map((record) => timeOf(source, record)).filter((at) => at > 0);
	const clocks = times.map((at) => clockBy(at, answered, APPEARS_LATE_MS));
	const time = clocks.reduce((a, b) => Math.max(a, b), -Infinity);
	const follow = keepsPlace(source) ? (source.openForMs ?? 0) : 0;
	const reach = time - Math.max(APPEARS_LATE_MS + STEP_BACK_MS, follow);
	// The service's clock was set back a short time ago, or goes behind that of the records: the less is believed.
	const { service = Infinity } = answered;
	const behind = behindOf(before, answered);
	const isEarlier = time > service + STEP_MS;
	const isSetBack = isEarlier || behind > 0;
	// What is there may have been written before that.
	const sure = Math.min(isEarlier ? service : time, time - behind);
	const oldest = first.records.at(-1);
	const isWhole = !isHidden && (first.last || (oldest && timeOf(source, oldest) < reach));
	const cursor: Cursor = {
		since: iso(reach),
		settled: Math.max(0, reach),
		keptFrom: Math.max(0, reach),
		known: {},
		...(time > 0 && { newest: { time: sure, ...answered } }),
		heard: answered,
		...(isSetBack && { latest: Math.max(time, service + behind) }),
	};
	const pass = { at: cursor.since, began, silentUntil: Infinity };
	const reading = new Reading(source, cursor, pass, true);
	for (const record of open) reading.take(record);
	// All of the newest time, where they are on the page; those that are dated ahead are not met before the rest.
	const isMeant = (record: T) =>
		timeOf(source, record) >= (isWhole ? reach : time) || source.isUncertain?.(record);
	for (const record of [...ahead, ...first.records]) if (isMeant(record)) reading.take(record);
	if (isWhole) return reading.end();
	pass.silentUntil = times.some((at) => at < time) ? time - 1 : time;
	return await readOn(reading, limits);
}

/**
 * The events since a cursor, in the order of the list, and the cursor after them. Unless the account has no room, at
 * least one page is read, or all records of one time where a page is full of it. Nothing is kept when it throws.
 */
export async function advance<T>(
	source: CursorSource<T>,
	cursor: Cursor,
	limits: ReadLimits,
): Promise<Advance<T>> {
	return await readOn(new Reading(source, cursor, cursor.pass ?? { at: cursor.since }), limits);
}

async function readOn<T>(reading: Reading<T>, limits: ReadLimits): Promise<Advance<T>> {
	for (;;) {
		const isLast = await orTimedOut(async () => await reading.step(limits));
		if (isLast === TIMED_OUT) return reading.cut();
		if (isLast) return reading.end();
		if (limits.isOver() || limits.isFull(reading.found.length)) return reading.cut();
	}
}

/** Uncertain records are followed by whole hours, so that many of them share a time; in all for a day. */
const HOUR_MS = 3_600_000;
const UNCERTAIN_MS = 23 * HOUR_MS;

const keepsPlace = <T>({ born }: CursorSource<T>) => born === undefined;

/** A pass over a list, in one poll or several. */
class Reading<T> {
	readonly found: Array<FoundOccurrence<T>> = [];

	private readonly known: SeenStore;

	private newest?: Newest;

	private heard?: Moment;

	private latest: number;

	private isSet: boolean;

	private ahead = 0;

	constructor(
		readonly source: CursorSource<T>,
		private readonly cursor: Cursor,
		private pass: Pass,
		private readonly isBaseline = false,
	) {
		this.known = new SeenStore(cursor.known);
		this.newest = cursor.newest;
		this.heard = cursor.heard;
		this.latest = cursor.latest ?? -Infinity;
		this.isSet = cursor.isSet ?? false;
	}

	/** Open records that are older are given up. */
	private get followFrom(): number {
		const { openForMs } = this.source;
		const { service = Infinity, local } = this.pass.began!;
		const isFollowed = openForMs !== undefined && keepsPlace(this.source);
		return isFollowed ? Math.min(service, local) - openForMs : -Infinity;
	}

	/** Reads on. @returns whether the list has ended */
	async step({ isOver, isFull }: ReadLimits): Promise<boolean> {
		const { source, pass } = this;
		const { tieRun: before, at: from } = pass;
		// What this poll has taken note of is not what an earlier one has read.
		let known: SeenStore | undefined;
		const isKnown = (record: T) =>
			(known ??= new SeenStore(this.cursor.known)).get(source.id(record)) !== undefined;
		const chunk = await chunkFrom(source, from, { isOver, isKnown, tieRun: before });
		const behind = fellBehind(this.heard, chunk.answered);
		const isSet = wasSet(this.heard, chunk.answered);
		const isLeft = this.isSet && pass.began === undefined;
		this.heard = chunk.answered;
		const { service = -Infinity } = chunk.answered;
		this.latest = Math.max(this.latest, service + behind);
		if (!pass.isBack && (isSet || isLeft)) return this.goBack();
		this.isSet ||= isSet;
		pass.began ??= chunk.asked;
		const { records, at, last, tieRun } = chunk;
		delete pass.tieRun;
		const inOrder = [...records].sort(
			(a, b) => (timeOf(source, a) || 0) - (timeOf(source, b) || 0),
		);
		for (const [index, record] of inOrder.entries()) {
			this.take(record);
			if (!isFull(this.found.length) || index === inOrder.length - 1) continue;
			// The rest of this part is read again.
			pass.at = source.time(record) || pass.at;
			if (before && instantOf(pass.at) <= Date.parse(from)) pass.tieRun = before;
			return false;
		}
		if (tieRun) pass.tieRun = tieRun;
		pass.at = at;
		return last;
	}

	/** A clock was set: what comes now may have earlier times than what has been read. @returns that it goes on */
	private goBack(): false {
		const { cursor, pass } = this;
		const { keptFrom = cursor.settled } = cursor;
		cursor.settled = Math.max(Math.min(cursor.settled, keptFrom), cursor.settled - STEP_BACK_MS);
		cursor.since = iso(Math.min(Date.parse(cursor.since), cursor.settled));
		// What is open stays noted: a baseline does that before it reads the list, and only once.
		this.pass = { ...omit(pass, 'began', 'tieRun'), at: cursor.since, isBack: true };
		this.isSet = false;
		return false;
	}

	/** A record is met for the first time; one that is known has told of the time already. */
	private moveClock(time: number): void {
		const heard = this.heard!;
		const clock = clockBy(time, heard, APPEARS_LATE_MS, this.newest);
		if (clock < time) this.ahead += 1;
		const isLatest = (heard.service ?? Infinity) > this.latest - STEP_MS;
		if (isLatest && clock > (this.newest?.time ?? -Infinity)) {
			this.newest = { time: clock, ...heard };
		}
	}

	/** Whether a record was there at the activation; one that is dated ahead may have been. */
	private wasThere(time: number): boolean {
		const { silentUntil } = this.pass;
		if (silentUntil === undefined) return false;
		return time <= silentUntil || time > latestOf(this.heard!, APPEARS_LATE_MS);
	}

	/** Takes note of a record. */
	take(record: T): void {
		const { source, known, pass } = this;
		const time = timeOf(source, record);
		if (Number.isNaN(time)) return;
		const bornAt = (source.born && instantOf(source.born(record))) || time;
		const id = source.id(record);
		const seen = known.get(id);
		if (!seen) this.moveClock(time);
		const isOld = this.wasThere(time);
		// At the activation, what happens while the list is read is left to the next poll.
		if (this.isBaseline && (seen || !isOld)) return;
		// Nothing more can happen to it.
		if (seen === 'closed') return;

		const isUncertain = source.isUncertain?.(record) ?? false;
		const canFollow =
			bornAt >= this.followFrom &&
			!(isOld && source.onlyNew) &&
			!(isUncertain && time < this.clock() - UNCERTAIN_MS);
		const isOpen = canFollow && (source.isOpen?.(record) ?? false);
		// One that was born ahead of all clocks and has changed since may be of any age.
		const shown = Math.max(this.latest, latestOf(this.heard!, 0)) + SHOWN_MS;
		const isOfAnyAge = bornAt > Math.max(time, shown);
		const isSettled = !seen && (bornAt < this.cursor.settled || isOfAnyAge);
		// It was closed before; or, where it moves with each change, it has begun before anything told of it.
		if (isSettled && !(isOpen && (!keepsPlace(source) || pass.silentUntil))) {
			// The clocks will come near to when it says that it was born, and not tell this any more.
			if (isOfAnyAge) known.set(id, 'closed', bornAt);
			return;
		}

		const isSilent = !seen && (isSettled || isOld);
		const keys = seen ?? new Set();
		for (const occurrence of source.occurrences(record)) {
			if (occurrence.isUnsure && !isSilent) continue;
			const { replaces, was = '' } = occurrence;
			const isKnown = keys.has(occurrence.key) || keys.delete(was);
			if (!isSilent && !isKnown) {
				const at = instantOf(occurrence.at) || time;
				this.found.push({ ...occurrence, record, time: at });
			}
			for (const key of keys) if (replaces && key.startsWith(replaces)) keys.delete(key);
			keys.add(occurrence.key);
		}
		if (!isOpen) return known.set(id, 'closed', bornAt);
		if (keepsPlace(source)) pass.oldestOpen = Math.min(pass.oldestOpen ?? Infinity, time);
		const since = isUncertain ? Math.ceil(time / HOUR_MS) * HOUR_MS : undefined;
		known.set(id, keys, keepsPlace(source) ? bornAt : since);
	}

	/** The list has been read to its end. */
	end(): Advance<T> {
		const { cursor, pass } = this;
		const settled = Math.max(cursor.settled, this.clock() - APPEARS_LATE_MS);
		const since = Math.min(settled, pass.oldestOpen ?? Infinity);
		return this.advance({ settled, since: iso(since) }, true);
	}

	/** The rest is left to the next poll. */
	cut(): Advance<T> {
		const { cursor, pass } = this;
		const { time = Infinity, service } = this.isBaseline ? (cursor.newest ?? {}) : {};
		// More may be written with the newest time while it lasts, until the next poll.
		const goesOn = !(service !== undefined && service - time > 2 * SECOND_MS);
		if (goesOn && pass.silentUntil === time) pass.silentUntil -= 1;
		// Where records move, one that was born long ago may still be to come.
		const read = keepsPlace(this.source) ? Date.parse(pass.at) : -Infinity;
		const settled = Math.max(cursor.settled, Math.min(read, this.clock() - APPEARS_LATE_MS));
		return this.advance({ settled, since: cursor.since, pass }, false);
	}

	/** The time of the records when the pass began. */
	private clock(): number {
		const began = this.pass.began ?? this.heard!;
		return Math.max(clockAt(began, this.cursor.newest), clockAt(began, this.newest));
	}

	private advance(next: Omit<Cursor, 'known' | 'newest'>, isComplete: boolean): Advance<T> {
		const { known, newest, heard, latest, ahead } = this;
		const isMoving = !keepsPlace(this.source);
		const { keptFrom: before = this.cursor.settled } = this.cursor;
		const from = Math.max(before, next.settled - STEP_BACK_MS);
		known.forget(from, isMoving ? this.clock() - UNCERTAIN_MS : Date.parse(next.since));
		const { count, until } = known.shrink(next.settled);
		// In the midst of a pass, what moves with each change may still be to come.
		const isSkipped = isComplete || !isMoving;
		const settled = isSkipped
			? Math.max(next.settled, Math.min(until, (newest?.time ?? 0) + 1))
			: next.settled;
		const keptFrom = Math.max(from, until);
		const cursor: Cursor = {
			...next,
			settled,
			keptFrom,
			known: known.saved(),
			...(newest && { newest }),
			...(heard && { heard }),
			...(latest > 0 && { latest }),
			...(this.isSet && { isSet: true as const }),
		};
		return { found: this.found, cursor, isComplete, forgotten: count, ahead };
	}
}
