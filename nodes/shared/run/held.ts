import type { Limiter } from '../client/limiter';
import { Semaphore } from '../client/semaphore';

/**
 * What this process does to one record, whichever nodes and executions do it: one change of its lists at a time, and
 * which entries were changed since, so that a look afterwards does not take that for a loss.
 */
export class Held {
	private readonly turns = new Semaphore(1);

	/** When each entry was last changed, counted in changes. */
	private readonly changed = new Map<string, number>();

	/** When the whole list was last set. */
	private replaced = 0;

	private changes = 0;

	/** @param id by which the record is known now: an invitation gets another one with each update */
	constructor(public id: string) {}

	/** Does something while nothing else of this process changes the record. */
	async alone<T>(work: () => Promise<T>): Promise<T> {
		return await this.turns.run(work);
	}

	/**
	 * Takes note of a change.
	 * @param entries that were added or taken out; undefined where the list was set anew
	 * @returns its number
	 */
	note(entries?: string[]): number {
		this.changes += 1;
		if (entries) for (const entry of entries) this.changed.set(entry, this.changes);
		else this.replaced = this.changes;
		return this.changes;
	}

	/** Whether an entry was changed here after a change. */
	isChangedSince(number: number, entry: string): boolean {
		return Math.max(this.replaced, this.changed.get(entry) ?? 0) > number;
	}
}

/** By account and name of the record. What nobody works with any more is let go. */
const accounts = new WeakMap<object, Map<string, WeakRef<Held>>>();

/** Records in the map until those that are gone are looked for. */
const MANY = 1_000;

function recordsOf({ account }: Limiter): Map<string, WeakRef<Held>> {
	const records = accounts.get(account) ?? new Map<string, WeakRef<Held>>();
	accounts.set(account, records);
	if (records.size > MANY) {
		for (const [name, held] of records) if (!held.deref()) records.delete(name);
	}
	return records;
}

/** What is done to a record. @param list its collection, such as `/clients` */
export function heldOf(limiter: Limiter, list: string, id: string): Held {
	const records = recordsOf(limiter);
	const known = records.get(`${list} ${id}`)?.deref();
	if (known) return known;
	const held = new Held(id);
	records.set(`${list} ${id}`, new WeakRef(held));
	return held;
}

/** Has a record be known by another id, too. */
export function renamed(limiter: Limiter, list: string, held: Held, id: string): void {
	if (held.id === id) return;
	held.id = id;
	recordsOf(limiter).set(`${list} ${id}`, new WeakRef(held));
}
