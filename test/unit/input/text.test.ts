import { DateTime } from 'luxon';
import { toText } from '../../../nodes/shared/input/convert';
import { within } from '../../../nodes/shared/input/refusal';

/** What becomes a text, and what would become a wrong one. */

it.each([
	[' as it is\n', ' as it is\n'],
	[0, '0'],
	[-1.5, '-1.5'],
	[true, 'true'],
	[7n, '7'],
	['whole 😀 pairs', 'whole 😀 pairs'],
	['a [object Object] b', 'a [object Object] b'],
	[
		DateTime.fromISO('2026-03-01T12:00:00+01:00', { setZone: true }),
		'2026-03-01T12:00:00.000+01:00',
	],
	[new Date('2026-03-01T12:00:00Z'), '2026-03-01T12:00:00.000Z'],
])('%p is %j', (value, text) => {
	expect(toText(value)).toBe(text);
});

const object = 'is an object, not a text: select a field, such as {{ $json.client.id }}';

it.each([
	[NaN, 'is NaN, which is not a number'],
	[Infinity, 'is Infinity, which is not a number'],
	[['a'], 'is a list, not a text: select one entry, such as {{ $json.sites[0].id }}'],
	[{ a: 1 }, object],
	[undefined, object],
	['half \ud800 a pair', 'contains a broken character (half of a surrogate pair): "half   a pair"'],
	[new Date(NaN), 'is not a date and time'],
	[DateTime.invalid('none'), 'is not a date and time'],
])('%p is refused', (value, message) => {
	expect(() => toText(value)).toThrow(new Error(message));
});

it('a date is no ID', () => {
	expect(() => toText(new Date(0), 'ID')).toThrow('is an object, not one ID: select its ID');
});

it('a secret with a broken character is not repeated', () => {
	expect(() => within([], () => toText('secret \udc00'), true)).toThrow(
		/^contains a broken character \(half of a surrogate pair\)$/,
	);
});
