import { toText } from '../../../nodes/shared/input/text';

/** What becomes a text, and what would become a wrong one. */

it.each([
	[' as it is\n', ' as it is\n'],
	[0, '0'],
	[-1.5, '-1.5'],
	[true, 'true'],
	[7n, '7'],
	['whole 😀 pairs', 'whole 😀 pairs'],
])('%p is %j', (value, text) => {
	expect(toText(value)).toBe(text);
});

const object =
	'is an object, not a text: pick the field that you mean, such as {{ $json.client.id }}';

it.each([
	[NaN, 'is NaN, which is no number'],
	[Infinity, 'is Infinity, which is no number'],
	[['a'], 'is a list, not a text: pick one of it, such as {{ $json.sites[0].id }}'],
	[{ a: 1 }, object],
	[undefined, object],
	['half \ud800 a pair', 'has a broken character (half of a surrogate pair): "half   a pair"'],
	[
		'a [object Object] b',
		'has "[object Object]" in it: pick a field of the object, such as {{ $json.client.id }}',
	],
])('%p is refused', (value, message) => {
	expect(() => toText(value)).toThrow(new Error(message));
});

it('a secret with a broken character is not repeated', () => {
	expect.assertions(1);
	try {
		toText('secret \udc00');
	} catch (error) {
		(error as { hideValue: () => void }).hideValue();
		expect((error as Error).message).toBe('has a broken character (half of a surrogate pair)');
	}
});
