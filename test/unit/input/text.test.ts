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

const object = 'is an object, not a text: select a field, such as {{ $json.client.id }}';

it.each([
	[NaN, 'is NaN, which is not a number'],
	[Infinity, 'is Infinity, which is not a number'],
	[['a'], 'is a list, not a text: select one entry, such as {{ $json.sites[0].id }}'],
	[{ a: 1 }, object],
	[undefined, object],
	['half \ud800 a pair', 'contains a broken character (half of a surrogate pair): "half   a pair"'],
	[
		'a [object Object] b',
		'contains "[object Object]": select a field of the object, such as {{ $json.client.id }}',
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
		expect((error as Error).message).toBe('contains a broken character (half of a surrogate pair)');
	}
});
