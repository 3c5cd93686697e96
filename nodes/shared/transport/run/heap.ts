/** A binary heap, which hands out what has the lowest rank; both ways take O(log n). */
export class Heap<T> {
	private readonly entries: Array<{ rank: number; item: T }> = [];

	add(rank: number, item: T): void {
		let at = this.entries.push({ rank, item }) - 1;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if (this.rankAt(parent) <= rank) return;
			this.swap(at, parent);
			at = parent;
		}
	}

	take(): T | undefined {
		if (this.entries.length === 0) return undefined;
		this.swap(0, this.entries.length - 1);
		const { item } = this.entries.pop()!;
		let at = 0;
		for (;;) {
			const left = 2 * at + 1;
			const lower = this.rankAt(left + 1) < this.rankAt(left) ? left + 1 : left;
			if (this.rankAt(at) <= this.rankAt(lower)) return item;
			this.swap(at, lower);
			at = lower;
		}
	}

	/** Beyond the end everything is higher. */
	private rankAt(at: number): number {
		return this.entries[at]?.rank ?? Infinity;
	}

	private swap(a: number, b: number): void {
		const { entries } = this;
		[entries[a], entries[b]] = [entries[b]!, entries[a]!];
	}
}
