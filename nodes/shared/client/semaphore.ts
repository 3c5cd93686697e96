/** Runs a limited number of tasks at a time, in order of arrival. */
export class Semaphore {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	/** Index of the next task; started ones are removed in batches, since each removal moves all others. */
	private next = 0;

	constructor(private readonly most: number) {}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.running >= this.most) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else this.running += 1;
		try {
			return await work();
		} finally {
			this.startNext();
		}
	}

	/** Starts the task that has waited longest. */
	private startNext(): void {
		const next = this.waiting[this.next];
		if (!next) {
			this.running -= 1;
			return;
		}
		this.next += 1;
		if (this.next > 1_000) {
			this.waiting.splice(0, this.next);
			this.next = 0;
		}
		next();
	}
}
