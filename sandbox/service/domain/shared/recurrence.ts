import type { updateRecurrences } from '../autoUpdates/rows';
import type { reportFrequencies } from '../scheduledReports/rows';
import { DateTime } from 'luxon';

/** Parts A 2.7 and 2.13. */
export type Recurrence = (typeof updateRecurrences)[number] | (typeof reportFrequencies)[number];

/** The `n`th occurrence (from 0) of a recurrence that starts at `start`. */
const occurrences: Record<Recurrence, (start: DateTime, n: number) => DateTime> = {
	daily: (start, n) => start.plus({ days: n }),
	weekly_on_day: (start, n) => start.plus({ weeks: n }),
	weekly: (start, n) => start.plus({ weeks: n }),
	biweekly: (start, n) => start.plus({ weeks: 2 * n }),
	// A month that is too short has the occurrence on its last day.
	monthly_on_date: (start, n) => start.plus({ months: n }),
	monthly: (start, n) => start.plus({ months: n }),
	monthly_on_week: sameWeekdayOfMonth,
	monthly_last_day: (start, n) => {
		const month = start.set({ day: 1 }).plus({ months: n });
		return month.set({ day: month.daysInMonth });
	},
};

const unit: Record<Recurrence, 'days' | 'weeks' | 'months'> = {
	daily: 'days',
	weekly_on_day: 'weeks',
	weekly: 'weeks',
	biweekly: 'weeks',
	monthly_on_date: 'months',
	monthly: 'months',
	monthly_on_week: 'months',
	monthly_last_day: 'months',
};

/**
 * The first occurrence after `from` (milliseconds since the Unix epoch), as an ISO 8601 UTC string.
 * The day and the time of day are those of `startedAt` in the zone.
 */
export function nextOccurrence(
	recurrence: Recurrence,
	startedAt: string,
	from: number,
	zone = 'UTC',
): string {
	const start = DateTime.fromISO(startedAt, { zone: 'UTC' }).setZone(zone);
	const passed = DateTime.fromMillis(from, { zone }).diff(start, unit[recurrence]);
	const steps = passed.as(unit[recurrence]) / (recurrence === 'biweekly' ? 2 : 1);
	let n = Math.max(0, Math.floor(steps) - 1);
	let next = occurrences[recurrence](start, n);
	while (next.toMillis() <= from) next = occurrences[recurrence](start, ++n);
	return next.toUTC().toISO()!;
}

/** How many occurrences come after `from` and up to `until`, in milliseconds. */
export function countOccurrences(
	recurrence: Recurrence,
	startedAt: string,
	{ from, until, zone }: { from: number; until: number; zone?: string },
): number {
	let count = 0;
	for (let at = from; ; count++) {
		at = Date.parse(nextOccurrence(recurrence, startedAt, at, zone));
		if (at > until) return count;
	}
}

/** A timestamp of a request as the records have it; without an offset it is UTC. */
export const toUtc = (text: string): string => DateTime.fromISO(text, { zone: 'UTC' }).toISO()!;

/** For instance the second Tuesday; what is the fifth one falls on the last one of a shorter month. */
function sameWeekdayOfMonth(start: DateTime, n: number): DateTime {
	const month = start.set({ day: 1 }).plus({ months: n });
	const first = 1 + ((start.weekday - month.weekday + 7) % 7);
	const day = first + 7 * Math.floor((start.day - 1) / 7);
	return month.set({ day: day > month.daysInMonth! ? day - 7 : day });
}
