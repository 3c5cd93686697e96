import type { RateHeaders } from './rateHeaders';

/** Assumed until the service's headers tell. Source: Part A, 8. */
const LIMIT = 200;

/** Who took less beside one of ours is taken to be gone. 0.2 gives the same but for four processes, which are refused a little more. */
const GONE = 0.05;

/** What an answer told may be over after this long: one request asks anew. 100 to 2,500 ms give the same. */
const FRESH_MS = 500;

/**
 * The last part of a window is for one process only. With a twentieth, 16 processes are refused 2.4 %; with a fifth, two
 * take 6 % over the least time.
 */
const LAST = 1 / 10;

/**
 * What this process takes of a window that others use, too, of whom only the counts of the service tell:
 *
 * - How many they are follows from what they and we got of the last windows. All together have no more under way than
 *   half of what is left.
 * - At the end of a window each of several would be refused once. So the last tenth is for one of them: for whoever was
 *   told that exactly so much is left, which the service tells to one request only. The others wait for the reset.
 *
 * `npm run bench -- --only sharing` chose the numbers. Its goals: at most 0.5 % refused and 5 % over the least time with
 * two processes, 1 % and 10 % with four, 2 % and 15 % with sixteen. What other numbers give is the mean of its worst
 * scene.
 */
export class SharedWindow {
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
	private usedByOthers = 0;

	/** Both in the windows before, each of which counts half as much as the next. */
	private before = { sent: 0, usedByOthers: 0 };

	/** When an answer last told a count. */
	private toldAt = -Infinity;

	/** Whether the last places are ours. */
	private closes = false;

	/** The window has ended as expected: what it told is kept. */
	end(): void {
		const { sent, usedByOthers } = this.before;
		this.before = {
			sent: (sent + this.sent) / 2,
			usedByOthers: (usedByOthers + this.usedByOthers) / 2,
		};
	}

	/**
	 * A window begins.
	 * @param underWay requests that were sent before and may count in it
	 * @param unanswered the same of those that got no answer
	 */
	begin(now: number, underWay: number, unanswered: number): void {
		this.told = this.limit;
		this.untold = Array.from({ length: unanswered }, () => now);
		this.ended = [];
		this.sent = underWay + unanswered;
		this.usedByOthers = 0;
		this.closes = false;
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
		this.usedByOthers = Math.max(this.usedByOthers, limit - this.told - this.sent);
		this.closes ||= left === this.last;
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
	 * @param resumeAt until when the last places are left to another: the end of the window, or now to try one at a time
	 */
	turnAt(now: number, underWay: number, resumeAt: number): number {
		if (!this.isShared) return now;
		if (underWay >= this.atOnce(now, underWay)) return -1;
		if (this.closes || this.left >= this.last) return now;
		return underWay > 0 ? -1 : resumeAt;
	}

	private get last(): number {
		return Math.floor(this.limit * LAST);
	}

	/** What others take for each one of ours. */
	private get beside(): number {
		const { sent, usedByOthers } = this.before;
		return (usedByOthers + this.usedByOthers) / Math.max(1, sent + this.sent);
	}

	private get isShared(): boolean {
		return this.usedByOthers > 0 || this.beside > GONE;
	}

	private atOnce(now: number, underWay: number): number {
		if (now - this.toldAt > FRESH_MS) return 1;
		// It begins slowly: before a few answers have come, many others may be unknown. With all of what is left instead of
		// half, 16 processes are refused 9.7 %; with a quarter, two take 7 % over the least time.
		const part = Math.floor(this.left / 2 / (1 + this.beside));
		return Math.max(1, Math.min(this.sent - underWay, part));
	}
}
