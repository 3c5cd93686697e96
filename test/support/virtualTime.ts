import { onAbort } from '../../nodes/shared/transport/onAbort';

/** Time that moves only when nothing else can happen: a test of hours runs in milliseconds. */
export class VirtualTime {
	private time = 0;

	private readonly timers: Array<{ at: number; order: number; run: () => void }> = [];

	private order = 0;

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
			// Lets all promises that can go on do so first.
			await new Promise<void>((resolve) => setImmediate(resolve));
			this.timers.sort((a, b) => a.at - b.at || a.order - b.order);
			const [next] = this.timers;
			if (!next || next.at > until) return;
			this.timers.shift();
			this.time = Math.max(this.time, next.at);
			next.run();
		}
	}
}
