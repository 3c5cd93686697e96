/** A moment by the clocks that there are, in epoch milliseconds. */
export interface Moment {
	/** By the service's answers; undefined where they do not tell. */
	service?: number;
	local: number;
}

/** The newest time that a record of a list had, and when it was first seen. */
export interface Newest extends Moment {
	time: number;
}

/** What an answer tells of the time: when it was asked for, no later than that, and when it came. */
export interface Span {
	asked: Moment;
	answered: Moment;
}

/** The moments of an answer. @param date its `Date` header, in epoch milliseconds */
export function spanOf(askedAt: number, answeredAt: number, date: number | undefined): Span {
	// How long it took, unless n8n's clock was set meanwhile.
	const took = Math.max(0, answeredAt - askedAt);
	return {
		asked: { ...(date !== undefined && { service: date - took }), local: askedAt },
		answered: { ...(date !== undefined && { service: date }), local: answeredAt },
	};
}

/** The service tells its time in whole seconds. */
const ROUNDING_MS = 1_000;

/** At least so much time has passed: as little as the clock that went slower says. */
const atLeast = (from: Moment, to: Moment) =>
	from.service === undefined || to.service === undefined
		? 0
		: Math.max(0, Math.min(to.service - from.service - ROUNDING_MS, to.local - from.local));

/** No more time than so much has passed. */
const atMost = (from: Moment, to: Moment) =>
	Math.max(0, to.local - from.local, (to.service ?? 0) - (from.service ?? to.service ?? 0)) +
	ROUNDING_MS;

/**
 * What the clock said at a moment by which the service gives its records their times: at least so much. A header
 * tells the time of whoever answers, which may be another; but a record that is there was written before, and from
 * then on time has passed.
 */
export function clockAt(moment: Moment, newest: Newest | undefined): number {
	if (!newest) return -Infinity;
	// n8n's clock may have been set; by the service's own it is known which was first.
	const isLater =
		newest.service !== undefined && moment.service !== undefined
			? newest.service > moment.service
			: newest.local > moment.local;
	return newest.time + (isLater ? -atMost(moment, newest) : atLeast(newest, moment));
}

/** Less is no step: servers of the service behind one address may differ, and clocks drift. */
export const STEP_MS = 20_000;

/**
 * How far a clock was set between two moments so that the service's is behind what was to be expected: its own was
 * set back, or n8n's ahead, which can not be told apart. In milliseconds, 0 when neither was.
 */
export function fellBehind(from: Moment | undefined, to: Moment): number {
	if (from?.service === undefined || to.service === undefined) return 0;
	const back = from.service - to.service;
	const behind = Math.max(back, back + to.local - from.local);
	return behind > STEP_MS ? behind : 0;
}

/**
 * Whether a clock was set between two moments, as far as that can be told: one ran backwards, or more time has passed
 * by one than by the other. Where both were set back, how far the service's was is hidden by the other.
 */
export function wasSet(from: Moment | undefined, to: Moment): boolean {
	if (from?.service === undefined || to.service === undefined) return false;
	const apart = Math.abs(to.service - from.service - (to.local - from.local));
	return apart > STEP_MS || fellBehind(from, to) > 0;
}

/** The latest time that a record can have which may be told `lateMs` late; what is later is dated ahead. */
export const latestOf = ({ service, local }: Moment, lateMs: number) =>
	Math.max(service ?? local, local) + lateMs;

/** All clocks together are hardly farther ahead of the records'. */
const UNSURE_MS = 900_000;

/**
 * What the time of a record says of the records' clock. One that is ahead of all clocks by more than `lateMs` is
 * wrong, or they are: it says nothing then, or no more than they do where nothing else tells the time.
 * @param newest what has told it before
 */
export function clockBy(time: number, moment: Moment, lateMs: number, newest?: Newest): number {
	const { service, local } = moment;
	if (time <= latestOf(moment, lateMs)) return time;
	const isTold = newest !== undefined && service !== undefined;
	return isTold ? -Infinity : Math.min(service ?? local, local) - UNSURE_MS;
}
