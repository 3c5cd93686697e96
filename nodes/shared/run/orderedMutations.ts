import { clock } from '../client/clock';

/** What became of a change: kept, so that it is not made again. */
export type Settled<T> = { result: T } | { unsure: Error };

/**
 * Changes of one run: one at a time, in item order, and none after a failure unless the run keeps going. A change
 * that was made is not made again when the run is repeated, nor one of which nobody knows whether it was made.
 */
export class OrderedMutations<T> {
	/** What waits for its turn, by the index of its item. */
	private readonly turns = new Heap<() => Promise<void>>();

	private working: Promise<void> | undefined;

	private failed = false;

	/** Whether nothing more is sent. */
	get hasFailed(): boolean {
		return this.failed;
	}

	/** How many changes have been made. */
	made: number;

	/**
	 * @param isUnsure tells of a failure whether the change may have been made all the same
	 * @param settled what an earlier try of the same run has brought
	 */
	constructor(
		private readonly keepsGoing: boolean,
		private readonly isUnsure: (error: Error) => boolean,
		readonly settled = new Map<number, Settled<T>>(),
	) {
		this.made = [...settled.values()].filter((each) => 'result' in each).length;
	}

	/** Keeps everything from being sent that has not been sent yet. */
	fail(): void {
		if (!this.keepsGoing) this.failed = true;
	}

	/**
	 * Makes a change when its turn comes.
	 * @returns its result, or undefined when it was not made because another one had failed
	 * @throws what it failed with
	 */
	async make(index: number, change: () => Promise<T>): Promise<T | undefined> {
		return await new Promise((resolve, reject) => {
			const go = async () => {
				if (this.failed) return resolve(undefined);
				try {
					resolve(await this.once(index, change));
				} catch (error) {
					this.fail();
					reject(error);
				}
			};
			this.turns.add(index, go);
			this.working ??= this.work();
		});
	}

	private async once(index: number, change: () => Promise<T>): Promise<T> {
		const earlier = this.settled.get(index);
		if (earlier) {
			if ('unsure' in earlier) throw earlier.unsure;
			return earlier.result;
		}
		const result = await change().catch((error: Error) => {
			if (this.isUnsure(error)) this.settled.set(index, { unsure: error });
			throw error;
		});
		if (result === undefined) return result;
		this.settled.set(index, { result });
		this.made += 1;
		return result;
	}

	/** Resolves when all changes that were handed in have been made or have been given up. */
	async idle(): Promise<void> {
		await this.working;
	}

	private async work(): Promise<void> {
		// By then every item has been checked, and n8n has ended its loop over the items.
		await clock.sleep(0);
		for (let go = this.turns.take(); go; go = this.turns.take()) await go();
		this.working = undefined;
	}
}

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
