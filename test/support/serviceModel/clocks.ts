import type { Setting } from './world';
import type { Timeline } from './timeline';

const MINUTE = 60_000;

/** Without a `Date` header nobody can tell that a clock was set: so far it may be off without harm. */
const MOST_UNTOLD = 13 * MINUTE;

/** Farther than that n8n's clock is never off. */
const MOST = 65 * MINUTE;

/** The clocks of a history: the true time, n8n's, and the service's, by which it stamps its records. */
export class Clocks {
	/** How far n8n's clock is ahead. */
	readonly n8n = { ahead: 0 };

	/** How far the clock of the service's records is ahead; the `Date` header goes with it. */
	private service = 0;

	/** The latest time that the service's clock has shown. */
	private latest = -Infinity;

	/** How far the `Date` header is off from that; without one where it is undefined. */
	readonly dateOffset: number | undefined;

	constructor(
		private readonly timeline: Timeline,
		{ skew, dateOffset }: Pick<Setting, 'skew' | 'dateOffset'>,
	) {
		this.n8n.ahead = skew;
		this.dateOffset = dateOffset;
	}

	/** The time of the service's records, in milliseconds. */
	get now(): number {
		return this.timeline.now + this.service;
	}

	/** Sets n8n's clock. */
	setN8n(byMs: number): void {
		const most = this.dateOffset === undefined ? MOST_UNTOLD : MOST;
		this.n8n.ahead = Math.max(-most, Math.min(most, this.n8n.ahead + byMs));
	}

	/**
	 * Sets the service's clock. Back only where a header tells of it, and where the clock has passed all times that it
	 * has shown already: who knows how far it goes back otherwise?
	 */
	setService(byMs: number): void {
		this.latest = Math.max(this.latest, this.now);
		const isKnown = this.dateOffset !== undefined && this.now >= this.latest;
		if (byMs < 0 && !isKnown) return;
		this.service += byMs;
	}
}
