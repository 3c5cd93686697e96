import { clock } from './clock';

/** Requests of one account under way at the same time. */
const MAX_IN_FLIGHT = 8;

/** Assumed until the service's headers tell when its window ends. */
const WINDOW_MS = 60_000;

/**
 * Paces the requests of one account. It runs freely while the service's window has room, counts what is in
 * flight, and holds the rest until the window resets. The service's headers are the truth, since other
 * processes and people use the same account. Source: Part A, 8.
 */
export class Limiter {
	private inFlight = 0;

	/** Requests left in the window; unknown until its first answer. */
	private remaining = Infinity;

	/** Requests sent from here in the window. */
	private sent = 0;

	private windowEnd = 0;

	private readonly queue: Array<() => void> = [];

	private sleeping = false;

	/** @param cap the user's own cap in requests per minute, if any */
	constructor(private readonly cap = Infinity) {}

	/** Resolves when a request may be sent; every call that resolves is followed by one `release`. */
	async acquire(signal?: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const start = () => {
				signal?.removeEventListener('abort', leave);
				resolve();
			};
			const leave = () => {
				this.queue.splice(this.queue.indexOf(start), 1);
				reject(signal?.reason);
			};
			if (signal?.aborted) return reject(signal.reason);
			signal?.addEventListener('abort', leave, { once: true });
			this.queue.push(start);
			this.pump();
		});
	}

	/** Takes note of an answer's rate-limit headers; no headers when the request got no answer. */
	release(headers: Record<string, unknown> = {}): void {
		this.inFlight -= 1;
		const left = numberIn(headers, 'x-ratelimit-remaining');
		const reset = resetMs(headers);
		if (left !== undefined && reset !== undefined) {
			const end = clock.now() + reset;
			// The first answer of a window may not count what else is in flight; later ones are counted down here.
			const first = this.remaining === Infinity;
			this.remaining = first ? left - this.inFlight : Math.min(this.remaining, left);
			this.windowEnd = first ? end : Math.min(this.windowEnd, end);
		}
		this.pump();
	}

	private pump(): void {
		while (this.queue.length > 0 && this.inFlight < MAX_IN_FLIGHT) {
			if (clock.now() >= this.windowEnd) {
				this.remaining = Infinity;
				this.sent = 0;
				this.windowEnd = clock.now() + WINDOW_MS;
			}
			if (Math.min(this.remaining, this.cap - this.sent) < 1) {
				void this.wakeAtReset();
				return;
			}
			this.inFlight += 1;
			this.remaining -= 1;
			this.sent += 1;
			this.queue.shift()!();
		}
	}

	private async wakeAtReset(): Promise<void> {
		if (this.sleeping) return;
		this.sleeping = true;
		await clock.sleep(this.windowEnd - clock.now());
		this.sleeping = false;
		this.pump();
	}
}

function numberIn(headers: Record<string, unknown>, name: string): number | undefined {
	const value = Number(headers[name] ?? NaN);
	return Number.isFinite(value) ? value : undefined;
}

/** Milliseconds until the service's window resets, as an answer's headers tell. */
export function resetMs(headers: Record<string, unknown>): number | undefined {
	const seconds = numberIn(headers, 'x-ratelimit-reset');
	return seconds === undefined ? undefined : seconds * 1000;
}

const limiters = new Map<string, Limiter>();

/** The limiter of an account, one per process: base URL, token and cap make an account. */
export function limiterOf(baseUrl: string, apiToken: string, cap?: number): Limiter {
	const key = JSON.stringify([baseUrl, apiToken, cap]);
	let limiter = limiters.get(key);
	if (!limiter) limiters.set(key, (limiter = new Limiter(cap)));
	return limiter;
}
