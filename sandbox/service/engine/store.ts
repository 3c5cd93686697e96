/** Records as they are kept: plain JSON. Fields under `internal` never leave the service. */
export interface Row {
	id: string;
}

export interface Numbered<T> {
	order: number;
	row: T;
}

/** Rows of one kind by id, in the order of their insertion. */
export class Collection<T extends Row> {
	private readonly rows = new Map<string, T>();
	private readonly orders = new Map<string, number>();
	private inserted = 0;
	/** What `all` was the last time, while no row has come or gone. */
	private list: T[] | undefined;
	/** The ids of the rows that may have changed, while somebody watches. */
	private touched: Set<string> | 'all' | undefined;
	private readonly removed = new Set<string>();
	private isReading = () => false;

	all(): T[] {
		if (this.touched && !this.isReading()) this.touched = 'all';
		return this.peek().slice();
	}

	/** All rows, only to be looked at; whoever changes one gets it by its id. */
	peek(): readonly T[] {
		this.list ??= [...this.rows.values()];
		return this.list;
	}

	get(id: string): T | undefined {
		const row = this.rows.get(id);
		if (row) this.touch(id);
		return row;
	}

	insert(row: T): T {
		if (!this.rows.has(row.id)) this.orders.set(row.id, ++this.inserted);
		this.rows.set(row.id, row);
		this.removed.delete(row.id);
		if (this.touched instanceof Set) this.touched.add(row.id);
		this.list = undefined;
		return row;
	}

	delete(id: string): void {
		if (!this.rows.delete(id)) return;
		this.orders.delete(id);
		if (this.touched) this.removed.add(id);
		this.list = undefined;
	}

	/** From now on rows that come in or are given out count as changed, except while `isReading`. */
	watch(isReading: () => boolean): void {
		this.isReading = isReading;
		this.touched = new Set();
	}

	/** What may have changed since the last time, each row with its number in the order of insertion. */
	takeChanges(): { rows: Array<Numbered<T>>; removed: string[] } {
		const ids = this.touched instanceof Set ? this.touched : this.rows.keys();
		const rows = [...ids].flatMap((id) => {
			const row = this.rows.get(id);
			return row ? { order: this.orders.get(id)!, row } : [];
		});
		const removed = [...this.removed];
		this.touched = new Set();
		this.removed.clear();
		return { rows, removed };
	}

	/** All rows, each with its number in the order of insertion, only to be looked at. */
	numbered(): Array<Numbered<T>> {
		return this.peek().map((row) => ({ order: this.orders.get(row.id)!, row }));
	}

	/** Puts the rows of an earlier collection in the place of those that are there. */
	restore(rows: Array<Numbered<T>>): void {
		for (const { id } of this.peek()) this.delete(id);
		for (const { order, row } of rows.sort((a, b) => a.order - b.order)) {
			this.inserted = order - 1;
			this.insert(row);
		}
	}

	protected touch(id: string): void {
		if (this.touched instanceof Set && !this.isReading()) this.touched.add(id);
	}
}

/** Rows that belong to a site for good, found without a look at those of the other sites. */
export class SiteCollection<T extends Row> extends Collection<T> {
	private readonly bySite = new Map<string, Map<string, T>>();

	/** @param siteOf the site of a row; the one that it names as `site_id` by default */
	constructor(private readonly siteOf = (row: T) => (row as T & { site_id: string }).site_id) {
		super();
	}

	ofSite(siteId: string): T[] {
		const rows = [...(this.bySite.get(siteId)?.values() ?? [])];
		for (const { id } of rows) this.touch(id);
		return rows;
	}

	override insert(row: T): T {
		super.insert(row);
		const siteId = this.siteOf(row);
		const rows = this.bySite.get(siteId);
		if (rows) rows.set(row.id, row);
		else this.bySite.set(siteId, new Map([[row.id, row]]));
		return row;
	}

	override delete(id: string): void {
		const row = this.get(id);
		super.delete(id);
		if (row) this.bySite.get(this.siteOf(row))?.delete(id);
	}
}

/** The rows of the service by their kind; each part of it declares its own here. */
export interface Collections {}

/** All that the service remembers. */
class Memory {
	/** The last number of each sequence. */
	readonly sequences: Record<string, number> = {};

	/** The next number of a named sequence, from 1; a number is never given out again. */
	nextNumber(sequence: string): string {
		const number = (this.sequences[sequence] ?? 0) + 1;
		this.sequences[sequence] = number;
		return String(number);
	}

	/** Every kind of rows by its name. */
	collections(): Array<[string, Collection<Row>]> {
		return Object.entries(this).filter(
			(entry): entry is [string, Collection<Row>] => entry[1] instanceof Collection,
		);
	}
}

export type Store = Memory & Collections;

/** @param kinds an empty collection for each kind of rows */
export const createStore = (kinds: Collections): Store => Object.assign(new Memory(), kinds);
