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
	const isLater =
		newest.local > moment.local || (newest.service ?? 0) > (moment.service ?? Infinity);
	return newest.time + (isLater ? -atMost(moment, newest) : atLeast(newest, moment));
}
