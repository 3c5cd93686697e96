import {
	isPlain,
	isRecord,
	omit,
	recordIn,
	recordsIn,
	textsIn,
	urlFrom,
} from '../../../nodes/shared/lib';

it.each([null, undefined, 'text', 7, true, [], [{}]])('%j is not a record', (value) => {
	expect(isRecord(value)).toBe(false);
});

it('an object is one', () => expect(isRecord({})).toBe(true));

it('only the objects of a list are taken, and of nothing else', () => {
	expect(recordsIn([{ id: 1 }, null, 'text', [{}], { id: 2 }])).toEqual([{ id: 1 }, { id: 2 }]);
	expect(recordsIn({ 0: {}, length: 1 })).toEqual([]);
	expect(recordsIn(undefined)).toEqual([]);
});

class Thing {}

it('only objects without a class are plain', () => {
	const values = [{}, Object.create(null), new Thing(), new Date(0), [], null];
	expect(values.map(isPlain)).toEqual([true, true, false, false, false, false]);
});

it('reads nothing from values of another form', () => {
	expect([recordIn({ id: 1 }), recordIn([1]), recordIn(null)]).toEqual([{ id: 1 }, {}, {}]);
	expect([textsIn(['a', 7]), textsIn('a'), textsIn(undefined)]).toEqual([['a', '7'], [], []]);
});

it('leaves keys out of a copy', () => {
	const from = { a: 1, b: { c: 2 }, d: undefined };
	const copy = omit(from, 'a');
	expect(Object.entries(copy)).toEqual([
		['b', { c: 2 }],
		['d', undefined],
	]);
	expect(copy.b).toBe(from.b);
	expect(from).toHaveProperty('a', 1);
});

it.each(['https://müller.example', 'https://www.example.com/größe', 'https://日本.example'])(
	'%s is a URL however often it is asked',
	(text) => {
		const found = Array.from({ length: 50_000 }, () => urlFrom(text) !== undefined);
		expect(new Set(found)).toEqual(new Set([true]));
	},
);

it.each(['', 'tags', 'https://', 'https://a b.example'])('%j is not a URL', (text) => {
	expect(urlFrom(text)).toBeUndefined();
});
