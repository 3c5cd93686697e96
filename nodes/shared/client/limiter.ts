import { createHash } from 'crypto';
import { clock } from './clock';
import { Semaphore } from './semaphore';
import { onAbort } from '../n8n/context';
import type { Flow, Priority, QueuedRequest } from './queue';
import { FairQueue, isAction, PRIORITY } from './queue';
import type { RateHeaders } from '../receive/rateHeaders';

/** Maximum requests of one account in flight: enough to read long lists several times faster. */
export const MAX_IN_FLIGHT = 16;

/** Requests per window, until a response header shows the limit. Source: Part A, 8. */
const LIMIT = 200;

/** Share of a window that polls leave to actions. */
const FOR_ACTIONS = 1 / 3;

/** Length of a window, until a response header shows its end. Source: Part A, 8. */
const MINUTE_MS = 60_000;

/** The service rounds the end of the window to whole seconds. */
const ROUNDING_MS = 1_000;

/** After this time without a response, a request counts as counted by the service and no longer holds up others. */
const LATE_MS = 5_000;

/** Minimum pause that is logged. */
const LONG_MS = 5_000;

/** Spreads the clients that wait for the same reset after a 429. */
const jitter = () => 250 + Math.round(Math.random() * 250);

export interface AcquireOptions {
	priority?: Priority;
	/** Owner of the request; see `FairQueue`. */
	flow?: Flow;
	/** Whether it goes to the front of its flow, as a retry. */
	again?: boolean;
	signal?: AbortSignal;
	/** Deadline in epoch milliseconds: fails at once if its turn would come later. */
	giveUpAt?: number;
	log?: QueuedRequest['log'];
}

/** The rate limit does not allow a request before its deadline. */
export class OutOfTime extends Error {
	constructor() {
		super('The rate limit leaves no room for this request in time');
	}
}

/** Returned by `acquire`, passed to `release`. */
export interface Ticket {
	/** By `clock.steady`. */
	sentAt: number;
}

/**
 * Paces the requests of one account: sends while the service's window allows it, holds the rest until the reset.
 * Other clients share the account, so the response headers decide; requests beyond our own count are theirs.
 * While other clients are active, at most half of the rest is in flight. Requests rejected with 429 are retried.
 * Source: Part A, 8.
 */
export class Limiter {
	/** Milliseconds that the service's clock is ahead of ours; undefined before the first response. */
	clockOffset?: number;

	private readonly queue = new FairQueue();

	/** Checks before changes run one at a time; in parallel they would use up the turns of the changes. */
	readonly looks = new Semaphore(1);

	/** Requests in flight, in order of sending. */
	private readonly underWay = new Set<Ticket>();

	private limit = LIMIT;

	/** Lowest remaining count of the window in a response. */
	private told = LIMIT;

	private windowEnd = -Infinity;

	/** Whether the window has had a response; until then only one request is in flight. */
	private known = false;

	/** Our requests that may count in the window. */
	private sent = 0;

	/** Last request of a node's run, by `clock.steady`. */
	private lastAction = -Infinity;

	/** End times of our requests in the last minute; by then the service had counted them. */
	private readonly lastMinute: number[] = [];

	private wakeAt = Infinity;

	/** Ends the sleep until `wakeAt`. */
	private waking = new AbortController();

	/** Ends the wait for responses that hold up others. */
	private watching?: AbortController;

	/** End of the last pause that was logged. */
	private toldUntil = -Infinity;

	/** @param cap requests per minute @param account shared by the limiters of an account */
	constructor(
		public cap = Infinity,
		readonly account: object = {},
	) {}

	/**
	 * Resolves when a request may be sent; the caller must then call `release` or `giveBack` once.
	 * @throws OutOfTime; the signal's reason when it aborts
	 */
	async acquire(turn: AcquireOptions = {}): Promise<Ticket> {
		const { priority = PRIORITY.items, flow = this, again, signal, log } = turn;
		const giveUpAt = (turn.giveUpAt ?? Infinity) - clock.now() + clock.steady();
		return await new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const start = () => {
				unsubscribe();
				const ticket = { sentAt: clock.steady() };
				this.underWay.add(ticket);
				this.sent += 1;
				if (isAction(priority)) this.lastAction = ticket.sentAt;
				resolve(ticket);
			};
			const giveUp = () => {
				unsubscribe();
				reject(new OutOfTime());
			};
			const waiting = { priority, flow, giveUpAt, log, start, giveUp };
			const unsubscribe = onAbort(signal, () => {
				this.queue.remove(waiting);
				reject(signal?.reason);
			});
			this.queue.add(waiting, again);
			this.pump();
		});
	}

	/** Ends a request. @param answer rate limit headers; undefined without a response */
	release(ticket: Ticket, answer?: RateHeaders): void {
		const now = clock.steady();
		if (this.underWay.delete(ticket) && this.cap < Infinity) this.lastMinute.push(now);
		// The service may have counted a request without a response.
		if (answer?.remaining === undefined) this.told -= 1;
		if (answer) this.learn(answer, ticket.sentAt, now);
		this.pump();
	}

	/** Returns a turn that was not used. */
	giveBack(ticket: Ticket): void {
		if (this.underWay.delete(ticket)) this.sent -= 1;
		this.pump();
	}

	private learn(answer: RateHeaders, sentAt: number, now: number): void {
		const { resetMs, refused, limit = this.limit } = answer;
		const left = refused ? 0 : answer.remaining;
		const end = resetMs === undefined ? this.windowEnd : now + resetMs;
		// Even with no latency at all, its window ends later than the current one.
		if (this.known && sentAt + (resetMs ?? 0) - ROUNDING_MS > this.windowEnd) this.begin(end);
		// Rounding makes the end too late; the earliest of several is the most exact.
		this.windowEnd = this.known ? Math.min(this.windowEnd, end) : end;
		this.known = true;
		this.told += limit - this.limit;
		this.limit = limit;
		if (left !== undefined) this.told = Math.min(this.told, left);
		if (refused) this.windowEnd += jitter();
	}

	private begin(end: number): void {
		this.windowEnd = end;
		this.told = this.limit;
		this.known = false;
		this.sent = this.inFlight;
	}

	/** Requests that can still be sent in the current window. */
	get free(): number {
		return clock.steady() >= this.windowEnd ? this.limit : Math.max(0, this.room);
	}

	/** Milliseconds until the window resets. */
	resetsIn(): number {
		return Math.max(0, this.windowEnd - clock.steady());
	}

	private pump(): void {
		while (!this.queue.isEmpty) {
			const now = clock.steady();
			if (now >= this.windowEnd) this.begin(now + MINUTE_MS);
			const free = this.freeAt(now);
			if (free > now) {
				this.queue.giveUp(free);
				return this.queue.isEmpty ? undefined : this.wake(free);
			}
			if (free < 0) return this.watch();
			const isReserved = this.isReserved(now);
			const next = this.queue.next(isReserved);
			if (!next) {
				this.queue.giveUp(this.windowEnd, PRIORITY.polls);
				return this.queue.isEmpty ? undefined : this.wake(this.windowEnd);
			}
			if (next.giveUpAt < now) next.giveUp();
			else next.start();
		}
		this.watching?.abort();
	}

	/** Whether the rest of the window is reserved for actions, because some ran in the last minute. */
	private isReserved(now: number): boolean {
		return now - this.lastAction < MINUTE_MS && this.room <= this.limit * FOR_ACTIONS;
	}

	/** Checks again after a while if the response that others wait for does not come. */
	private watch(): void {
		if (this.watching && !this.watching.signal.aborted) return;
		const watching = new AbortController();
		this.watching = watching;
		void clock.guard(LATE_MS, watching.signal).then(
			() => {
				if (watching.signal.aborted) return;
				watching.abort();
				this.pump();
			},
			() => undefined,
		);
	}

	/** Requests in flight that the service may not have counted yet. */
	private get inFlight(): number {
		const since = clock.steady() - LATE_MS;
		return [...this.underWay].filter(({ sentAt }) => sentAt > since).length;
	}

	private get room(): number {
		return this.told - this.inFlight;
	}

	/** Maximum requests in flight; half of our share of the rest while other clients use the window. */
	private get atOnce(): number {
		if (!this.known) return 1;
		const used = this.limit - this.told;
		if (used <= this.sent) return MAX_IN_FLIGHT;
		const left = this.room + this.inFlight;
		return Math.max(1, Math.floor((left / 2) * (this.sent / used)));
	}

	/** Time of the next request by `clock.steady`, or -1 if a response must come first. */
	private freeAt(now: number): number {
		while (now - (this.lastMinute[0] ?? Infinity) >= MINUTE_MS) this.lastMinute.shift();
		const over = this.lastMinute.length + this.inFlight - this.cap;
		if (over >= 0) {
			const ended = this.lastMinute[over];
			if (ended === undefined) return -1;
			const why = `the limit of ${this.cap} requests per minute is used up`;
			return this.pausesUntil(ended + MINUTE_MS, now, why);
		}
		if (this.room < 1) {
			// The service may have counted the requests in flight already.
			if (this.inFlight > 0) return -1;
			return this.pausesUntil(this.windowEnd, now, 'the rate limit of the account is used up');
		}
		return this.inFlight >= Math.min(this.atOnce, MAX_IN_FLIGHT) ? -1 : now;
	}

	/** Logs a long pause once. */
	private pausesUntil(end: number, now: number, why: string): number {
		if (end - now > LONG_MS && end > this.toldUntil + LONG_MS) {
			this.toldUntil = end;
			const seconds = Math.ceil((end - now) / 1000);
			const line = `Requests to the Site Management Service pause for ${seconds} s because ${why}`;
			this.queue.first()?.log?.(line);
		}
		return end;
	}

	private wake(at: number): void {
		if (at >= this.wakeAt) return;
		this.waking.abort();
		this.waking = new AbortController();
		this.wakeAt = at;
		const { signal } = this.waking;
		void clock.sleep(at - clock.steady(), signal).then(
			() => {
				if (signal.aborted) return;
				this.wakeAt = Infinity;
				this.pump();
			},
			() => undefined,
		);
	}
}

/** Limiters by account, then by cap; those of one account share its limit as separate processes do. */
const accounts = new Map<string, Map<number, Limiter>>();

/** Maximum accounts kept in memory; the least recently used is dropped. */
const MAX_ACCOUNTS = 1_000;

/** The limiter of a credential in this process; base URL and token identify the account. */
export function limiterOf(baseUrl: string, apiToken: string, cap = Infinity): Limiter {
	const named = JSON.stringify([baseUrl, apiToken]);
	const key = createHash('sha256').update(named).digest('hex');
	const limiters = accounts.get(key) ?? new Map<number, Limiter>();
	const limiter = limiters.get(cap) ?? new Limiter(cap, limiters);
	limiters.set(cap, limiter);
	// Keep the accounts in order of use.
	accounts.delete(key);
	accounts.set(key, limiters);
	const [oldest] = accounts.keys();
	if (accounts.size > MAX_ACCOUNTS) accounts.delete(oldest!);
	return limiter;
}
