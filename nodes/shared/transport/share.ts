import type { RateHeaders } from './rateHeaders';

/** Assumed until the service's headers tell. Source: Part A, 8. */
const LIMIT = 200;

/** More are not told apart. */
const MAX_SHARERS = 16;

/** Who took less beside one of ours is taken to be gone. */
const GONE = 0.05;

/** Others know the beginning of a window to the second; the rest of it waits for them for one to two. */
const REST_MS = 1_000;

/** What an answer told may be over after this long: one request asks anew. */
const FRESH_MS = 500;

/** A window with no more than this part of it left is used by others, too. */
const SOME = 3 / 4;

/** The last places are no more than this part of a window; a window with less left was used up. */
const LAST = 1 / 8;

/** So many of those that have stopped look whether the last places of the window are free. */
const LOOKING = 1.75;

/** In which part of the rest of the window they do. */
const SOON = 0.05;
const LATE = 0.3;

/**
 * What this process takes of a window that others use, too, of whom only the counts of the service tell:
 *
 * - How many they are follows from what they and we got of the last windows. All together have no more under way than
 *   half of what is left.
 * - After a full window each takes its part at once, as if there were one more, and what is left over a little later:
 *   who came late has more of that, so that the parts become even.
 * - The last places, one for each, are for the process that was first in the window. It may have no more to send;
 *   so some of the others try one of them at random moments, and whoever finds it free goes on.
 */
export class Share {
	limit = LIMIT;

	/** What the window has left by the lowest count that an answer told. */
	private told = LIMIT;

	/** When requests ended that told no count; the service may have counted them all the same. */
	private untold: number[] = [];

	/** When requests of ours ended in the window. */
	private ended: number[] = [];

	/** Requests of ours in the window; those still under way at its beginning may count in it. */
	private sent = 0;

	/** Requests of others in the window: at least so many. */
	private foreign = 0;

	/** Both in the windows before, each of which counts half as much as the next. */
	private before = { sent: 0, foreign: 0 };

	/** When an answer last told a count. */
	private toldAt = -Infinity;

	/** Whether the window before was used up, as far as we know: otherwise there is enough for all. */
	private wasFull = false;

	/** Processes that were expected to share the window when it began. */
	private expected = 1;

	/** What each takes at once, and what they leave over then. */
	private part = Infinity;

	/** Until when the rest waits for them. */
	private restAt = -Infinity;

	/** Requests that waited when the window began. */
	private waitedAtFirst = 0;

	/** Whether the last places are ours. */
	private closes = false;

	/** When one of them is tried although they are not; known from when we have stopped. */
	private triesAt?: number;

	/** The window has ended as expected: what it told is kept. */
	end(): void {
		const { sent, foreign } = this.before;
		this.before = { sent: (sent + this.sent) / 2, foreign: (foreign + this.foreign) / 2 };
		// Who has stopped early does not know.
		const hasStopped = this.triesAt !== undefined;
		this.wasFull = this.told <= this.limit * LAST || (this.wasFull && hasStopped);
	}

	/**
	 * A window begins.
	 * @param underWay requests that were sent before and may count in it
	 * @param unanswered the same of those that got no answer
	 * @param waiting requests that wait for their turn
	 */
	begin(now: number, underWay: number, unanswered: number, waiting: number): void {
		this.told = this.limit;
		this.untold = Array.from({ length: unanswered }, () => now);
		this.ended = [];
		this.sent = underWay + unanswered;
		this.foreign = 0;
		this.expected = this.sharers;
		this.part = this.isShared && this.wasFull ? this.limit / (this.expected + 1) : Infinity;
		this.restAt = now + Math.round(REST_MS * (1 + Math.random()));
		this.waitedAtFirst = waiting;
		this.closes = false;
		this.triesAt = undefined;
	}

	send(): void {
		this.sent += 1;
	}

	/** One that was counted was not sent after all. */
	unsend(): void {
		this.sent -= 1;
	}

	/** A request has ended without telling a count. */
	miss(now: number): void {
		this.ended.push(now);
		this.untold.push(now);
	}

	/** When requests of ours ended after a time. */
	endedSince(time: number): number[] {
		return this.ended.filter((at) => at > time);
	}

	learn(
		{ limit = this.limit, remaining, refused }: RateHeaders,
		sentAt: number,
		now: number,
	): void {
		this.told += limit - this.limit;
		this.limit = limit;
		const left = refused ? 0 : remaining;
		if (left === undefined) return this.miss(now);
		this.toldAt = now;
		this.ended.push(now);
		this.told = Math.min(this.told, left);
		// What had ended before this one was sent is in its count.
		this.untold = this.untold.filter((endedAt) => endedAt > sentAt);
		this.foreign = Math.max(this.foreign, limit - this.told - this.sent);
		const isFirst = left === limit - 1;
		const isFree = this.triesAt !== undefined && sentAt >= this.triesAt;
		this.closes = !refused && (this.closes || isFirst || isFree);
	}

	/** What the service has counted in the window, as far as it told. */
	get counted(): number {
		return this.limit - this.told;
	}

	/** What the window has left, without what is under way. */
	get left(): number {
		return this.told - this.untold.length;
	}

	/**
	 * When the next request may go, as far as others matter: now or later, or -1 when an answer under way has to tell.
	 * @param underWay requests that may be answered soon
	 * @param queue what waits for its turn
	 * @param end of the window
	 */
	turnAt(now: number, underWay: number, queue: { size: number }, end: number): number {
		if (!this.isShared) return now;
		if (underWay >= this.atOnce(now, underWay)) return -1;
		const at = Math.max(now, this.pauseUntil(now, queue, end));
		return at > now && underWay > 0 ? -1 : at;
	}

	/** What others take for each one of ours. */
	private get beside(): number {
		const { sent, foreign } = this.before;
		return (foreign + this.foreign) / Math.max(1, sent + this.sent);
	}

	private get isShared(): boolean {
		return this.foreign > 0 || this.beside > GONE;
	}

	/** Processes that share the account, this one included. */
	private get sharers(): number {
		return Math.min(MAX_SHARERS, 1 + this.beside);
	}

	private atOnce(now: number, underWay: number): number {
		if (now - this.toldAt > FRESH_MS) return 1;
		// It begins slowly: before a few answers have come, many others may be unknown.
		return Math.max(1, Math.min(this.sent - underWay, Math.floor(this.left / (2 * this.sharers))));
	}

	private pauseUntil(now: number, queue: { size: number }, end: number): number {
		const { sharers, limit } = this;
		if (this.sent >= this.part && now < this.restAt) return this.restAt;
		// Since an answer of a while ago the others have taken their parts, too.
		const isUsed = this.wasFull && this.left <= limit * SOME;
		const isOld = isUsed && now - this.toldAt > FRESH_MS;
		const left = isOld ? Math.min(this.left, this.part) : this.left;
		const last = isOld ? Math.max(sharers, this.expected) : sharers;
		if (this.closes || left > Math.min(last, limit * LAST)) return now;
		this.triesAt ??= this.looksAt(now, queue.size, end);
		return this.triesAt;
	}

	/** When one of the last places is tried: soon or not before the end. */
	private looksAt(now: number, waiting: number, end: number): number {
		// Who is nearly done would wait a whole window for a few places.
		const isNearlyDone = waiting <= this.waitedAtFirst / 2;
		const chance = (isNearlyDone ? 2 * LOOKING : LOOKING) / this.sharers;
		if (Math.random() >= chance) return end;
		return Math.round(now + (end - now) * (SOON + (LATE - SOON) * Math.random()));
	}
}
