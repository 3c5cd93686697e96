import type { IDataObject } from 'n8n-workflow';
import { omit } from '../lib/records';
import { Semaphore } from '../client/semaphore';
import { MAX_IN_FLIGHT } from '../client/limiter';
import type { ReadLimits } from './cursor';
import type { Due, DueFeed } from './feed';
import { orTimedOut, TIMED_OUT } from './orTimedOut';
import { hash, hashesIn } from './seenStore';
import type { Ordered, TieRun } from './chunk';
import { BEGINNING, chunkFrom } from './chunk';

/*
 * What is remembered of records that come due, from the beginning:
 *
 * - A record is due when a while has passed since a time that it has, such as that of its last good backup. Whether it
 *   is, a clock says; that it was told, only the memory: it is kept with the time when it was due, and is told again only
 *   for a later one. So no step of a clock tells it twice, and none forgets it.
 * - The list is read whole, by the time of creation, which never changes: so it can be read in parts, over several polls.
 * - Some records only say that the time is no later than another. Then it has to be found, which costs a request. What
 *   was found is kept until it is due by that, and looked at once more then: it may be later by now. Of what was told,
 *   the time is found anew once in a while.
 * - A record that is missing in the list is forgotten when it is missing a second time.
 */

const MINUTE_MS = 60_000;

/** Steps of minutes by which times are kept: longer ones only where there would be no room for all records. */
const STEPS = [1, 10, 60, 360, 1_080];

/** Of ten thousand that are known, one new record in a hundred thousand would be taken for another. */
const HASH_LENGTH = 5;

/** What is kept as text, at most: n8n's own limit for a state is 64 KB, and other feeds need room, too. */
const MAX_LENGTH = 56_000;

/** What a trigger remembers of a list of records that come due. Plain JSON; small, because n8n keeps it. */
export interface DueMemory {
	/** When the last reading began, by n8n's clock; in epoch milliseconds. */
	readAt: number;
	/** The records that were told of: by the minute when they were due, their hashes. */
	told: Record<string, string>;
	/** The times that were found of records that are not due. */
	found?: Record<string, string>;
	/** The hashes of those that the last reading did not find in the list. */
	missing?: string;
	/** A reading that has been cut. */
	pass?: {
		/** Where to go on, in ISO 8601. */
		at: string;
		/** When the reading before it began. */
		before?: number;
		/** Whether it is the first one: what is due then is no event. */
		isFirst?: true;
		/** What has been read there of more records than fit on a page, and which those are. */
		tieRun?: TieRun;
		seen?: string;
	};
}

/** What is needed of a list. */
export interface DueSource extends Ordered<IDataObject> {
	feed: Pick<DueFeed, 'due' | 'refindMs' | 'everyMs' | 'concerns' | 'json'>;
	/** The time that a record is due by, which it does not tell itself; undefined where that cannot be found. */
	find: (record: IDataObject, due: Due) => Promise<Due | undefined>;
	/** By n8n's clock. */
	local: () => number;
	/** By the service's last answer. */
	now: () => Promise<number>;
	/** A page of the list for a test run. */
	samples: () => Promise<IDataObject[]>;
}

interface DueEvent {
	event: string;
	record: IDataObject;
	json: IDataObject;
}

export interface DueRead {
	events: DueEvent[];
	memory: DueMemory;
	/** Whether the list was read to its end. */
	isComplete: boolean;
}

/** A poll begins a little sooner or later than the interval says. */
const EARLY_MS = 30_000;

/** Whether the list was read a short time ago. A clock that was set back says nothing of that. */
function isFresh({ readAt }: DueMemory, { feed, local }: DueSource): boolean {
	const since = local() - readAt;
	return since >= 0 && since < (feed.everyMs ?? 0) - EARLY_MS;
}

/**
 * What has come due since the last reading, which is nothing while that is fresh; none at first.
 * Nothing is kept when it throws.
 * @param isTold whether what has come due is told, by its event; the rest is only remembered
 */
export async function readDue(
	source: DueSource,
	before: DueMemory | undefined,
	limits: ReadLimits,
	isTold: (event: string) => boolean = () => true,
): Promise<DueRead> {
	if (before && !before.pass && isFresh(before, source)) {
		return { events: [], memory: before, isComplete: true };
	}
	const reading = new DueReading(source, before, limits, isTold);
	for (;;) {
		const step = await orTimedOut(async () => await reading.step());
		if (step === TIMED_OUT || step === 'cut') return reading.result(false);
		if (step === 'end') return reading.result(true);
		if (limits.isOver()) return reading.result(false);
	}
}

/** The same memory without a reading that has been cut, unless that is the first one. */
export function fromStart(memory: DueMemory): DueMemory {
	return memory.pass?.isFirst ? memory : omit(memory, 'pass');
}

/** When a record is due; in epoch milliseconds. */
const dueAt = ({ since, afterMs }: Due) => since + afterMs;

const minuteOf = (time: number) => Math.floor(time / MINUTE_MS);

/** Times that a test run finds at most. */
const MAX_FOUND = 20;

/** Records that are due now, each with its last event, for a test run. @param most how many at most */
export async function dueNow(
	source: DueSource,
	isChosen: (due: Due) => boolean,
	most: number,
): Promise<DueEvent[]> {
	const { due: dueOf, concerns = () => true, json } = source.feed;
	const records = await source.samples();
	const now = await source.now();
	const events: DueEvent[] = [];
	let count = 0;
	for (const record of records.filter(concerns)) {
		for (const due of dueOf(record).filter(isChosen).reverse()) {
			const hasToFind = due.isAtMost && due.afterMs < Infinity;
			if (hasToFind && ++count > MAX_FOUND) return events;
			const known = (hasToFind && (await source.find(record, due))) || due;
			if (!(now >= dueAt(known))) continue;
			events.push({ event: due.event, record, json: json?.(record, known, now) ?? record });
			break;
		}
		if (events.length >= most) break;
	}
	return events;
}

/** A reading of the list, in one poll or several. */
class DueReading {
	private readonly events: DueEvent[] = [];

	private readonly told: Map<string, number>;

	private readonly found: Map<string, number>;

	/** Those that this poll has read, and those of a tie run that an earlier one has. */
	private readonly seen: Set<string>;

	private readonly pass: NonNullable<DueMemory['pass']>;

	private readonly readAt: number;

	/** Whether an earlier poll has begun it: then this one cannot say who is missing. */
	private readonly isContinued: boolean;

	private isCut = false;

	private now = 0;

	constructor(
		private readonly source: DueSource,
		private readonly before: DueMemory | undefined,
		private readonly limits: ReadLimits,
		private readonly isTold: (event: string) => boolean,
	) {
		this.told = ungrouped(before?.told);
		this.found = ungrouped(before?.found);
		this.isContinued = before?.pass !== undefined;
		this.readAt = before?.pass ? before.readAt : source.local();
		this.pass = { ...(before?.pass ?? beginning(before)) };
		this.seen = new Set(split(this.pass.seen));
	}

	/** Reads on. @returns whether the list has ended, or the rest is left to the next poll */
	async step(): Promise<'on' | 'cut' | 'end'> {
		const { source, pass, limits } = this;
		const { at, tieRun: earlier } = pass;
		const chunk = await chunkFrom(source, at, {
			isOver: limits.isOver,
			isKnown: (record) =>
				source.feed.due(record).every((due) => this.seen.has(keyOf(record, due))),
			tieRun: earlier,
		});
		// By the answer that has just come: n8n's clock may have been set meanwhile.
		this.now = await source.now();
		const few = new Semaphore(MAX_IN_FLIGHT);
		const take = async (record: IDataObject) => {
			const outcome = await orTimedOut(async () => await this.take(record));
			if (outcome === TIMED_OUT) this.isCut = true;
		};
		await Promise.all(
			chunk.records.map(async (record) => await few.run(async () => await take(record))),
		);
		// What was not taken is read again.
		if (this.isCut) return 'cut';
		pass.at = chunk.at;
		delete pass.tieRun;
		delete pass.seen;
		if (chunk.tieRun) {
			pass.tieRun = chunk.tieRun;
			pass.seen = [...this.seen].join('');
		}
		return chunk.last ? 'end' : 'on';
	}

	/** Takes note of a record. */
	private async take(record: IDataObject): Promise<void> {
		for (const due of this.source.feed.due(record)) {
			const key = keyOf(record, due);
			if (this.seen.has(key)) continue;
			if (this.limits.isFull(this.events.length)) {
				this.isCut = true;
				return;
			}
			if (!due.isAtMost) this.note(key, due, record, false);
			else if (this.hasToFind(key, due)) {
				const found = await this.source.find(record, due);
				this.note(key, found ?? due, record, found !== undefined);
			}
			this.seen.add(key);
		}
	}

	/** Whether what is remembered does not say whether a record is due. */
	private hasToFind(key: string, { afterMs }: Due): boolean {
		if (afterMs === Infinity) return false;
		if (this.told.has(key)) return this.isTurnOf(key);
		const minute = this.found.get(key);
		return minute === undefined || this.now >= minute * MINUTE_MS + afterMs;
	}

	/** Once in a while it is the turn of each record that was told of: of some now, of others later. */
	private isTurnOf(key: string): boolean {
		const { refindMs = Infinity } = this.source.feed;
		const phase =
			[...key].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1_009, 0) / 1_009;
		const turnAt = (time: number) => Math.floor(time / refindMs - phase);
		return turnAt(this.readAt) !== turnAt(this.pass.before ?? -Infinity);
	}

	/** @param isFound whether its time had to be found */
	private note(key: string, due: Due, record: IDataObject, isFound: boolean): void {
		const { told, found, now } = this;
		const { concerns = () => true, json } = this.source.feed;
		const { isAtMost, event } = due;
		if (!isAtMost && !isFound) found.delete(key);
		const minute = minuteOf(dueAt(due));
		const toldMinute = told.get(key);
		// A time that cannot be read, or is not known, is no later one.
		const isLater = !isAtMost && Number.isFinite(minute) && minute > (toldMinute ?? -Infinity);
		if (toldMinute !== undefined && !isLater) return;
		if (now >= dueAt(due)) {
			told.set(key, minute);
			found.delete(key);
			if (this.pass.isFirst || !this.isTold(event) || !concerns(record)) return;
			this.events.push({ event, record, json: json?.(record, due, now) ?? record });
			return;
		}
		told.delete(key);
		if (isFound) found.set(key, minuteOf(due.since));
	}

	/** @param isComplete whether the list has been read to its end */
	result(isComplete: boolean): DueRead {
		const { events, told, found, seen, before, readAt } = this;
		let missing = split(before?.missing).filter((key) => !seen.has(key));
		if (isComplete && !this.isContinued) {
			const gone = new Set(missing);
			const absent = [...told.keys(), ...found.keys()].filter((key) => !seen.has(key));
			missing = absent.filter((key) => !gone.has(key));
			for (const key of gone) {
				told.delete(key);
				found.delete(key);
			}
		}
		const kept = inSteps(told, this.source.feed.refindMs);
		const rest = within(found, MAX_LENGTH - JSON.stringify(kept).length);
		const memory: DueMemory = {
			readAt,
			told: kept,
			...(rest && { found: rest }),
			...(missing.length > 0 && { missing: missing.join('') }),
			...(!isComplete && { pass: this.pass }),
		};
		return { events, memory, isComplete };
	}
}

const beginning = (before: DueMemory | undefined): NonNullable<DueMemory['pass']> => ({
	at: BEGINNING,
	...(before ? { before: before.readAt } : { isFirst: true as const }),
});

const keyOf = ({ id }: IDataObject, { event }: Due) => hash(`${event} ${String(id)}`, HASH_LENGTH);

/** The hashes in a text. */
const split = (text?: string) => hashesIn(text, HASH_LENGTH);

/** Minutes by hash, of what `grouped` gives. */
const ungrouped = (saved: Record<string, string> = {}): Map<string, number> =>
	new Map(
		Object.entries(saved).flatMap(([step, text]) =>
			split(text).map((key): [string, number] => [key, parseInt(step, 36)]),
		),
	);

/** The hashes of each minute, as plain JSON. */
function grouped(minutes: Iterable<[string, number]>): Record<string, string> {
	const groups = new Map<string, string[]>();
	for (const [key, minute] of minutes) {
		const name = minute.toString(36);
		const keys = groups.get(name) ?? [];
		groups.set(name, keys);
		keys.push(key);
	}
	return Object.fromEntries([...groups].map(([minute, keys]) => [minute, keys.join('')]));
}

/** All of them, in as short steps as there is room for. */
function inSteps(told: Map<string, number>, mostMs = Infinity): Record<string, string> {
	let groups = grouped(told);
	for (const step of STEPS.slice(1)) {
		if (JSON.stringify(groups).length <= MAX_LENGTH || step * MINUTE_MS > mostMs) break;
		const later = [...told].map(([key, minute]): [string, number] => [
			key,
			Math.ceil(minute / step) * step,
		]);
		groups = grouped(later);
	}
	return groups;
}

/** As many of them as have room. */
function within(minutes: Map<string, number>, room: number): Record<string, string> | undefined {
	for (let entries = [...minutes]; entries.length > 0;) {
		const groups = grouped(entries);
		const { length } = JSON.stringify(groups);
		if (length <= room) return groups;
		entries = entries.slice(0, Math.floor((entries.length * Math.max(0, room)) / (length + 1)));
	}
	return undefined;
}
