import type { IDataObject } from 'n8n-workflow';
import { omit } from '../lib/records';
import { orTimedOut, TIMED_OUT } from './orTimedOut';
import type { Page } from './chunk';
import { APPEARS_LATE_MS } from './chunk';

/*
 * What is missing from the list of a state has not left it before its own record says so: it may be in a third state,
 * from which it comes back or goes on, and what it then tells is the same as without the third state between.
 *
 * - Who is missing newly is looked at, a few a poll. Many are looked for in the list of those that have left, newest
 *   first, back to the time from which on nothing has been missed.
 * - After that this list alone is read on in each poll, mostly one page, however many are away; a single one is looked
 *   at instead. A few are looked at once an hour all the same: of those that are gone no list tells.
 * - A service whose records do not change their time when they leave is found out by such a look, and its list of
 *   those that have left is read whole.
 */

/** Those that are missing from the list of a state, and of whom nothing tells that they have left. Plain JSON. */
export interface Away {
	/**
	 * Their keys and since which day they are away, in base 36, separated by spaces: `7@ZtGD/fsk`. First those that
	 * are to be looked at next.
	 */
	ids: string;
	/** How many of them nobody has looked at yet; they come first. */
	unseen?: number;
	/** Who has left before has been found; by the records' times, in epoch milliseconds. */
	readTo?: number;
	/** Whether the last poll had no time to look. */
	isSkipped?: true;
	/** When some were looked at one by one that had been before, by n8n's clock in epoch milliseconds. */
	lookedAt?: number;
}

/** What this needs of a list. */
export interface AwaySource {
	/** The id of a record, and where it can be told since when it is in the state: `7@ZtGD`. */
	key: (record: IDataObject) => string;
	hasLeft: (record: IDataObject) => boolean;
	/** When a record changed; in epoch milliseconds. */
	changedAt: (record: IDataObject) => number;
	/** A page of the records that have left the state, those that changed last first. */
	left: (page: number) => Promise<Page<IDataObject>>;
	/** The record as it is now, or undefined when it is gone. */
	one: (id: string) => Promise<IDataObject | undefined>;
}

/** A poll, as far as it concerns those that are away. */
export interface Look {
	/** By n8n's clock, in epoch milliseconds. */
	now: number;
	/** By the records' times, in epoch milliseconds; undefined where that is not known. */
	clock?: number;
	/** Who is missing newly was in the state then, by the records' times. */
	knownAt?: number;
	/** Whether the time for this poll is over. */
	isOver: () => boolean;
	/** Takes note of a page that was read. */
	note: (page: Page<IDataObject>) => void;
}

/** So many records are looked at one by one in a poll. */
const FEW = 16;

/** Who is away is looked at all the same once in so much time. */
const LOOK_MS = 3_600_000;

const DAY_MS = 86_400_000;

/** Who is away for longer is forgotten. */
const MAX_DAYS = 30;

const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** Keys, separated by spaces: shorter than a list. */
export const join = (keys: Iterable<string>) => [...keys].join(' ');
export const split = (keys = '') => keys.split(' ').filter(Boolean);

export const idIn = (key: string) => key.split('@')[0]!;

/** One that is away. */
interface Absentee {
	key: string;
	/** Since which day. */
	day: number;
	/** Whether nobody has looked at it yet. */
	isUnseen: boolean;
	/** Whether it is missing since this poll. */
	isNew?: true;
}

/** Those that are away, in one poll. */
export class Absentees {
	/** By id; first those that are to be looked at next. */
	private readonly all = new Map<string, Absentee>();

	private readonly left: IDataObject[] = [];

	private hasLooked = false;

	/** What is remembered of the looks. */
	private next: Omit<Away, 'ids' | 'unseen'>;

	constructor(
		private readonly source: AwaySource,
		private readonly before: Away = { ids: '' },
	) {
		this.next = omit(before, 'ids', 'unseen');
		for (const [index, entry] of split(before.ids).entries()) {
			const end = entry.lastIndexOf('/');
			const [key, day] = [entry.slice(0, end), parseInt(entry.slice(end + 1), 36)];
			this.all.set(idIn(key), { key, day, isUnseen: index < (before.unseen ?? 0) });
		}
	}

	/** One that is in the list. @returns whether it was away, so that it has not come into the state now */
	isBack(key: string): boolean {
		const known = this.all.get(idIn(key));
		this.all.delete(idIn(key));
		return known?.key === key;
	}

	/** One that is missing from the list, newly. */
	add(key: string, now: number): void {
		this.all.set(idIn(key), { key, day: dayOf(now), isUnseen: true, isNew: true });
	}

	/** Looks for those that have left the state. @param isFirst before all else, after a poll without time for it */
	async look(look: Look, isFirst = false): Promise<IDataObject[]> {
		const { now, clock, isOver } = look;
		for (const [id, { day }] of this.all) {
			if (dayOf(now) - day >= MAX_DAYS) this.all.delete(id);
		}
		const { lookedAt = now } = this.before;
		const isDue = Math.abs(now - lookedAt) >= LOOK_MS;
		const from = this.from(look);
		if (Number.isFinite(from)) this.next.readTo = from;
		if (!isFirst && this.all.size > 0 && isOver()) return this.skip();
		const isListed = !isFirst && (this.count(false) > 1 || this.count(true) > FEW);
		let isWhole = isListed && (await this.readLeft(look, from));
		if (isListed && !isWhole && isOver()) return this.skip();
		const looked = this.hasLooked ? new Set<string>() : this.nextFew(isDue || !isWhole);
		this.hasLooked = true;
		const isStale = await this.readSingles(looked, from);
		const isRest = [...this.all.keys()].some((id) => !looked.has(id));
		if (isStale && isRest && !isOver()) isWhole = await this.readLeft(look, -Infinity);
		const readTo = isWhole || !isRest ? (clock ?? from) : from;
		this.next = { ...(Number.isFinite(readTo) && { readTo }), lookedAt: isDue ? now : lookedAt };
		return this.left.splice(0);
	}

	/** The next poll begins with single ones. */
	private skip(): IDataObject[] {
		this.next.isSkipped = true;
		return this.left.splice(0);
	}

	/** What to remember; undefined where nobody is away. */
	saved(): Away | undefined {
		if (this.all.size === 0) return undefined;
		const unseen = this.count(true);
		const inOrder = [...this.all.values()].sort((a, b) => Number(b.isUnseen) - Number(a.isUnseen));
		return {
			ids: join(inOrder.map(({ key, day }) => `${key}/${day.toString(36)}`)),
			...(unseen > 0 && { unseen }),
			...this.next,
		};
	}

	private count(isUnseen: boolean): number {
		return [...this.all.values()].filter((each) => each.isUnseen === isUnseen).length;
	}

	/** The ids of those to be looked at one by one. @param isAlso whether also of those that were looked at before */
	private nextFew(isAlso: boolean): Set<string> {
		const ids = [...this.all].filter(([, { isUnseen }]) => isUnseen);
		const others = isAlso ? [...this.all].filter(([, { isUnseen }]) => !isUnseen) : [];
		return new Set([...ids, ...others].slice(0, FEW).map(([id]) => id));
	}

	/** How far back the list of those that have left has to be read: from then on nobody was looked for. */
	private from({ knownAt = -Infinity }: Look): number {
		const { readTo = -Infinity } = this.before;
		const times = [...this.all.values()].map(({ isNew }) => (isNew ? knownAt : readTo));
		return times.reduce((a, b) => Math.min(a, b), Infinity);
	}

	/** Reads the list of those that have left back to a time. @returns whether it got there */
	private async readLeft({ isOver, note }: Look, from: number): Promise<boolean> {
		for (let page = 1; this.all.size > 0; page++) {
			const read = await orTimedOut(async () => await this.source.left(page));
			if (read === TIMED_OUT) return false;
			note(read);
			for (const record of read.records) {
				if (this.all.has(String(record.id)) && this.source.hasLeft(record)) this.leave(record);
			}
			const times = read.records.map(this.source.changedAt).filter((at) => at === at);
			if (read.last || Math.min(...times) < from - APPEARS_LATE_MS) return true;
			if (isOver()) return false;
		}
		return true;
	}

	/** Looks at some. @returns whether one has left at a time at which the list should have told of it */
	private async readSingles(ids: Set<string>, from: number): Promise<boolean> {
		const { source, all } = this;
		let isStale = false;
		await Promise.all(
			[...ids].map(async (id) => {
				const record = await orTimedOut(async () => await source.one(id));
				if (record === TIMED_OUT) return void ids.delete(id);
				const { key, day } = all.get(id)!;
				all.delete(id);
				// Gone, or in the state anew, which the list has told.
				if (!record || (source.key(record) !== key && !source.hasLeft(record))) return;
				if (source.hasLeft(record)) {
					isStale ||= source.changedAt(record) < from - APPEARS_LATE_MS;
					this.left.push(record);
				} else {
					// The others have their turn before.
					all.set(id, { key, day, isUnseen: false });
				}
			}),
		);
		return isStale;
	}

	private leave(record: IDataObject): void {
		this.all.delete(String(record.id));
		this.left.push(record);
	}
}
