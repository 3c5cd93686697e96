import type { IDataObject } from 'n8n-workflow';
import { mapParallel } from '../client/limiter';
import { BEGINNING, chunkFrom, orTimedOut, type Ordered, type Place } from './chunk';
import type { Due, DueFeed, Event, FeedRead, ReadLimits } from './feed';
import { MAX_LENGTH } from './feed';
import { clock, hash, hashesIn, MINUTE_MS, namesByHash, textsBy } from '../lib';

/*
 * The state of records that come due:
 * - A record is due some hours after a time of it, such as that of its last good backup. It is reported again only for
 *   a later time, so the state keeps the minute when each reported record was due.
 * - All of the list is read, by the time of creation. That never changes, so several polls can read it in parts.
 * - Some records only show an upper bound of the time. Finding the time costs a request. The state keeps a found time
 *   until the record is due by it, and then finds it again, because it may be later by now. The time of a reported
 *   record is found again every `refindMs`.
 * - A record is forgotten when two whole readings in a row do not find it in the list.
 */

/** Precision of the stored times if the state would be too long by the minute, in minutes. */
const COARSER_STEPS = [60, 1_080];

/** Characters. With 10,000 known records, one new record in 100,000 has the hash of another. */
const HASH_LENGTH = 5;

/** Maximum number of characters of a found time. */
const FOUND_LENGTH = 20;

/** The state of a list of records that come due. Plain JSON; short, because n8n stores it. */
export interface DueMemory {
	/** When the last reading began, by n8n's clock; in epoch milliseconds. */
	readAt: number;
	/** Hashes of reported records, by the minute when they were due. */
	told: Record<string, string>;
	/** Hashes of records that are not due, by the minute that was found. */
	found?: Record<string, string>;
	/** Hashes of records that were not in the list at the last reading. */
	missing?: string;
	/** A reading that continues with the next poll. */
	pass?: Place & {
		/** When the reading before it began, in epoch milliseconds; undefined for the first one, which reports no events. */
		before?: number;
	};
}

export interface DueSource
	extends Ordered, Pick<DueFeed, 'due' | 'find' | 'refindMs' | 'everyMs' | 'concerns' | 'json'> {
	/** The time of the service's last answer, in epoch milliseconds. */
	now: () => Promise<number>;
	/** A page of the list for a test run. */
	samples: () => Promise<IDataObject[]>;
}

/** A poll can begin slightly earlier than its interval. */
const EARLY_MS = 30_000;

/** Whether the last reading is newer than `everyMs`; false after n8n's clock was set back. */
function isFresh({ readAt }: DueMemory, { everyMs = 0 }: DueSource): boolean {
	const since = clock.now() - readAt;
	return since >= 0 && since < everyMs - EARLY_MS;
}

/** Records that have come due since the last reading. Returns none while that is fresh, and none at first. */
export async function readDue(
	source: DueSource,
	before: DueMemory | undefined,
	limits: ReadLimits,
	isChosen: (event: string) => boolean = () => true,
): Promise<FeedRead<DueMemory>> {
	if (before && !before.pass && isFresh(before, source)) {
		return { events: [], memory: before, isComplete: true };
	}
	const reading = new DueReading(source, before, limits, isChosen);
	let goesOn: boolean | undefined = true;
	while (goesOn) goesOn = await orTimedOut(reading.step());
	return reading.result();
}

/** When a record is due; in epoch milliseconds. */
const dueAt = ({ since, afterMs }: Due) => since + afterMs;

const minuteOf = (time: number) => Math.floor(time / MINUTE_MS);

/** Maximum number of times that a test run finds. */
const MAX_FOUND = 20;

/** Records that are due now, each with its last event, for a test run. @param most fewer than of other events: times cost requests */
export async function dueNow(source: DueSource, isChosen: (event: string) => boolean, most = 5) {
	const { due: dueOf, concerns = () => true, json } = source;
	const records = await source.samples();
	const now = await source.now();
	const events: Event[] = [];
	let count = 0;
	for (const record of records.filter(concerns)) {
		const dues = dueOf(record).filter(({ event }) => isChosen(event));
		for (const due of dues.reverse()) {
			const hasToFind = due.isAtMost && due.afterMs < Infinity;
			if (hasToFind && ++count > MAX_FOUND) return events;
			const known = (hasToFind && (await source.find?.(record, due))) || due;
			if (!(now >= dueAt(known))) continue;
			events.push({ event: due.event, record, json: json?.(record, known, now) });
			break;
		}
		if (events.length >= most) break;
	}
	return events;
}

/** A reading of the list, in one poll or several. */
class DueReading {
	private readonly events: Event[] = [];
	private readonly told: Map<string, number>;
	private readonly found: Map<string, number>;

	/** Hashes of records that were not in the list at the last whole reading. */
	private missing: Set<string>;

	/** Hashes of the records that this poll has read. */
	private readonly seen = new Set<string>();
	private readonly pass: NonNullable<DueMemory['pass']>;
	private readonly readAt: number;

	/** Whether this poll has read a part only, so that it does not show which records are gone. */
	private isPart: boolean;
	private isComplete = false;
	private now = 0;

	constructor(
		private readonly source: DueSource,
		before: DueMemory | undefined,
		private readonly limits: ReadLimits,
		private readonly isChosen: (event: string) => boolean,
	) {
		this.told = minutesIn(before?.told);
		this.found = minutesIn(before?.found);
		this.missing = new Set(split(before?.missing));
		this.isPart = before?.pass !== undefined;
		this.readAt = before?.pass ? before.readAt : clock.now();
		this.pass = { ...(before?.pass ?? { at: BEGINNING, before: before?.readAt }) };
	}

	/** Reads the next part. @returns whether this poll reads on */
	async step(): Promise<boolean> {
		const { source, pass, limits } = this;
		const chunk = await chunkFrom(source, pass, limits.isOver);
		this.isPart ||= !chunk.isWhole;
		// Use the time of this answer, because n8n's clock may have been set meanwhile.
		this.now = await source.now();
		const take = async (record: IDataObject) => await orTimedOut(this.take(record));
		const taken = await mapParallel(chunk.records, take);
		// The next poll reads this part again.
		if (!taken.every(Boolean)) return false;
		pass.at = chunk.at;
		pass.page = chunk.page;
		this.isComplete = chunk.last;
		return !chunk.last && !limits.isOver();
	}

	/** Processes a record. @returns false if this poll can report no more events */
	private async take(record: IDataObject): Promise<boolean> {
		for (const due of this.source.due(record)) {
			const key = keyOf(record, due);
			if (this.seen.has(key)) continue;
			if (this.limits.isFull(this.events.length)) return false;
			if (!due.isAtMost) this.note(key, due, record, false);
			else if (this.hasToFind(key, due)) {
				const found = await this.source.find?.(record, due);
				this.note(key, found ?? due, record, found !== undefined);
			}
			this.seen.add(key);
			this.missing.delete(key);
		}
		return true;
	}

	/** Whether the state does not show if a record is due. */
	private hasToFind(key: string, { afterMs }: Due): boolean {
		if (afterMs === Infinity) return false;
		if (this.told.has(key)) return this.isTurnOf(key);
		const minute = this.found.get(key);
		return minute === undefined || this.now >= minute * MINUTE_MS + afterMs;
	}

	/** Whether to find the time of a reported record again: spread over `refindMs` by its hash. */
	private isTurnOf(key: string): boolean {
		const { refindMs = Infinity } = this.source;
		const phase =
			[...key].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1_009, 0) / 1_009;
		const turnAt = (time: number) => Math.floor(time / refindMs - phase);
		return turnAt(this.readAt) !== turnAt(this.pass.before ?? -Infinity);
	}

	/** @param isFound whether its time took a request */
	private note(key: string, due: Due, record: IDataObject, isFound: boolean): void {
		const { told, found, now } = this;
		const { concerns = () => true, json } = this.source;
		const { isAtMost, event } = due;
		if (!isAtMost && !isFound) found.delete(key);
		const minute = minuteOf(dueAt(due));
		const toldMinute = told.get(key);
		// A time that is unreadable or unknown does not count as later.
		const isKnown = !isAtMost && Number.isFinite(minute);
		if (toldMinute !== undefined && !(isKnown && minute > toldMinute)) return;
		if (now >= dueAt(due)) {
			told.set(key, minute);
			found.delete(key);
			// Others must not take up the room for events of this poll.
			const isFirst = this.pass.before === undefined;
			if (isFirst || !this.isChosen(event) || !concerns(record)) return;
			this.events.push({ event, record, json: json?.(record, due, now) });
			return;
		}
		told.delete(key);
		if (isFound) found.set(key, minuteOf(due.since));
	}

	result(): FeedRead<DueMemory> {
		const { events, isComplete, missing } = this;
		if (isComplete && !this.isPart) {
			const keys = [...this.told.keys(), ...this.found.keys()];
			const absent = keys.filter((key) => !this.seen.has(key));
			for (const key of absent.filter((each) => missing.has(each))) {
				this.told.delete(key);
				this.found.delete(key);
			}
			this.missing = new Set(absent.filter((key) => !missing.has(key)));
		}
		const told = this.toldThatFit();
		const room = Math.max(0, (MAX_LENGTH - JSON.stringify(told).length) / FOUND_LENGTH);
		const found = [...this.found].slice(0, Math.floor(room));
		const memory: DueMemory = {
			readAt: this.readAt,
			told,
			...(found.length > 0 && { found: textsBy(found, (minute) => minute.toString(36)) }),
			...(this.missing.size > 0 && { missing: [...this.missing].join('') }),
			...(!isComplete && { pass: this.pass }),
		};
		return { events, memory, isComplete };
	}

	/** All reported records, with the finest precision that fits into the state. */
	private toldThatFit(): Record<string, string> {
		const inSteps = (step: number) =>
			textsBy(this.told, (minute) => (Math.ceil(minute / step) * step).toString(36));
		const { refindMs = Infinity } = this.source;
		let told = inSteps(1);
		for (const step of COARSER_STEPS) {
			if (JSON.stringify(told).length <= MAX_LENGTH || step * MINUTE_MS > refindMs) break;
			told = inSteps(step);
		}
		return told;
	}
}

const keyOf = ({ id }: IDataObject, { event }: Due) => hash(`${event} ${String(id)}`, HASH_LENGTH);

const split = (text?: string) => hashesIn(text, HASH_LENGTH);

/** Minutes by hash: the reverse of `textsBy`. */
const minutesIn = (saved?: Record<string, string>): Map<string, number> =>
	new Map(namesByHash(saved, HASH_LENGTH).map(([key, minute]) => [key, parseInt(minute, 36)]));
