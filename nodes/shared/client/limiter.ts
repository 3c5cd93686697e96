import { clock, hash, MINUTE_MS } from '../lib';
import { FairQueue, PRIORITY, Semaphore, type QueuedRequest } from './queue';
import { onAbort } from '../n8n/context';
import type { RateHeaders } from '../receive/answer';

/** Maximum requests of one account in flight: enough to read long lists several times faster. */
export const MAX_IN_FLIGHT = 16;

/** Maps a list by work that sends requests, as many at a time as an account has in flight. */
export async function mapParallel<T, R>(list: T[], work: (entry: T) => Promise<R>): Promise<R[]> {
	const turns = new Semaphore(MAX_IN_FLIGHT);
	const mapped = list.map(async (entry) => await turns.run(async () => await work(entry)));
	return await Promise.all(mapped);
}

/** Requests per window, until a response header shows the limit. Source: Part A, 8. */
const LIMIT = 200;

/** Share of a window that polls leave to actions. */
const SHARE_FOR_ACTIONS = 1 / 3;

/** The service rounds the end of the window to whole seconds. */
const ROUNDING_MS = 1_000;

/** After this time without a response, a request counts as counted by the service and no longer holds up others. */
const COUNTED_AFTER_MS = 5_000;

const LONG_PAUSE_MS = 5_000;

/** Spreads the clients that wait for the same reset after a 429. */
const jitter = () => 250 + Math.round(Math.random() * 250);

export interface AcquireOptions extends Partial<Pick<QueuedRequest, 'priority' | 'flow' | 'log'>> {
	/** Whether it goes to the front of its flow, as a retry. */
	again?: boolean;
	signal?: AbortSignal;
	/** Deadline in epoch milliseconds: fails at once if its turn would come later. */
	giveUpAt?: number;
}

export class OutOfTime extends Error {
	override message = 'The rate limit leaves no room for this request in time';
}

/** The turn of a request; times by `clock.steady`. */
export interface Ticket {
	sentAt: number;
}

/**
 * Paces the requests of one account: sends while the service's window allows it, holds the rest until the reset.
 * Other clients share the account, so the response headers decide; requests beyond our own count are theirs.
 * While other clients are active, at most half of the rest is in flight. Source: Part A, 8.
 */
export class Limiter {
	/** Milliseconds that the service's clock is ahead of ours; undefined before the first response. */
	clockOffset?: number;

	/** The time by the service's clock in epoch milliseconds; by ours before its first response. */
	readonly now = () => clock.now() + (this.clockOffset ?? 0);

	private readonly queue = new FairQueue();

	/** Checks before changes run one at a time; in parallel they would use up the turns of the changes. */
	readonly checks = new Semaphore(1);

	private readonly active = new Set<Ticket>();
	private limit = LIMIT;

	/** Lowest remaining count of the window in a response. */
	private remaining = LIMIT;

	/** End times of requests without a response, which no later response has counted yet. */
	private lost: number[] = [];
	private windowEnd = -Infinity;

	/** Whether the window has had a response; until then only one request is in flight. */
	private hasResponse = false;

	/** Our requests that may count in the window. */
	private ownCount = 0;

	/** Last request of a node's run, by `clock.steady`. */
	private lastAction = -Infinity;

	/** End times of our requests in the last minute; by then the service had counted them. */
	private readonly lastMinute: number[] = [];

	/** When the queue is checked again if nothing happens before. */
	private timer?: { at: number; wait: typeof clock.sleep; abort: AbortController };
	private loggedUntil = -Infinity;

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
		const isAction = priority === PRIORITY.items || priority === PRIORITY.waits;
		return await new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const start = () => {
				unsubscribe();
				const ticket = { sentAt: clock.steady() };
				this.active.add(ticket);
				this.ownCount += 1;
				if (isAction) this.lastAction = ticket.sentAt;
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
		if (this.active.delete(ticket) && this.cap < Infinity) this.lastMinute.push(now);
		// The service may have counted a request without a response.
		if (answer?.remaining === undefined) this.lost.push(now);
		// The window may have started with this request, as late as its failure.
		if (!answer && !this.hasResponse) this.windowEnd = Math.max(this.windowEnd, now + MINUTE_MS);
		if (answer) this.update(answer, ticket.sentAt, now);
		this.pump();
	}

	giveBack(ticket: Ticket): void {
		if (this.active.delete(ticket)) this.ownCount -= 1;
		this.pump();
	}

	private update(answer: RateHeaders, sentAt: number, now: number): void {
		const { resetMs, refused, limit = this.limit } = answer;
		const left = refused ? 0 : answer.remaining;
		const end = resetMs === undefined ? this.windowEnd : now + resetMs;
		// Even with no latency at all, its window ends later than the current one.
		if (this.hasResponse && sentAt + (resetMs ?? 0) - ROUNDING_MS > this.windowEnd)
			this.startWindow(end);
		// Rounding makes the end too late; the earliest of several is the most exact.
		this.windowEnd = this.hasResponse ? Math.min(this.windowEnd, end) : end;
		this.hasResponse = true;
		this.remaining = Math.min(this.remaining + limit - this.limit, left ?? Infinity);
		this.limit = limit;
		if (left !== undefined) this.lost = this.lost.filter((endedAt) => endedAt >= sentAt);
		if (refused) this.windowEnd += jitter();
	}

	private startWindow(end: number): void {
		this.windowEnd = end;
		this.remaining = this.limit;
		this.lost = [];
		this.hasResponse = false;
		this.ownCount = this.inFlight;
	}

	/** Requests that can still be sent in the current window. */
	get free(): number {
		return clock.steady() >= this.windowEnd ? this.limit : Math.max(0, this.room);
	}

	resetsIn(): number {
		return Math.max(0, this.windowEnd - clock.steady());
	}

	private pump(): void {
		while (!this.queue.isEmpty) {
			const now = clock.steady();
			if (now >= this.windowEnd) this.startWindow(now + MINUTE_MS);
			const free = this.freeAt(now);
			// No request gives up here: the response may come at any time.
			if (free === undefined) return this.pumpAt(now + COUNTED_AFTER_MS, clock.guard);
			if (free > now) return this.pauseUntil(free);
			const next = this.queue.next(this.isReserved(now));
			if (!next) return this.pauseUntil(this.windowEnd);
			if (next.giveUpAt < now) next.giveUp();
			else next.start();
		}
		this.timer?.abort.abort();
		this.timer = undefined;
	}

	/** Requests that cannot wait until then give up. */
	private pauseUntil(at: number): void {
		this.queue.giveUp(at);
		if (!this.queue.isEmpty) this.pumpAt(at, clock.sleep);
	}

	private pumpAt(at: number, wait: typeof clock.sleep): void {
		const { timer } = this;
		if (timer?.wait === wait && timer.at <= at) return;
		timer?.abort.abort();
		const abort = new AbortController();
		this.timer = { at, wait, abort };
		void wait(at - clock.steady(), abort.signal).then(
			() => {
				this.timer = undefined;
				this.pump();
			},
			() => undefined,
		);
	}

	/** Whether the rest of the window is reserved for actions, because some ran in the last minute. */
	private isReserved(now: number): boolean {
		return now - this.lastAction < MINUTE_MS && this.room <= this.limit * SHARE_FOR_ACTIONS;
	}

	/** Requests in flight that the service may not have counted yet. */
	private get inFlight(): number {
		const since = clock.steady() - COUNTED_AFTER_MS;
		return [...this.active].filter(({ sentAt }) => sentAt > since).length;
	}

	private get room(): number {
		return this.remaining - this.inFlight - this.lost.length;
	}

	/** Requests per minute that the account and the credential allow. */
	get perMinute(): number {
		return Math.min(this.limit, this.cap);
	}

	/** Maximum requests in flight; half of our share of the rest while other clients use the window. */
	private get maxInFlight(): number {
		if (!this.hasResponse) return 1;
		const used = this.limit - this.remaining;
		if (used <= this.ownCount) return MAX_IN_FLIGHT;
		const share = Math.floor((this.remaining / 2) * (this.ownCount / used));
		return Math.min(Math.max(1, share), MAX_IN_FLIGHT);
	}

	/** Time of the next request by `clock.steady`; undefined if a response must come first. */
	private freeAt(now: number): number | undefined {
		while (now - (this.lastMinute[0] ?? Infinity) >= MINUTE_MS) this.lastMinute.shift();
		const count = this.inFlight;
		// A request without a response holds its place: the service counts it at an unknown time.
		const over = this.lastMinute.length + this.active.size - this.cap;
		if (over >= 0) {
			const ended = this.lastMinute[over];
			if (ended === undefined) return undefined;
			const why = `the limit of ${this.cap} requests per minute is used up`;
			return this.logPause(ended + MINUTE_MS, now, why);
		}
		// The service may have counted the requests in flight already.
		if (count >= this.maxInFlight || (this.room < 1 && count > 0)) return undefined;
		return this.room < 1
			? this.logPause(this.windowEnd, now, 'the rate limit of the account is used up')
			: now;
	}

	private logPause(end: number, now: number, why: string): number {
		if (end - now > LONG_PAUSE_MS && end > this.loggedUntil + LONG_PAUSE_MS) {
			this.loggedUntil = end;
			const seconds = Math.ceil((end - now) / 1000);
			const line = `Requests to the Site Management Service pause for ${seconds} s because ${why}`;
			this.queue.first()?.log?.(line);
		}
		return end;
	}
}

/** Limiters by account; those of one account share its limit as separate processes do. */
const accounts = new Map<string, Map<string, Limiter>>();

/**
 * The limiter of a credential in this process; base URL and token identify the account.
 * @param credential its ID; credentials with a cap count each for itself, the others share a queue
 */
export function limiterOf(baseUrl: string, apiToken: string, cap = Infinity, credential = '') {
	const key = hash(JSON.stringify([baseUrl, apiToken]), 43);
	const limiters = accounts.get(key) ?? new Map<string, Limiter>();
	const own = cap === Infinity ? '' : `capped ${credential}`;
	const limiter = limiters.get(own) ?? new Limiter(cap, limiters);
	limiter.cap = cap;
	accounts.set(key, limiters.set(own, limiter));
	return limiter;
}
