import { onAbort } from '../../nodes/shared/n8n/context';

interface Timer {
	at: number;
	run: () => void;
	/** Runs only when something else moves the time as far. */
	weak: boolean;
}

/** Steps until something comes about; more means that it never does. */
const MOST_STEPS = 10_000;

/** Time that moves only when nothing else can happen: a test of hours runs in milliseconds. */
export class VirtualTime {
	private time: number;

	/** In their order. */
	private readonly timers: Timer[] = [];

	/** @param start in epoch milliseconds */
	constructor({ start = 0 } = {}) {
		this.time = start;
	}

	readonly now = () => this.time;

	/** As the transport's clock has it: rejects when the signal aborts. */
	readonly sleep = async (ms: number, signal?: AbortSignal, weak = false): Promise<void> =>
		await new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason as Error);
			onAbort(signal, () => reject(signal!.reason as Error));
			this.at(this.time + Math.max(0, ms), resolve, weak);
		});

	/** A clock of the nodes that goes by it, perhaps ahead of it. */
	clock(ahead = () => 0) {
		return {
			now: () => this.time + ahead(),
			steady: this.now,
			sleep: async (ms: number, signal?: AbortSignal) => await this.sleep(ms, signal),
			// What only watches does not move the time.
			guard: async (ms: number, signal?: AbortSignal) => await this.sleep(ms, signal, true),
		};
	}

	at(at: number, run: () => void, weak = false): void {
		const timer = { at: Math.max(at, this.time), run, weak };
		let place = this.timers.length;
		while (place > 0 && this.timers[place - 1]!.at > timer.at) place--;
		this.timers.splice(place, 0, timer);
	}

	/** Runs everything that is due, in order, until nothing is left or the time is over. */
	async run(until = Infinity): Promise<void> {
		await this.settle();
		while (this.timers.length > 0 && this.timers[0]!.at <= until) await this.step();
	}

	/** Runs what is due in this time, at whose end it is that late. */
	async advance(ms: number): Promise<void> {
		const until = this.time + ms;
		await this.run(until);
		this.move(until);
	}

	/** Moves the time until something has come about. */
	async until<T>(promise: Promise<T>): Promise<T> {
		let isDone = false;
		const done = () => void (isDone = true);
		promise.then(done, done);
		await this.settle();
		for (let steps = 0; !isDone; steps++) {
			if (steps > MOST_STEPS) throw new Error('It goes on for ever');
			if (this.timers.every(({ weak }) => weak))
				throw new Error('Nothing can happen any more: something waits in real time');
			await this.step();
		}
		return await promise;
	}

	private async step(): Promise<void> {
		const { at, run } = this.timers.shift()!;
		this.move(at);
		run();
		await this.settle();
	}

	/** Lets all promises that can go on do so first. */
	private async settle(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}

	private move(to: number): void {
		this.time = Math.max(this.time, to);
	}
}
