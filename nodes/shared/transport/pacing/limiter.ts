import { createHash } from 'crypto';
import { clock } from './clock';
import { Semaphore } from './semaphore';
import { onAbort } from './onAbort';
import type { Flow, Priority, QueuedRequest } from './queue';
import { FairQueue, isAction, PRIORITY } from './queue';
import type { RateHeaders } from './rateHeaders';
import { SharedWindow } from './sharedWindow';

/** Requests of one account under way at the same time: enough to read a long list several times as fast. */
export const MAX_IN_FLIGHT = 16;

/** The window, until the service's headers tell its end. Source: Part A, 8. */
const MINUTE_MS = 60_000;

/** The service tells the end of the window in whole seconds. */
const ROUNDING_MS = 1_000;

/** A request that takes longer than this does not hold up those that wait for what it tells. */
const PROBE_TIMEOUT_MS = 5_000;

/** A request without an answer for so long no longer keeps others from being sent. */
const STALE_MS = MINUTE_MS;

/** A pause that is worth a line in the log. */
const LONG_MS = 5_000;

/** After a refusal, several clients that wait for the same reset do not all start at once. */
const jitter = () => 250 + Math.round(Math.random() * 250);

export interface AcquireOptions {
	priority?: Priority;
	/** What the request belongs to; see `FairQueue`. */
	flow?: Flow;
	/** Whether it changes something. */
	isChange?: boolean;
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

/** What `acquire` gives and `release` wants back: when a request was sent, and in which window. */
export interface Ticket {
	window: number;
	sentAt: number;
	/** What the service had counted in the window by then, as far as answers had told. */
	counted: number;
	/** Whether the run of a node has sent it. */
	isAction: boolean;
}

/**
 * Paces the requests of one account. It runs freely while the service's window has room and holds the rest until
 * the window resets. Since other processes and people use the same account, the service's headers are the truth:
 * what they count beyond our own requests is theirs. How it shares the window with them stands in `Share`.
 * Source: Part A, 8.
 */
export class Limiter {
	/** How far the service's clock is ahead of ours, in milliseconds; unknown until an answer tells. */
	clockOffset?: number;

	private readonly queue = new FairQueue();

	/** Looks before changes, one at a time: those of many at once would take the places of the changes themselves. */
	readonly looks = new Semaphore(1);

	/** Requests under way, in the order in which they were sent. */
	private readonly underWay = new Set<Ticket>();

	/** Counts the windows. */
	private window = 0;

	private windowEnd = -Infinity;

	/** What of the window is ours. */
	private readonly share = new SharedWindow();

	/** Requests that got no answer: the service may have counted them in its next window already. */
	private unanswered = 0;

	/** Whether an answer of the window has come: until then one request finds out whether it has really begun. */
	private known = false;

	/** That one, while it is under way and not late. */
	private probe?: Ticket;

	/** Ends the watch over requests that others wait for. */
	private watching?: AbortController;

	/** When our requests of the last minute ended: by then the service had counted them. */
	private readonly lastMinute: number[] = [];

	private lastNow = -Infinity;

	private wakeAt = Infinity;

	/** Ends the sleep until then. */
	private waking = new AbortController();

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
		const { priority = PRIORITY.items, flow = this, isChange, again, signal, ...rest } = turn;
		return await new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const start = () => {
				stay();
				const { window, share } = this;
				const sentAt = clock.now();
				const ticket = { window, sentAt, counted: share.counted, isAction: isAction(priority) };
				this.underWay.add(ticket);
				if (!this.known) this.probe = ticket;
				resolve(ticket);
			};
			const giveUp = () => {
				stay();
				reject(new OutOfTime());
			};
			const waiting = {
				...rest,
				priority,
				flow,
				isChange,
				since: clock.now(),
				start,
				giveUp,
			};
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
		this.end(ticket);
		if (ticket.isAction) this.queue.answered(clock.now());
		const current = ticket.window === this.window;
		if (current) {
			if (this.probe) this.watching?.abort();
			this.probe = undefined;
		}
		if (answer && (current || answer.refused)) this.learn(answer, ticket);
		else this.share.miss(clock.now());
		if (!answer) {
			this.unanswered += 1;
			// It may have begun the window at any time until now.
			if (current && !this.known) this.windowEnd = clock.now() + MINUTE_MS;
		}
		this.pump();
	}

	/** Takes back a turn with which nothing was sent. */
	giveBack(ticket: Ticket): void {
		if (!this.underWay.delete(ticket)) return;
		this.share.unsend();
		if (this.probe === ticket) {
			this.watching?.abort();
			this.probe = undefined;
		}
		this.pump();
	}

	private end(ticket: Ticket): void {
		if (this.underWay.delete(ticket) && this.cap < Infinity) this.lastMinute.push(clock.now());
	}

	private learn(answer: RateHeaders, { sentAt, counted }: Ticket): void {
		const { resetMs, refused, limit = this.share.limit, remaining } = answer;
		const now = clock.now();
		const end = resetMs === undefined ? this.windowEnd : now + resetMs;
		// Even if it was answered as soon as it was sent, its window ends later than the known one.
		const isLater = sentAt + (resetMs ?? 0) - ROUNDING_MS > this.windowEnd;
		// In the same window the service would have counted this one, too.
		const isFewer = remaining !== undefined && !refused && limit - remaining <= counted;
		if (this.known && (isLater || (isFewer && end > this.windowEnd))) {
			// What ended since then may have counted in it, too, and after this one.
			const ended = this.share.endedSince(sentAt);
			this.begin(end);
			this.share.send();
			for (const at of ended) {
				this.share.send();
				this.share.miss(at);
			}
		}
		// Rounded seconds tell an end that is too late; the earliest of several is the nearest.
		this.windowEnd = this.known ? Math.min(this.windowEnd, end) : end;
		this.known = true;
		this.share.learn(answer, sentAt, now);
		if (refused) this.windowEnd += jitter();
	}

	private begin(end: number): void {
		this.window += 1;
		this.windowEnd = end;
		this.share.begin(clock.now(), this.inFlight, this.unanswered);
		this.unanswered = 0;
		this.known = false;
		this.probe = undefined;
	}

	/** Requests that there is room for now, before the window resets. */
	get free(): number {
		return clock.now() >= this.windowEnd ? this.share.limit : Math.max(0, this.room);
	}

	/** Until the window resets, in milliseconds. */
	resetsIn(): number {
		return Math.max(0, this.windowEnd - clock.now());
	}

	private pump(): void {
		while (!this.queue.isEmpty) {
			const now = clock.now();
			this.noticeClock(now);
			if (now >= this.windowEnd) {
				this.share.end();
				this.begin(now + MINUTE_MS);
			}
			const free = this.freeAt(now);
			if (free > now) {
				this.queue.giveUp(free);
				return this.queue.isEmpty ? undefined : this.wake(free);
			}
			if (free < 0) return this.watch();

			const at = this.queue.turnAt(now);
			if (at > now) return this.wake(at);
			const next = this.queue.next(now, this.pace);
			if (!next) continue;
			this.share.send();
			next.start();
		}
		this.watching?.abort();
	}

	/** What was noted before n8n's clock was set back would be waited for: a request has to find out anew. */
	private noticeClock(now: number): void {
		if (now < this.lastNow - ROUNDING_MS) {
			this.lastMinute.fill(now);
			this.begin(now + MINUTE_MS);
		}
		this.lastNow = now;
	}

	/** How long three requests take where a window is used evenly: whoever asks again by then gets every third of it. */
	private get pace(): number {
		return Math.min(PROBE_TIMEOUT_MS, (3 * MINUTE_MS) / Math.min(this.cap, this.share.limit));
	}

	/** What an answer has to tell may never come: who waits for it looks again after a while. */
	private watch(): void {
		if (this.watching && !this.watching.signal.aborted) return;
		const watching = new AbortController();
		this.watching = watching;
		const { probe: scout } = this;
		void clock.guard(PROBE_TIMEOUT_MS, watching.signal).then(
			() => {
				if (watching.signal.aborted) return;
				watching.abort();
				for (const ticket of this.underWayFor(STALE_MS)) this.end(ticket);
				if (this.probe === scout) this.probe = undefined;
				this.pump();
			},
			() => undefined,
		);
	}

	/** Requests that have been under way for so long. */
	private underWayFor(ms: number): Ticket[] {
		const until = clock.now() - ms;
		return [...this.underWay].filter(({ sentAt }) => sentAt <= until);
	}

	private get room(): number {
		return this.share.left - this.inFlight;
	}

	private get inFlight(): number {
		return this.underWay.size;
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
		if (this.probe && now - this.probe.sentAt < PROBE_TIMEOUT_MS) return -1;
		if (this.inFlight >= MAX_IN_FLIGHT) return -1;
		const soon = this.inFlight - this.underWayFor(PROBE_TIMEOUT_MS).length;
		// Who has divided the limit by a cap may use its part to the end.
		const isDivided = this.cap < this.share.limit;
		const at = this.share.turnAt(now, soon, isDivided ? now : this.windowEnd);
		if (at <= now) return at;
		return this.pausesUntil(at, now, 'others are using the rest of the rate limit of the account');
	}

	/** Tells of a long pause, once. */
	private pausesUntil(end: number, now: number, why: string): number {
		if (end - now > LONG_MS && end > this.toldUntil + LONG_MS) {
			this.toldUntil = end;
			const seconds = Math.ceil((end - now) / 1000);
			const line = `Requests to the Site Management Service pause for ${seconds} s because ${why}`;
			this.queue.first(now)?.log?.(line);
		}
		return end;
	}

	private wake(at: number): void {
		if (at >= this.wakeAt) return;
		this.waking.abort();
		this.waking = new AbortController();
		this.wakeAt = at;
		const { signal } = this.waking;
		void clock.sleep(at - clock.now(), signal).then(
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
