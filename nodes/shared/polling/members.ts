import type { IDataObject } from 'n8n-workflow';
import { OutOfTime } from '../client/limiter';
import { omit } from '../lib/records';
import type { Chunk, Ordered, Page, RecordClock } from './chunk';
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

/*
 * What is remembered of a state, from the beginning:
 * - It is the set of the records that are in it. The list of them is read by the time of creation, which never
 *   changes: so it can be read in parts, over several polls.
 * - One request shows whether anything has happened: how many are in the state, and which of them changed last. Only
 *   when that differs, the list is read.
 * - A record that is missing in the list is looked at once. If it has left the state, that is an event; otherwise it
 *   is gone, and counts as new when it comes back.
 */

/** What a trigger remembers of a state: which records are in it. Plain JSON. */
export interface Members {
	/** Their ids, separated by spaces: shorter than a list. */
	ids: string;
	/** The ids of those that are missing in the list, and have still to be looked at. */
	missing?: string;
	/** How many records the list had when it was read whole, and what the records' clock said when that began. */
	total?: number;
	clock?: RecordClock;
	/** A reading of the list that has been cut. */
	pass?: {
		/** Where to go on: a time in ISO 8601, and the page from there where more records have that time. */
		at: string;
		page?: number;
		/** How many of the ids have been found, those that come first. */
		done: number;
		/** How many of the list were found that are not in the state. */
		others: number;
		/** Whether it is the first one: who is in the state then has not come into it. */
		isFirst?: true;
		clock: RecordClock;
	};
}

/** What the members need of a list. */
export interface StateSource extends Ordered<IDataObject> {
	/** The records of the list that changed last, a page of them; the last one where these are all. */
	newest: () => Promise<Page<IDataObject>>;
	/** Whether a record is in the state. */
	isIn: (record: IDataObject) => boolean;
	hasLeft: (record: IDataObject) => boolean;
	/** When a record changed; in epoch milliseconds. */
	changedAt: (record: IDataObject) => number;
	/** A page of the records that have left the state, those that changed last first. */
	left: (page: number) => Promise<Page<IDataObject>>;
	/** The record as it is now, or undefined when it is gone. */
	one: (id: string) => Promise<IDataObject | undefined>;
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

/** Sooner where a record that appears late may be hidden: after the overlap it is there. */
const UNSURE_MS = OVERLAP_MS + 60_000;

/** So many records are looked at one by one in a poll. */
const FEW = 16;

const join = (ids: Iterable<string>) => [...ids].join(' ');
const split = (ids = '') => ids.split(' ').filter(Boolean);

/** The newest time of a change on a page that is not dated ahead; in epoch milliseconds. */
function newestOn({ changedAt }: StateSource, page: Page<IDataObject>): number {
	const times = page.records.map(changedAt).filter((at) => at <= latestOf(page));
	return times.reduce((a, b) => Math.max(a, b), 0);
}

/**
 * Whether nothing has happened, as one request shows: there are as many records as before, and those that changed
 * since are those that were in the state before.
 */
function looksUnchanged(source: StateSource, before: Members, newest: Page<IDataObject>): boolean {
	const { clock, total } = before;
	const { records, last, asked } = newest;
	if (!clock || last || newest.total === undefined || newest.total !== total) return false;
	// Where more have changed than a page holds, those that it does not show may be others.
	const oldest = records.map(source.changedAt).reduce((a, b) => Math.min(a, b), Infinity);
	if (!(oldest <= clock.time)) return false;
	// Then only one that appears late can be hidden.
	const validMs = oldest < clock.time - OVERLAP_MS ? SWEEP_MS : UNSURE_MS;
	if (Math.abs(asked - clock.asked) >= validMs) return false;
	const old = new Set(split(before.ids));
	return records.every((record) => old.has(source.id(record)) || !source.isIn(record));
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
	// Those that an earlier poll had no time for come first, so that each poll gets further.
	let hasRead = await comparison.lookAtFew();
	if (!comparison.pass) {
		const newest = hasRead && isOver() ? TIMED_OUT : await orTimedOut(source.newest);
		if (newest === TIMED_OUT && !hasRead) throw new OutOfTime();
		if (newest === TIMED_OUT || (before && looksUnchanged(source, before, newest))) {
			return comparison.unchanged();
		}
		hasRead = true;
		comparison.begin(newest);
		// Whoever is in the state is on this page.
		if (newest.last) comparison.take({ ...newest, at: BEGINNING, isWhole: true });
	}
	while (!comparison.isComplete && !(hasRead && isOver())) {
		const { at, page } = comparison.pass!;
		const chunk = await orTimedOut(async () => await chunkFrom(source, at, { isOver, page }));
		if (chunk === TIMED_OUT) break;
		hasRead = true;
		comparison.take(chunk);
	}
	if (comparison.isComplete) await comparison.lookForMissing(isOver);
	return comparison.result();
}

/** A reading of the list, in one poll or several, beside what was known. */
class Comparison {
	private readonly changes: MemberChange[] = [];

	/** The members that have been found in the list, and those that have not been yet. */
	private readonly found: Set<string>;

	private readonly unfound: Set<string>;

	/** Those that have to be looked at. */
	private readonly missing: Set<string>;

	private hasLooked = false;

	pass: Members['pass'];

	isComplete = false;

	constructor(
		private readonly source: StateSource,
		private readonly before?: Members,
	) {
		const { ids, missing, pass } = before ?? { ids: '' };
		const all = split(ids);
		this.pass = pass && { ...pass };
		this.found = new Set(all.slice(0, pass?.done ?? 0));
		this.unfound = new Set(all.slice(pass?.done ?? 0));
		this.missing = new Set(split(missing));
	}

	begin(newest: Page<IDataObject>): void {
		const span = spanOf(newest);
		const earliest = this.before?.clock ? clockAt(this.before.clock, span) : 0;
		const clock = { ...span, time: Math.max(earliest, newestOn(this.source, newest)) };
		const isFirst = this.before === undefined && { isFirst: true as const };
		this.pass = { at: BEGINNING, done: 0, others: 0, clock, ...isFirst };
	}

	/** Takes note of a part of the list. */
	take({ records, at, page, last }: Chunk<IDataObject>): void {
		const { source, found, unfound, missing } = this;
		const pass = this.pass!;
		const from = Date.parse(pass.at);
		const others = new Set<string>();
		for (const record of records) {
			const id = source.id(record);
			const isMember = [unfound.delete(id), missing.delete(id), found.has(id)].some(Boolean);
			if (!isMember && !source.isIn(record)) {
				// Those of the time that the last part ended with come again.
				if (timeOf(source, record) > from) others.add(id);
				continue;
			}
			found.add(id);
			if (!isMember && !pass.isFirst) this.changes.push({ kind: 'entered', record });
		}
		this.pass = { ...pass, at, page, others: pass.others + others.size };
		this.isComplete = last;
	}

	/** Looks for those that the list does not have any more: many in the list of those that have left. */
	async lookForMissing(isOver: () => boolean): Promise<void> {
		const { unfound, missing, source } = this;
		for (const id of unfound) missing.add(id);
		unfound.clear();
		const isMany = missing.size > FEW;
		for (let page = 1; isMany && missing.size > 0 && !isOver(); page++) {
			const read = await orTimedOut(async () => await source.left(page));
			if (read === TIMED_OUT) return;
			for (const record of read.records) {
				if (missing.has(source.id(record)) && source.hasLeft(record)) this.leave(record);
			}
			const times = read.records.map(source.changedAt).filter((at) => at === at);
			if (read.last || Math.min(...times) < (this.before?.clock?.time ?? 0) - OVERLAP_MS) break;
		}
		if (!isOver()) await this.lookAtFew();
	}

	/** Looks at some of those that are missing, once a poll. @returns whether there are any */
	async lookAtFew(): Promise<boolean> {
		const { source, missing } = this;
		const few = this.hasLooked ? [] : [...missing].slice(0, FEW);
		this.hasLooked ||= few.length > 0;
		await Promise.all(
			few.map(async (id) => {
				const record = await orTimedOut(async () => await source.one(id));
				if (record === TIMED_OUT) return;
				if (record && source.hasLeft(record)) this.leave(record);
				// It is in the state again, or has never left it.
				else if (record && source.isIn(record)) this.found.add(id);
				missing.delete(id);
			}),
		);
		return few.length > 0;
	}

	private leave(record: IDataObject): void {
		this.missing.delete(this.source.id(record));
		this.changes.push({ kind: 'left', record });
	}

	private savedMissing(): Pick<Members, 'missing'> {
		return this.missing.size > 0 ? { missing: join(this.missing) } : {};
	}

	/** What was found, beside the list as it was. */
	unchanged(): MembersRead {
		const { changes, found, unfound, before = { ids: '' } } = this;
		const ids = join([...found, ...unfound]);
		const members = { ...omit(before, 'missing'), ids, ...this.savedMissing() };
		return { changes, members, isComplete: true };
	}

	result(): MembersRead {
		const { changes, found, unfound, isComplete, before } = this;
		const pass = this.pass!;
		const { total, clock } = before ?? {};
		const about = isComplete
			? { total: found.size + pass.others, clock: pass.clock }
			: { total, clock, pass: { ...pass, done: found.size } };
		const members = { ids: join([...found, ...unfound]), ...about, ...this.savedMissing() };
		return { changes, members, isComplete };
	}
}
