/** Runs work for which the order of arrival decides, a few at a time. */
export class Semaphore {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	/** The next one to go: what has gone is cut off now and then, lest each turn moves all that wait. */
	private next = 0;

	constructor(private readonly most: number) {}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.running >= this.most) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else this.running += 1;
		try {
			return await work();
		} finally {
			this.pass();
		}
	}

	/** Hands the place on to who waits longest. */
	private pass(): void {
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
