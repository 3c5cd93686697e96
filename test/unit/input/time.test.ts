import { DateTime } from 'luxon';
import { toDate, toTime } from '../../../nodes/shared/input/time';

/** Times as people, expressions and models write them. */

const zoned = { getTimezone: () => 'America/New_York' };

it.each([
	['2026-03-01', '2026-03-01T05:00:00Z'],
	['2026-03-01T12:00', '2026-03-01T17:00:00Z'],
	['2026-03-01T12:00:30', '2026-03-01T17:00:30Z'],
	['2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z'],
	['2026-03-01t12:00:00z', '2026-03-01T12:00:00Z'],
	['2026-03-01T12:00:00+02', '2026-03-01T10:00:00Z'],
	['2026-03-01T12:00:00+0230', '2026-03-01T09:30:00Z'],
	['2026-03-01T12:00:00-02:30', '2026-03-01T14:30:00Z'],
	[' 2026-03-01T12:00:00Z ', '2026-03-01T12:00:00Z'],
	// The service has finer times than a clock of ours, and they are kept.
	['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123456789Z'],
	['2026-03-01T12:00:00,5Z', '2026-03-01T12:00:00.5Z'],
	['2026-03-01T12:00:00.010Z', '2026-03-01T12:00:00.010Z'],
	// Clocks of ours write milliseconds where there are none.
	['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00Z'],
])('%s is %s', (text, time) => {
	expect(toTime(text, zoned)).toBe(time);
});

it.each([
	'12:00',
	'T12:00:00Z',
	'2026-03',
	'2026-3-1',
	'26-03-01',
	'12026-03-01',
	'+002026-03-01',
	'2026-03-01T12',
	'2026-03-01T12:0',
	'2026-03-01T12:00:00.Z',
	'2026-03-01T12:00:00.1234567890Z',
	'2026-03-01T12:00:00 GMT',
	'on 2026-03-01',
	'2026-03-01 or so',
	'2026-02-30',
	'2026-03-01T25:00:00Z',
	'tomorrow',
	1_770_000_000_000,
	true,
])('%j is refused', (value) => {
	expect(() => toTime(value, zoned)).toThrow(/^is not a date and time: .* use a format like 2026-/);
});

describe('what an expression gives', () => {
	const whole = '2026-03-01T12:00:00.000Z';
	const finer = '2026-03-01T12:00:00.045Z';

	it.each([
		['a Date', new Date(whole), new Date(finer)],
		['a DateTime', DateTime.fromISO(whole), DateTime.fromISO(finer)],
	])('%s is a time, with its milliseconds where it has some', (_, at, later) => {
		expect(toTime(at, zoned)).toBe('2026-03-01T12:00:00Z');
		expect(toTime(later, zoned)).toBe('2026-03-01T12:00:00.045Z');
	});

	it.each([
		['a Date', new Date(NaN)],
		['a DateTime', DateTime.invalid('no time')],
	])('%s without a time is refused', (_, value) => {
		expect(() => toTime(value, zoned)).toThrow(/^is not a date and time$/);
	});
});

it.each([
	['2026-03-01T03:00:00Z', '2026-02-28'],
	['2026-03-01T12:00:00Z', '2026-03-01'],
	['2026-03-01', '2026-03-01'],
])('the date of %s is that of the calendar of the workflow: %s', (text, date) => {
	expect(toDate(text, zoned)).toBe(date);
	expect(
		toDate(new Date(DateTime.fromISO(text, { zone: zoned.getTimezone() }).toMillis()), zoned),
	).toBe(date);
});
