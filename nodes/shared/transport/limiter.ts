import { clock } from './clock';
import { onAbort } from './onAbort';
import type { Priority } from './queue';
import { FairQueue, PRIORITY } from './queue';
import type { RateHeaders } from './rateHeaders';

/** Requests of one account under way at the same time: enough to read a long list several times as fast. */
export const MAX_IN_FLIGHT = 16;

/** Assumed until the service's headers tell. Source: Part A, 8. */
const LIMIT = 200;
const MINUTE_MS = 60_000;

/** The service tells the end of the window in whole seconds. */
const ROUNDING_MS = 1_000;

/** A request that takes longer than this does not hold up the others at the beginning of a window. */
const SCOUT_MS = 5_000;

/** After a refusal, several clients that wait for the same reset do not all start at once. */
const jitter = () => 250 + Math.round(Math.random() * 250);

export interface Turn {
	priority?: Priority;
	/** What the request belongs to; see `FairQueue`. */
	flow?: object;
	/** Whether it goes before the others of its flow: it was refused before. */
	again?: boolean;
	signal?: AbortSignal;
}

/** What `acquire` gives and `release` wants back: when a request was sent, and in which window. */
export interface Ticket {
	window: number;
	sentAt: number;
}

/**
 * Paces the requests of one account. It runs freely while the service's window has room and holds the rest until
 * the window resets. Since other processes and people use the same account, the service's headers are the truth:
 * what they count beyond our own requests is theirs. Source: Part A, 8.
 */
export class Limiter {
	/** The user's own cap in requests per minute, if any. */
	cap = Infinity;

	/** How far the service's clock is ahead of ours, in milliseconds; unknown until an answer tells. */
	clockOffset?: number;

	private readonly queue = new FairQueue();

	private inFlight = 0;

	/** Counts the windows. */
	private window = 0;

	private windowEnd = -Infinity;

	private limit = LIMIT;

	/** Requests of ours in the window; those still under way at its beginning may count in it. */
	private sent = 0;

	/** Requests that got no answer: the service may have counted them in its next window already. */
	private unanswered = 0;

	/** Requests of others in the window: at least so many. */
	private foreign = 0;

	/** Whether an answer of the window has come: until then one request finds out whether it has really begun. */
	private known = false;

	/** When that one was sent, while it is under way. */
	private scoutSent?: number;

	/** When our requests of the last minute were sent. */
	private readonly lastMinute: number[] = [];

	private wakeAt = Infinity;

	/** Resolves when a request may be sent; every call that resolves is followed by one `release`. */
	async acquire({ priority, flow, again, signal }: Turn = {}): Promise<Ticket> {
		return await new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const start = () => {
				stay();
				resolve({ window: this.window, sentAt: clock.now() });
			};
			const waiting = { priority: priority ?? PRIORITY.items, flow: flow ?? this, start };
			const stay = onAbort(signal, () => {
				this.queue.remove(waiting);
				reject(signal?.reason);
			});
			this.queue.add(waiting, again);
			this.pump();
		});
	}

	/** Takes note of what an answer tells of the window; nothing when the request got no answer. */
	release(ticket: Ticket, answer?: RateHeaders): void {
		this.inFlight -= 1;
		const current = ticket.window === this.window;
		if (current) this.scoutSent = undefined;
		if (answer && (current || answer.refused)) this.learn(answer, ticket.sentAt);
		if (!answer) {
			this.unanswered += 1;
			// It may have begun the window at any time until now.
			if (current && !this.known) this.windowEnd = clock.now() + MINUTE_MS;
		}
		this.pump();
	}

	private learn({ limit, remaining, resetMs, refused }: RateHeaders, sentAt: number): void {
		const end = resetMs === undefined ? this.windowEnd : clock.now() + resetMs;
		// Even if it was answered as soon as it was sent, its window ends later than the known one.
		if (this.known && sentAt + (resetMs ?? 0) - ROUNDING_MS > this.windowEnd) {
			this.begin(end);
			this.sent += 1;
		}
		// Rounded seconds tell an end that is too late; the earliest of several is the nearest.
		this.windowEnd = this.known ? Math.min(this.windowEnd, end) : end;
		this.known = true;
		this.limit = limit ?? this.limit;
		const left = refused ? 0 : remaining;
		if (left !== undefined) this.foreign = Math.max(this.foreign, this.limit - left - this.sent);
		if (refused) this.windowEnd = Math.max(this.windowEnd, end + jitter());
	}

	private begin(end: number): void {
		this.window += 1;
		this.windowEnd = end;
		this.sent = this.inFlight + this.unanswered;
		this.unanswered = 0;
		this.foreign = 0;
		this.known = false;
		this.scoutSent = undefined;
	}

	private pump(): void {
		while (!this.queue.isEmpty && this.inFlight < MAX_IN_FLIGHT) {
			const now = clock.now();
			if (now >= this.windowEnd) this.begin(now + MINUTE_MS);
			const free = this.freeAt(now);
			if (free > now) return this.wake(free);
			if (free < 0) return;

			if (!this.known) this.scoutSent = now;
			this.inFlight += 1;
			this.sent += 1;
			if (this.cap < Infinity) this.lastMinute.push(now);
			this.queue.next()!.start();
		}
	}

	private get room(): number {
		return this.limit - this.sent - this.foreign;
	}

	/** When the next request may be sent: now or later, or -1 when an answer under way has to tell. */
	private freeAt(now: number): number {
		while (now - (this.lastMinute[0] ?? Infinity) >= MINUTE_MS) this.lastMinute.shift();
		if (this.lastMinute.length >= this.cap) {
			return this.lastMinute[this.lastMinute.length - this.cap]! + MINUTE_MS;
		}
		if (this.room < 1) return this.windowEnd;
		if (now - (this.scoutSent ?? -Infinity) < SCOUT_MS) return -1;
		// Where others take from the window, too, the last of it is taken with fewer at a time.
		const atOnce = this.foreign > 0 ? Math.max(1, Math.floor(this.room / 2)) : MAX_IN_FLIGHT;
		return this.inFlight < atOnce ? now : -1;
	}

	private wake(at: number): void {
		if (at >= this.wakeAt) return;
		this.wakeAt = at;
		void clock.sleep(at - clock.now()).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.pump();
		});
	}
}

const limiters = new Map<string, Limiter>();

/** The limiter of an account, one per process: base URL and token make an account. */
export function limiterOf(baseUrl: string, apiToken: string, cap = Infinity): Limiter {
	const key = JSON.stringify([baseUrl, apiToken]);
	let limiter = limiters.get(key);
	if (!limiter) limiters.set(key, (limiter = new Limiter()));
	limiter.cap = cap;
	return limiter;
}
