import { DateTime } from 'luxon';
import { toDate, toTime } from '../../../nodes/shared/input/convert';

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

describe('the value of an expression', () => {
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

describe('a date', () => {
	it.each([
		['2026-03-01', '2026-03-01'],
		['2026-03-01T03:00:00Z', '2026-03-01'],
		['2026-03-01T23:59:59.999Z', '2026-03-01'],
		['2026-11-01T00:00:00+01:00', '2026-11-01'],
		['2026-11-01T23:30:00-12:00', '2026-11-01'],
		[' 2026-11-01t00:00:00+14 ', '2026-11-01'],
		['2026-11-01T00:00', '2026-11-01'],
		['2026-11-01T24:00:00', '2026-11-01'],
	])('%j is the one that is written', (text, date) => {
		for (const zone of ['UTC', 'America/New_York', 'Pacific/Kiritimati']) {
			expect(toDate(text, { getTimezone: () => zone })).toBe(date);
		}
	});

	it('of a DateTime is that of its own time zone', () => {
		const time = '2026-11-01T00:00:00+01:00';
		expect(toDate(DateTime.fromISO(time, { setZone: true }), zoned)).toBe('2026-11-01');
		expect(toDate(DateTime.fromISO(time, { zone: 'UTC' }), zoned)).toBe('2026-10-31');
	});

	it('of a Date, which has no time zone, is that of the workflow', () => {
		expect(toDate(new Date('2026-03-01T03:00:00Z'), zoned)).toBe('2026-02-28');
		expect(toDate(new Date('2026-03-01T03:00:00Z'), { getTimezone: () => 'Asia/Tokyo' })).toBe(
			'2026-03-01',
		);
	});

	it.each(['2026-02-30T00:00:00Z', '01.11.2026', '2026-11-01T25:00:00+01:00', new Date(NaN)])(
		'refuses %p',
		(value) => {
			expect(() => toDate(value, zoned)).toThrow('is not a date and time');
		},
	);
});
