import type { IDataObject } from 'n8n-workflow';
import { OutOfTime } from '../client/limiter';
import { HOUR_MS, instantOf } from '../lib';
import { orUnread } from '../receive/errors';
import type { Event, FeedRead, StateFeed } from './feed';
import type { Chunk, Ordered, Page, Place, RecordClock } from './chunk';
import { BEGINNING, chunkFrom, clockAt, latestOf, orTimedOut, OVERLAP_MS, spanOf } from './chunk';

/*
 * The members of a state are the records that are in it:
 * - Their list is read by the time of creation. That never changes, so several polls can read it in parts.
 * - One request shows how many are in the state, and which of them changed last. The list is read only when that
 *   differs.
 * - A record that is missing in the list is checked once. If it has left the state, that is an event. Otherwise it is
 *   gone, and counts as new when it comes back.
 */

/** The records that are in a state. Plain JSON. */
export interface Members {
	/** Their IDs, separated by spaces: shorter than a list. */
	ids: string;
	/** IDs that are missing in the list and not checked yet. */
	missing?: string;
	/** Length of the list and the records' clock when the last full reading began; none during the first reading. */
	total?: number;
	clock?: RecordClock;
	/** A reading that continues with the next poll. */
	pass?: Place & {
		/** Number of IDs found so far; they come first in `ids`. */
		done: number;
		total?: number;
		clock: RecordClock;
	};
}

export interface StateSource
	extends Ordered, Pick<StateFeed, 'entered' | 'left' | 'isIn' | 'hasLeft'> {
	/** A page of the records that changed last; `last` if these are all. */
	newest: () => Promise<Page>;
	/** A page of the records that have left the state, those that changed last first. */
	lastLeft: (page: number) => Promise<Page>;
	/** The current record, or null if it was deleted. */
	one: (id: string) => Promise<IDataObject | null>;
}

/** A list that looks unchanged is still read at this interval. */
const SWEEP_MS = HOUR_MS;

/** The interval if the newest page can hide a record that appears late: it is listed after the overlap. */
const UNSURE_MS = OVERLAP_MS + 60_000;

/** Maximum number of single records that a poll checks. */
const MAX_CHECKS = 16;

const join = (ids: Iterable<string>) => [...ids].join(' ');
const split = (ids = '') => ids.split(' ').filter(Boolean);

const changedAt = ({ updated_at: at }: IDataObject) => instantOf(at);

/** Whether one request shows the same number of records, and no change of one that was not in the state before. */
function looksUnchanged(source: StateSource, before: Members, newest: Page): boolean {
	const { clock, total } = before;
	const { records, last, asked } = newest;
	if (!clock || last || newest.total === undefined || newest.total !== total) return false;
	// If more records have changed than fit on a page, the others may be new.
	const oldest = Math.min(...records.map(changedAt));
	if (!(oldest <= clock.time)) return false;
	// From here, only a record that appears late can be missing.
	const validMs = oldest < clock.time - OVERLAP_MS ? SWEEP_MS : UNSURE_MS;
	if (Math.abs(asked - clock.asked) >= validMs) return false;
	const old = new Set(split(before.ids));
	return records.every((record) =>
		old.has(source.id(record)) ? !source.hasLeft(record) : !source.isIn(record),
	);
}

/** The records that have entered or left the state since the last poll; none at first. Reads at least one part. */
export async function changedMembers(
	source: StateSource,
	before: Members | undefined,
	isOver: () => boolean,
): Promise<FeedRead<Members>> {
	const comparison = new Comparison(source, before);
	// Start with the records that an earlier poll had no time for, so that each poll progresses.
	let hasRead = await comparison.checkSome();
	if (!comparison.pass) {
		const newest = hasRead && isOver() ? undefined : await orTimedOut(source.newest());
		if (!newest && !hasRead) throw new OutOfTime();
		if (!newest || (before && looksUnchanged(source, before, newest))) {
			return comparison.result();
		}
		hasRead = true;
		comparison.begin(newest);
		// This page has all records that are in the state.
		if (newest.last) comparison.take({ ...newest, at: BEGINNING, isWhole: true });
	}
	while (!comparison.isComplete && !(hasRead && isOver())) {
		const chunk = await orTimedOut(chunkFrom(source, comparison.pass!, isOver));
		if (!chunk) break;
		hasRead = true;
		comparison.take(chunk);
	}
	if (comparison.isComplete) await comparison.findMissing(isOver);
	return comparison.result();
}

/** Compares a reading of the list, in one poll or several, with the members before. */
class Comparison {
	private readonly events: Event[] = [];

	/** IDs of the members found in the list so far, and of the others. */
	private readonly found: Set<string>;
	private readonly unfound: Set<string>;

	/** IDs to check. */
	private readonly missing: Set<string>;
	private hasChecked = false;

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

	begin(newest: Page): void {
		const changed = newest.records.map(changedAt);
		const inTime = changed.filter((at) => at <= latestOf(newest));
		const earliest = this.before?.clock ? clockAt(this.before.clock, newest) : 0;
		const clock = { ...spanOf(newest), time: Math.max(earliest, ...inTime) };
		this.pass = { at: BEGINNING, done: 0, total: newest.total, clock };
	}

	take({ records, at, page, last }: Chunk): void {
		const { source, found, unfound, missing } = this;
		// The records of the first reading have not entered the state.
		const isFirst = !this.before?.clock;
		for (const record of records) {
			const id = source.id(record);
			const isMember = [unfound.delete(id), missing.delete(id), found.has(id)].some(Boolean);
			if (isMember && source.hasLeft(record)) {
				// The filter of the service lets more through than the state.
				found.delete(id);
				this.leave(record);
			} else if (isMember || source.isIn(record)) {
				found.add(id);
				if (!isMember && !isFirst) this.events.push({ event: source.entered, record });
			}
		}
		this.pass = { ...this.pass!, at, page };
		this.isComplete = last;
	}

	/** Finds the missing records: many of them in the list of those that have left. */
	async findMissing(isOver: () => boolean): Promise<void> {
		const { unfound, missing, source } = this;
		for (const id of unfound) missing.add(id);
		unfound.clear();
		const isMany = missing.size > MAX_CHECKS;
		for (let page = 1; isMany && missing.size > 0 && !isOver(); page++) {
			const read = await orTimedOut(source.lastLeft(page));
			if (!read) return;
			for (const record of read.records) {
				if (missing.has(source.id(record)) && source.hasLeft(record)) this.leave(record);
			}
			const times = read.records.map(changedAt).filter((at) => at === at);
			if (read.last || Math.min(...times) < (this.before?.clock?.time ?? 0) - OVERLAP_MS) break;
		}
		if (!isOver()) await this.checkSome();
	}

	/** Checks some of the missing records, once a poll. @returns whether there were any */
	async checkSome(): Promise<boolean> {
		const { source, missing } = this;
		const few = this.hasChecked ? [] : [...missing].slice(0, MAX_CHECKS);
		this.hasChecked ||= few.length > 0;
		await Promise.all(
			few.map(async (id) => {
				const record = await orUnread(orTimedOut(source.one(id)));
				// It is checked again by the next poll, and holds up no other.
				if (record === undefined) return;
				if (record && source.hasLeft(record)) this.leave(record);
				// The record is in the state again, or has never left it.
				else if (record && source.isIn(record)) this.found.add(id);
				missing.delete(id);
			}),
		);
		return few.length > 0;
	}

	private leave(record: IDataObject): void {
		this.missing.delete(this.source.id(record));
		this.events.push({ event: this.source.left, record });
	}

	/** The result, also if the list was not read. */
	result(): FeedRead<Members> {
		const { events, found, unfound, missing, before, pass } = this;
		const isCut = pass !== undefined && !this.isComplete;
		const { total, clock } = (isCut ? before : (pass ?? before)) ?? {};
		const memory: Members = {
			...{ ids: join([...found, ...unfound]), total, clock },
			...(isCut && { pass: { ...pass, done: found.size } }),
			...(missing.size > 0 && { missing: join(missing) }),
		};
		return { events, memory, isComplete: !isCut };
	}
}
