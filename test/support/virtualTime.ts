import { onAbort } from '../../nodes/shared/n8n/context';

export interface TimeOptions {
	/** In epoch milliseconds; 0 without. */
	start?: number;
	/** Whether something is under way that takes no time, but is not done yet. */
	isBusy?: () => boolean;
	/** Called when the time has moved on by so much. */
	moved?: (ms: number) => void;
}

/** Time that moves only when nothing else can happen: a test of hours runs in milliseconds. */
export class VirtualTime {
	private time: number;

	private readonly timers: Array<{ at: number; order: number; run: () => void }> = [];

	private order = 0;

	constructor(private readonly options: TimeOptions = {}) {
		this.time = options.start ?? 0;
	}

	readonly now = () => this.time;

	/** As the transport's clock has it: rejects when the signal aborts. */
	readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> =>
		await new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			onAbort(signal, () => reject(signal!.reason));
			this.at(this.time + Math.max(0, ms), resolve);
		});

	at(at: number, run: () => void): void {
		this.timers.push({ at, order: this.order++, run });
	}

	/** Runs everything that is due, in order, until nothing is left or the time is over. */
	async run(until = Infinity): Promise<void> {
		for (;;) {
			await this.settle();
			this.timers.sort((a, b) => a.at - b.at || a.order - b.order);
			const [next] = this.timers;
			if (!next || next.at > until) return;
			this.timers.shift();
			this.move(next.at);
			next.run();
		}
	}

	/** Lets all promises that can go on do so first. */
	private async settle(): Promise<void> {
		const { isBusy = () => false } = this.options;
		do await new Promise<void>((resolve) => setImmediate(resolve));
		while (isBusy());
	}

	private move(to: number): void {
		const ms = Math.max(0, to - this.time);
		this.time += ms;
		this.options.moved?.(ms);
	}
}
