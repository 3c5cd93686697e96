import { clock } from '../client/clock';

/** What became of a change; kept, so that a retry does not repeat it. */
export type Settled<T> = { result: T } | { unsure: Error };

/**
 * The changes of a run: one at a time, in the order in which items hand them in, and none after a failure unless the
 * run keeps going. A retry repeats neither a change that was made nor one whose outcome is unknown.
 */
export class OrderedMutations<T> {
	/** The end of the last change that was handed in. */
	private last: Promise<unknown> = Promise.resolve();

	private waiting = 0;

	private failed = false;

	/** Whether nothing more is sent. */
	get hasFailed(): boolean {
		return this.failed;
	}

	/** How many changes have been made. */
	made: number;

	/**
	 * @param keepsGoing whether changes are made after a failure
	 * @param isUnsure whether a failed change may have been made all the same
	 * @param settled what an earlier try of the same run has brought, by the index of its item
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
		// After a tick, n8n has handed in all items and every input has been checked.
		const before =
			this.waiting === 0 ? this.last.then(async () => await clock.sleep(0)) : this.last;
		this.waiting += 1;
		const made = before.then(async () =>
			this.failed ? undefined : await this.once(index, change),
		);
		this.last = made.catch(() => this.fail()).finally(() => (this.waiting -= 1));
		return await made;
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

	/** Resolves when all changes that were handed in have been made or given up. */
	async idle(): Promise<void> {
		await this.last;
	}
}
