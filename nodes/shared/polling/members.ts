import type { IDataObject } from 'n8n-workflow';
import { omit } from '../lib/records';
import type { Away, AwaySource } from './away';
import { Absentees, idIn, join, split } from './away';
import { OutOfTime } from '../client/limiter';
import { orTimedOut, TIMED_OUT } from './orTimedOut';
import { instantOf } from '../lib/instant';
import type { Moment, Newest, Span } from './recordClock';
import { clockAt, clockBy } from './recordClock';
import type { Chunk, Ordered, Page, TieRun } from './chunk';
import { APPEARS_LATE_MS, BEGINNING, chunkFrom, timeOf } from './chunk';

/*
 * What is remembered of a state, from the beginning:
 *
 * - It is the set of the records that are in it. The list of them is read by the time of creation, which never
 *   changes: so it can be read in parts, over several polls, however long it is.
 * - One request tells whether anything has happened: how many are in the state, and which of them changed last. Only
 *   when that differs, the list is read.
 * - That a record is missing in the list is no event. It has left the state when its own record says so: until then
 *   it is away.
 */

/** What a trigger remembers of a state: which records are in it. Plain JSON. */
export interface Members {
	/** Their keys, separated by spaces: shorter than a list. */
	ids: string;
	/**
	 * How many records were found in the list when it was read whole, and when that was, by n8n's clock in epoch
	 * milliseconds. Where some have left while it was read, it has fewer by then, and is read again.
	 */
	total?: number;
	readAt?: number;
	/** Of what changed before, nothing was missed then; by the records' times, in epoch milliseconds. */
	readTo?: number;
	/** Whether that was the first time: who appears late then was there before the activation. */
	isFirst?: true;
	/** The record that changed last. */
	newest?: Newest;
	/** Those that are not in the list, although nothing tells that they have left the state. */
	away?: Away;
	/** A reading of the list that has been cut. */
	pass?: {
		/** Where to go on, in ISO 8601. */
		at: string;
		/** How many of the ids have been found, those that come first. */
		done: number;
		/** Whether it is the first one: who is in the state then has not come into it. */
		isFirst?: true;
		/** What has been read there of more records than fit on a page. */
		tieRun?: TieRun;
		/** How many of the list were found that are not in the state. */
		others: number;
		began: Moment;
	};
}

interface LastChanged extends Span {
	records: IDataObject[];
	/** Whether these are all. */
	isAll: boolean;
	total?: number;
}

/** What the members need of a list. */
export interface StateSource extends Ordered<IDataObject>, AwaySource {
	/** The records of the list that changed last, a page of them, and how many there are in all. */
	newest: () => Promise<LastChanged>;
	/** Whether a record of the list is in the state. */
	isIn: (record: IDataObject) => boolean;
}

export interface MemberChange {
	kind: 'entered' | 'left';
	record: IDataObject;
}

export interface MembersRead {
	changes: MemberChange[];
	members: Members;
	isComplete: boolean;
}

/** A list that looks unchanged is read whole all the same once in so much time. */
const SWEEP_MS = 3_600_000;

/**
 * Whether nothing has happened, as one request tells: there are as many records as before, and those that changed
 * since are those that were in the state before.
 */
function looksUnchanged(
	{ isIn, changedAt, key }: StateSource,
	before: Members,
	{ records, total, isAll, asked: { local } }: LastChanged,
): boolean {
	const { readAt = -Infinity, readTo = -Infinity, newest, isFirst } = before;
	if (isAll || total === undefined || total !== before.total) return false;
	if (Math.abs(local - readAt) >= SWEEP_MS) return false;
	// Where more have changed than a page holds, those that it does not show may be others.
	const oldest = records.map(changedAt).reduce((a, b) => Math.min(a, b), Infinity);
	if (!(oldest <= Math.max(readTo, newest?.time ?? -Infinity))) return false;
	// Then only one that appears late can be hidden: once it must have appeared, the list is read one more time.
	const isSure = isFirst ?? oldest < readTo - APPEARS_LATE_MS;
	if (!isSure && Math.abs(local - readAt) >= APPEARS_LATE_MS) return false;
	const old = new Set(split(before.ids));
	return records.every((record) => old.has(key(record)) || !isIn(record));
}

/**
 * The changes since the last poll: who has come into the state, and who has left it; none at first.
 * @param isOver whether the time for this poll is over; at least one part of the list is read
 */
export async function changedMembers(
	source: StateSource,
	before: Members | undefined,
	isOver: () => boolean,
): Promise<MembersRead> {
	const comparison = new Comparison(source, before);
	let hasRead = before?.away?.isSkipped === true;
	if (hasRead) await comparison.lookForAway({ local: before!.readAt ?? 0 }, isOver, true);
	if (hasRead && isOver()) return comparison.asBefore();
	if (!before?.pass) {
		const newest = await orTimedOut(async () => await source.newest());
		if (newest === TIMED_OUT && !hasRead) throw new OutOfTime();
		if (newest === TIMED_OUT) return comparison.asBefore();
		hasRead = true;
		if (before && looksUnchanged(source, before, newest)) {
			return await comparison.unchanged(newest.asked, isOver);
		}
		comparison.begin(newest.asked, !before);
		comparison.note(newest);
		if (newest.isAll) {
			// Whoever is in it is on this page.
			await comparison.take({ ...newest, at: BEGINNING, last: true }, isOver);
			return comparison.result();
		}
	}
	for (; !comparison.isComplete && !(hasRead && isOver()); hasRead = true) {
		const { at, tieRun } = comparison.pass!;
		const isKnown = (record: IDataObject) => comparison.has(record);
		const chunk = await orTimedOut(
			async () => await chunkFrom(source, at, { isOver, isKnown, tieRun }),
		);
		if (chunk === TIMED_OUT) break;
		await comparison.take(chunk, isOver);
	}
	return comparison.result();
}

/** A reading of the list, in one poll or several, beside what was known. */
class Comparison {
	private readonly changes: MemberChange[] = [];

	/** The members that have been found in the list, and those that have not been yet. */
	private readonly found: Set<string>;

	private readonly missing: Set<string>;

	private readonly away: Absentees;

	private newest?: Newest;

	pass: Members['pass'];

	isComplete = false;

	constructor(
		private readonly source: StateSource,
		private readonly before: Members = { ids: '' },
	) {
		const { ids, pass, newest, away } = before;
		this.away = new Absentees(source, away);
		this.newest = newest;
		const all = split(ids);
		this.pass = pass && { ...pass };
		this.found = new Set(all.slice(0, pass?.done ?? 0));
		this.missing = new Set(all.slice(pass?.done ?? 0));
	}

	begin(began: Moment, isFirst: boolean): void {
		this.pass = { at: BEGINNING, done: 0, others: 0, began, ...(isFirst && { isFirst }) };
	}

	/** Takes note of the last change. */
	note({ records, answered }: Pick<LastChanged, 'records' | 'answered'>): void {
		const times = records.map(this.source.changedAt).filter((at) => at === at);
		const clocks = times.map((at) => clockBy(at, answered, APPEARS_LATE_MS, this.newest));
		const time = clocks.reduce((a, b) => Math.max(a, b), -Infinity);
		if (time > (this.newest?.time ?? -Infinity)) this.newest = { time, ...answered };
	}

	/** Whether a record has been found in the list. */
	has(record: IDataObject): boolean {
		return this.found.has(this.source.key(record));
	}

	/** Takes note of a part of the list. */
	async take(
		{ records, at, last, tieRun }: Chunk<IDataObject>,
		isOver: () => boolean,
	): Promise<void> {
		const from = instantOf(this.pass!.at);
		const others = new Set<string>();
		for (const record of records) {
			const id = this.source.key(record);
			const isMember = this.missing.delete(id) || this.found.has(id);
			const isNew = !this.away.isBack(id) && !isMember;
			if (isNew && !this.source.isIn(record)) {
				// Those of the time that the last part ended with come again.
				if (timeOf(this.source, record) > from) others.add(id);
				continue;
			}
			this.found.add(id);
			if (isNew && !this.pass?.isFirst) this.changes.push({ kind: 'entered', record });
		}
		const pass = omit(this.pass!, 'tieRun');
		this.pass = { ...pass, at, others: pass.others + others.size, ...(tieRun && { tieRun }) };
		this.isComplete = last;
		if (last) await this.lookAfterMissing(this.pass.began, isOver);
	}

	/** The list is as it was; who is away may have left all the same. */
	async unchanged(began: Moment, isOver: () => boolean): Promise<MembersRead> {
		await this.lookForAway(began, isOver);
		return this.asBefore();
	}

	/** What was found, beside the list as it was. */
	asBefore(): MembersRead {
		const { newest, changes } = this;
		const members = {
			...omit(this.before, 'away'),
			...(newest && { newest }),
			...this.savedAway(),
		};
		return { changes, members, isComplete: true };
	}

	/** Who is in the list under another key is in the state anew; of the others nobody knows yet. */
	private async lookAfterMissing(began: Moment, isOver: () => boolean): Promise<void> {
		const ids = new Set([...this.found].map(idIn));
		for (const key of this.missing) if (!ids.has(idIn(key))) this.away.add(key, began.local);
		this.missing.clear();
		await this.lookForAway(began, isOver);
	}

	async lookForAway(began: Moment, isOver: () => boolean, isFirst = false): Promise<void> {
		const { newest } = this;
		const look = {
			now: began.local,
			...(newest && { clock: clockAt(began, newest) }),
			knownAt: this.before.readTo,
			isOver,
			note: (page: Page<IDataObject>) => this.note(page),
		};
		const left = await this.away.look(look, isFirst);
		for (const record of left) this.changes.push({ kind: 'left', record });
	}

	private savedAway(): Pick<Members, 'away'> {
		const away = this.away.saved();
		return away ? { away } : {};
	}

	result(): MembersRead {
		const { found, missing, pass, isComplete, before, newest } = this;
		const { total, readAt, readTo } = before;
		const about = isComplete
			? {
					total: found.size + pass!.others,
					readAt: pass!.began.local,
					...(pass!.isFirst && { isFirst: true as const }),
					...(newest && { readTo: clockAt(pass!.began, newest) }),
				}
			: { total, readAt, readTo, pass: { ...pass!, done: found.size } };
		const members: Members = {
			ids: join([...found, ...missing]),
			...about,
			...(newest && { newest }),
			...this.savedAway(),
		};
		return { changes: this.changes, members, isComplete };
	}
}
