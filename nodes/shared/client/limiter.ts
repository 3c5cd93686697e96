import { createHash } from 'crypto';
import { clock } from './clock';
import { Semaphore } from './semaphore';
import { onAbort } from '../n8n/context';
import type { Flow, Priority, QueuedRequest } from './queue';
import { FairQueue, isAction, PRIORITY } from './queue';
import type { RateHeaders } from '../receive/answer';

/** Requests of one account under way at the same time: enough to read a long list several times as fast. */
export const MAX_IN_FLIGHT = 16;

/** Assumed until the service's headers tell. Source: Part A, 8. */
const LIMIT = 200;

/** The part of a window that polls leave to actions. */
const FOR_ACTIONS = 1 / 3;

/** The window, until the service's headers tell its end. Source: Part A, 8. */
const MINUTE_MS = 60_000;

/** The service tells the end of the window in whole seconds. */
const ROUNDING_MS = 1_000;

/** After so long without an answer, the service has counted a request, and it no longer holds up others. */
const LATE_MS = 5_000;

/** A pause that is worth a line in the log. */
const LONG_MS = 5_000;

/** After a refusal, several clients that wait for the same reset do not all start at once. */
const jitter = () => 250 + Math.round(Math.random() * 250);

export interface AcquireOptions {
	priority?: Priority;
	/** What the request belongs to; see `FairQueue`. */
	flow?: Flow;
	/** Whether it goes before the others of its flow: it was refused before. */
	again?: boolean;
	signal?: AbortSignal;
	/** In epoch milliseconds: where it is known that there is no room until then, it does not wait. */
	giveUpAt?: number;
	log?: QueuedRequest['log'];
}

/** Thrown when there is no room for a request within the time that it has. */
export class OutOfTime extends Error {
	constructor() {
		super('The rate limit leaves no room for this request in time');
	}
}

/** What `acquire` gives and `release` wants back. */
export interface Ticket {
	/** By `clock.steady`. */
	sentAt: number;
}

/**
 * Paces the requests of one account. It runs freely while the service's window has room and holds the rest until the
 * window resets. Others use the same account, so the service's headers are the truth: what they count beyond our own
 * requests is theirs. While others are seen, no more than half of what is left is under way; what is refused all the
 * same is repeated. Source: Part A, 8.
 */
export class Limiter {
	/** How far the service's clock is ahead of ours, in milliseconds; unknown until an answer tells. */
	clockOffset?: number;

	private readonly queue = new FairQueue();

	/** Looks before changes, one at a time: those of many at once would take the places of the changes themselves. */
	readonly looks = new Semaphore(1);

	/** Requests under way, in the order in which they were sent. */
	private readonly underWay = new Set<Ticket>();

	private limit = LIMIT;

	/** What the window has left by the lowest count that an answer told. */
	private told = LIMIT;

	private windowEnd = -Infinity;

	/** Whether an answer of the window has come: until then one request finds out whether it has really begun. */
	private known = false;

	/** Requests of ours that may count in the window. */
	private sent = 0;

	/** When the run of a node last sent something. */
	private lastAction = -Infinity;

	/** When our requests of the last minute ended: by then the service had counted them. */
	private readonly lastMinute: number[] = [];

	private wakeAt = Infinity;

	/** Ends the sleep until then. */
	private waking = new AbortController();

	/** Ends the watch over requests that others wait for. */
	private watching?: AbortController;

	/** The end of the window for which a pause was told. */
	private toldUntil = -Infinity;

	/** @param cap in requests per minute @param account what the limiters of an account share */
	constructor(
		public cap = Infinity,
		readonly account: object = {},
	) {}

	/**
	 * Resolves when a request may be sent; every call that resolves is followed by one `release` or `giveBack`.
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

	/** Takes note of what an answer tells of the window; nothing when the request got no answer. */
	release(ticket: Ticket, answer?: RateHeaders): void {
		const now = clock.steady();
		if (this.underWay.delete(ticket) && this.cap < Infinity) this.lastMinute.push(now);
		// The service may have counted a request that got no answer.
		if (answer?.remaining === undefined) this.told -= 1;
		if (answer) this.learn(answer, ticket.sentAt, now);
		this.pump();
	}

	/** Takes back a turn with which nothing was sent. */
	giveBack(ticket: Ticket): void {
		if (this.underWay.delete(ticket)) this.sent -= 1;
		this.pump();
	}

	private learn(answer: RateHeaders, sentAt: number, now: number): void {
		const { resetMs, refused, limit = this.limit } = answer;
		const left = refused ? 0 : answer.remaining;
		const end = resetMs === undefined ? this.windowEnd : now + resetMs;
		// Even if it was answered as soon as it was sent, its window ends later than the known one.
		if (this.known && sentAt + (resetMs ?? 0) - ROUNDING_MS > this.windowEnd) this.begin(end);
		// Rounded seconds tell an end that is too late; the earliest of several is the nearest.
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

	/** Requests that there is room for now, before the window resets. */
	get free(): number {
		return clock.steady() >= this.windowEnd ? this.limit : Math.max(0, this.room);
	}

	/** Until the window resets, in milliseconds. */
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

	/** Whether the rest of the window is for actions, of which there were some in the last minute. */
	private isReserved(now: number): boolean {
		return now - this.lastAction < MINUTE_MS && this.room <= this.limit * FOR_ACTIONS;
	}

	/** What an answer has to tell may never come: who waits for it looks again after a while. */
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

	/** Requests under way that the service may not have counted yet. */
	private get inFlight(): number {
		const since = clock.steady() - LATE_MS;
		return [...this.underWay].filter(({ sentAt }) => sentAt > since).length;
	}

	private get room(): number {
		return this.told - this.inFlight;
	}

	/** How many may be under way together: half of our part of what is left while others use the window, too. */
	private get atOnce(): number {
		if (!this.known) return 1;
		const used = this.limit - this.told;
		if (used <= this.sent) return MAX_IN_FLIGHT;
		const left = this.room + this.inFlight;
		return Math.max(1, Math.floor((left / 2) * (this.sent / used)));
	}

	/** When the next request may be sent: now or later, or -1 when an answer under way has to tell. */
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
			// Those under way may be counted already, and then there is more.
			if (this.inFlight > 0) return -1;
			return this.pausesUntil(this.windowEnd, now, 'the rate limit of the account is used up');
		}
		return this.inFlight >= Math.min(this.atOnce, MAX_IN_FLIGHT) ? -1 : now;
	}

	/** Tells of a long pause, once. */
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

/** By account, then by cap: credentials of one account with other caps share it like processes do. */
const accounts = new Map<string, Map<number, Limiter>>();

/** More are not in use in one process. */
const MAX_ACCOUNTS = 1_000;

/** The limiter of a credential, one per process: base URL and token make an account. */
export function limiterOf(baseUrl: string, apiToken: string, cap = Infinity): Limiter {
	const named = JSON.stringify([baseUrl, apiToken]);
	const key = createHash('sha256').update(named).digest('hex');
	const limiters = accounts.get(key) ?? new Map<number, Limiter>();
	const limiter = limiters.get(cap) ?? new Limiter(cap, limiters);
	limiters.set(cap, limiter);
	// The account that was used last comes last.
	accounts.delete(key);
	accounts.set(key, limiters);
	const [oldest] = accounts.keys();
	if (accounts.size > MAX_ACCOUNTS) accounts.delete(oldest!);
	return limiter;
}
