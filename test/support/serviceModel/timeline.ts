import { Random } from '../../../sandbox/service/engine/random';

/** Numbers that only look random: the same seed gives the same history. */
export class Chance extends Random {
	/** A whole number below `end`. */
	below(end: number): number {
		return Math.floor(this.next() * end);
	}

	is(share: number): boolean {
		return this.chance(share);
	}

	/** Some of them, at least one. */
	some<T>(list: readonly T[]): T[] {
		const found = list.filter(() => this.is(0.5));
		return found.length > 0 ? found : [this.pick(list)];
	}
}

/** Steps until something comes about; more means that it never does. */
const MOST_STEPS = 30_000;

interface Timer {
	at: number;
	run: () => void;
	/** Runs only when something else moves the time as far. */
	weak: boolean;
}

/** Virtual time: it moves on only when nothing else can happen. */
export class Timeline {
	now = Date.parse('2026-03-01T12:00:00.250Z');

	private readonly timers: Timer[] = [];

	at(at: number, run: () => void, weak = false): void {
		const timer = { at: Math.max(at, this.now), run, weak };
		let place = this.timers.length;
		while (place > 0 && this.timers[place - 1]!.at > timer.at) place--;
		this.timers.splice(place, 0, timer);
	}

	/** As the transport's clock has it: rejects when the signal aborts. */
	async sleep(ms: number, signal?: AbortSignal, weak = false): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason as Error);
			signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
			this.at(this.now + Math.max(0, ms), resolve, weak);
		});
	}

	/** Lets all that can happen now happen. */
	private async settle(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}

	private next(until: number): Timer | undefined {
		if (until === Infinity && this.timers.every(({ weak }) => weak)) return undefined;
		const [first] = this.timers;
		return first && first.at <= until ? first : undefined;
	}

	private step(timer: Timer): void {
		this.timers.shift();
		this.now = Math.max(this.now, timer.at);
		timer.run();
	}

	async advance(ms: number): Promise<void> {
		const until = this.now + ms;
		await this.settle();
		for (let timer = this.next(until); timer; timer = this.next(until)) {
			this.step(timer);
			await this.settle();
		}
		this.now = until;
	}

	/** Moves the time until something has come about. */
	async until<T>(promise: Promise<T>): Promise<T> {
		let isDone = false;
		const done = () => void (isDone = true);
		promise.then(done, done);
		await this.settle();
		for (let steps = 0; !isDone; steps++) {
			if (steps > MOST_STEPS) throw new Error('It goes on for ever');
			const timer = this.next(Infinity);
			if (!timer) throw new Error('Nothing can happen any more: something waits in real time');
			this.step(timer);
			await this.settle();
		}
		return await promise;
	}
}
