import type { VirtualTime } from '../virtualTime';

const MINUTE = 60_000;

/** Without a `Date` header nobody can tell that a clock was set: so far it may be off without harm. */
const MOST_UNTOLD = 13 * MINUTE;

/** Farther than that n8n's clock is never off. */
const MOST = 65 * MINUTE;

/** The clocks of a history: the true time, n8n's, and the service's, by which it stamps its records. */
export class Clocks {
	readonly n8n = { ahead: 0 };

	/** How far the clock of the service's records is ahead; the `Date` header goes with it. */
	private service = 0;

	private latest = -Infinity;

	/** How far the clocks were ahead, n8n's and the service's, since all triggers have heard an answer. */
	private past: Array<[n8n: number, service: number]> = [];

	/** Whether no clock may go ahead of the records' own any more. */
	private isKeptBehind = false;

	/** How far the `Date` header is off from that; without one where it is undefined. */
	readonly dateOffset: number | undefined;

	constructor(
		private readonly timeline: VirtualTime,
		{ skew, dateOffset }: { skew: number; dateOffset: number | undefined },
	) {
		this.n8n.ahead = skew;
		this.dateOffset = dateOffset;
	}

	/** The time of the service's records, in milliseconds. */
	get now(): number {
		return this.timeline.now() + this.service;
	}

	/** Sets one of them, unless nobody could tell. */
	step(whose: 'n8n' | 'service', byMs: number): void {
		const isOfN8n = whose === 'n8n';
		if (this.isHidden(this.n8n.ahead + (isOfN8n ? byMs : 0), this.service + (isOfN8n ? 0 : byMs)))
			return;
		if (isOfN8n) this.setN8n(byMs);
		else this.setService(byMs);
	}

	setN8n(byMs: number): void {
		const most = this.dateOffset === undefined ? MOST_UNTOLD : MOST;
		const ahead = Math.max(-most, Math.min(most, this.n8n.ahead + byMs));
		if (this.isKeptBehind && ahead > this.service) return;
		this.past.push([this.n8n.ahead, this.service]);
		this.n8n.ahead = ahead;
	}

	/** All triggers have heard an answer by the clocks as they are. */
	heard(): void {
		this.past = [];
	}

	/**
	 * How long it takes until the service's clock shows times that it has not shown before, where the `Date` header is
	 * ahead of the records: who has not heard it before cannot know that it was set back.
	 */
	get toPass(): number {
		return (this.dateOffset ?? 0) > 0 ? Math.max(0, this.latest - this.now) : 0;
	}

	/**
	 * Whether both clocks were set back then since an answer that a trigger may go by, so that one hides the other; or the
	 * service's ahead and back, so that what was written between has a time that no answer has told.
	 */
	private isHidden(n8n: number, service: number): boolean {
		return this.past.some(
			([n8nThen, serviceThen]) =>
				(service < serviceThen && n8n < n8nThen) ||
				(service < this.service && serviceThen < this.service),
		);
	}

	/**
	 * That a record is dated ahead by minutes or hours can be told only where no clock is ahead as well.
	 * @returns whether that is so; it stays so then
	 */
	keepBehind(): boolean {
		if ((this.dateOffset ?? 1) > 0 || this.n8n.ahead > this.service) return false;
		return (this.isKeptBehind = true);
	}

	/**
	 * Sets the service's clock. Back only where a header tells of it. And only where the clock has passed all times that
	 * it has shown already: of two steps between two answers nobody can tell.
	 */
	setService(byMs: number): void {
		this.latest = Math.max(this.latest, this.now);
		if (this.now < this.latest || (byMs < 0 && this.dateOffset === undefined)) return;
		const service = this.service + byMs;
		if (this.isKeptBehind && this.n8n.ahead > service) return;
		this.past.push([this.n8n.ahead, this.service]);
		this.service = service;
	}
}
