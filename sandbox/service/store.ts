import type { ClientRow, Row, SiteRow, TagRow, TaskRow } from './records';

/** Rows of one kind by id, in the order of their insertion. */
export class Collection<T extends Row> {
	private readonly rows = new Map<string, T>();

	all(): T[] {
		return [...this.rows.values()];
	}

	get(id: string): T | undefined {
		return this.rows.get(id);
	}

	insert(row: T): T {
		this.rows.set(row.id, row);
		return row;
	}

	delete(id: string): void {
		this.rows.delete(id);
	}
}

/** All that the service remembers. */
export class Store {
	readonly clients = new Collection<ClientRow>();
	readonly sites = new Collection<SiteRow>();
	readonly tags = new Collection<TagRow>();
	readonly tasks = new Collection<TaskRow>();
	private readonly sequences: Record<string, number> = {};

	/** The next number of a named sequence, from 1; a number is never given out again. */
	nextNumber(sequence: string): string {
		const number = (this.sequences[sequence] ?? 0) + 1;
		this.sequences[sequence] = number;
		return String(number);
	}
}
