import { DateTime } from 'luxon';
import type { Convert, Zoned } from './field';
import { refuse, shown } from './refusal';

/** A date, and perhaps a time of day with parts of a second and a zone. Without the date it would mean today. */
const ISO =
	/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(?:[.,](?<fraction>\d{1,9}))?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

interface Time {
	time: DateTime<true>;
	/** Parts of a second as the user gave them: the service has finer ones than a clock of ours. */
	fraction: string;
}

export const isDate = (value: unknown): value is Date | DateTime<true> | DateTime<false> =>
	value instanceof Date || DateTime.isDateTime(value);

/** Local values are read in the time zone of the workflow. */
function timeIn(value: unknown, context: Zoned): Time {
	const zone = context.getTimezone();
	if (isDate(value)) {
		const time = value instanceof Date ? DateTime.fromJSDate(value, { zone }) : value;
		if (!time.isValid) return refuse('is not a date and time');
		return { time, fraction: time.millisecond > 0 ? time.toFormat('SSS') : '' };
	}
	const text = typeof value === 'string' ? value.trim() : '';
	const match = ISO.exec(text);
	const time = DateTime.fromISO(text, { zone });
	if (!match || !time.isValid) {
		return refuse(
			`is not a date and time: ${shown(value)}; use a format like 2026-03-01 or 2026-03-01T12:00:00Z`,
		);
	}
	const { fraction = '' } = match.groups!;
	// Clocks of ours write milliseconds where there are none.
	return { time, fraction: fraction === '000' ? '' : fraction };
}

/** ISO 8601 in UTC. */
export function toTime(value: unknown, context: Zoned): string {
	const { time, fraction } = timeIn(value, context);
	return `${time.toUTC().toFormat("yyyy-MM-dd'T'HH:mm:ss")}${fraction && `.${fraction}`}Z`;
}

/** `YYYY-MM-DD` as it is written, whatever the time and the time zone beside it; a Date has that of the workflow. */
export const toDate: Convert = (value, context) => {
	const { time } = timeIn(value, context);
	return typeof value === 'string' ? value.trim().slice(0, 10) : time.toISODate();
};
