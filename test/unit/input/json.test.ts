import { jsonIn, merged, toObject } from '../../../nodes/shared/input/json';
import { Refusal } from '../../../nodes/shared/input/refusal';

/** JSON that a user gives: nothing of it gets lost on the way. */

const objectOf = (value: unknown) => toObject(value, { getTimezone: () => 'utc' });

/** What is refused, and what is said of a field whose value must not be repeated. */
function refusalOf(work: () => unknown): { openly: string; secretly: string } {
	try {
		work();
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return { openly: error.message, secretly: error.secretly };
	}
	throw new Error('It was not refused');
}

it.each([
	['{ "a": [1, "2", null, true, { "b": {} }] }', { a: [1, '2', null, true, { b: {} }] }],
	[
		{ a: 0, b: '', c: false },
		{ a: 0, b: '', c: false },
	],
	[Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
	[{ at: new Date('2026-03-01T12:00:00Z') }, { at: '2026-03-01T12:00:00.000Z' }],
	[{ a: { toJSON: () => ({ b: 1 }) } }, { a: { b: 1 } }],
	[{ toJSON: 'a field of that name' }, { toJSON: 'a field of that name' }],
])('accepts %j', (value, object) => {
	expect(objectOf(value)).toEqual(object);
});

it.each([['[]'], ['7'], ['"text"'], ['null'], [[1]], [7], [null], [new Date(0)]])(
	'%j is not an object',
	(value) => {
		expect(() => objectOf(value)).toThrow('is not a JSON object, such as { "name": "value" }');
	},
);

it('reports the position in invalid JSON, and nothing of the text', () => {
	const openly = 'is not valid JSON (at position 15)';
	expect(refusalOf(() => objectOf('{ "secret": 1, }'))).toEqual({ openly, secretly: openly });
});

it.each([
	[undefined, 'has no value'],
	[NaN, 'has NaN'],
	[-Infinity, 'has -Infinity'],
	[7n, 'has a bigint'],
	[() => 7, 'has a function'],
	[Symbol('s'), 'has a symbol'],
	[new Date(NaN), 'has no time'],
])('refuses %p with its place, but without the place in a secret', (value, what) => {
	expect(refusalOf(() => objectOf({ deep: { field: value } }))).toEqual({
		openly: `${what} at "deep.field"`,
		secretly: `${what} in it`,
	});
	expect(refusalOf(() => objectOf({ list: ['fine', value] })).openly).toBe(`${what} at "list.1"`);
});

it('a hole in a list has no value', () => {
	const list: unknown[] = [1];
	list[2] = 3;
	expect(refusalOf(() => objectOf({ list })).openly).toBe('has no value at "list.1"');
});

it.each(['__proto__', 'constructor', 'prototype'])(
	'refuses the name %s, which would not arrive',
	(name) => {
		const message = `contains the field "${name}", which cannot be sent,`;
		expect(refusalOf(() => objectOf(`{ "a": { "${name}": 1 } }`)).openly).toBe(`${message} at "a"`);
		expect(refusalOf(() => objectOf(`{ "${name}": 1 }`)).openly).toBe(message);
	},
);

it('refuses a circular or too deep object, and accepts 50 levels', () => {
	const loop: Record<string, unknown> = {};
	loop.loop = loop;
	expect(refusalOf(() => objectOf(loop)).openly).toBe('is nested too deeply');
	const deep = (levels: number): unknown => (levels === 0 ? 'end' : { a: deep(levels - 1) });
	expect(objectOf(deep(50))).toEqual(deep(50));
	expect(refusalOf(() => objectOf(deep(51))).openly).toBe('is nested too deeply');
});

it.each([
	['[1]', [1]],
	[' \n{ "a": 1 }', { a: 1 }],
	['[1', undefined],
	['1', undefined],
	['a [1]', undefined],
	['"[1]"', undefined],
	[[1], undefined],
])('the list or object in %j', (text, found) => {
	expect(jsonIn(text)).toEqual(found);
});

describe('two objects as one', () => {
	it('have the fields of both, at any depth', () => {
		const base = { a: { b: 1, d: undefined }, toString: 1 };
		expect(merged(base, { a: { c: null, d: 4 }, valueOf: 2, e: [5] })).toEqual({
			a: { b: 1, c: null, d: 4 },
			toString: 1,
			valueOf: 2,
			e: [5],
		});
		expect(base).toEqual({ a: { b: 1, d: undefined }, toString: 1 });
	});

	it.each([
		[{ a: 1 }, { a: 1 }, 'a'],
		[{ a: null }, { a: 1 }, 'a'],
		[{ a: { b: '' } }, { a: { b: 2 } }, 'a.b'],
		[{ a: { b: { c: 1 } } }, { a: { b: { c: {} } } }, 'a.b.c'],
		[{ a: { b: 1 } }, { a: [2] }, 'a'],
	])('%j and %j set the same', (base, more, place) => {
		expect(refusalOf(() => merged(base, more as never))).toEqual({
			openly: `sets "${place}", which has its own field in the node`,
			secretly: 'sets a value that has its own field in the node',
		});
	});
});

describe('a JSON text is sent exactly', () => {
	it.each([
		['{ "a": 9007199254740993 }', '9007199254740993', 'a'],
		['{ "a": [1, { "b": 1e400 }] }', '1e400', 'a.1.b'],
		['{ "a": { "x": "]," }, "b": -12345678901234567891 }', '-12345678901234567891', 'b'],
		['{ "a": 0.1234567890123456789 }', '0.1234567890123456789', 'a'],
		['{ "a": 1e-400 }', '1e-400', 'a'],
		['{ "a": [[0], [0, 3.14159265358979323846]] }', '3.14159265358979323846', 'a.1.1'],
		['{ "\\u0061\\"": 18446744073709551615 }', '18446744073709551615', 'a"'],
	])('%s is refused, with its place', (text, number, place) => {
		expect(refusalOf(() => objectOf(text))).toEqual({
			openly: `contains the number ${number} at "${place}", which cannot be sent exactly. If the service accepts text, put the number in quotes`,
			secretly:
				'contains a number that cannot be sent exactly. If the service accepts text, put the number in quotes',
		});
	});

	it.each([
		['{ "a": 1, "a": 1 }', 'a'],
		['{ "a": { "b": 1, "c": {}, "b": 2 } }', 'a.b'],
		['{ "a": [0, { "b": 1, "\\u0062": 2 }] }', 'a.1.b'],
		['{ "": 1, "": 2 }', ''],
	])('%s has a field twice', (text, place) => {
		expect(refusalOf(() => objectOf(text))).toEqual({
			openly: `has "${place}" twice`,
			secretly: 'has a field twice',
		});
	});

	it.each([
		['{ "a": { "x": 1 }, "b": { "x": 1 }, "c": ["x", "x", "a"], "x": "a" }'],
		['{ "a": "9007199254740993", "b": "{ \\"a\\": 1e400, \\"a\\": 1 }" }'],
		['{ "a": [0, -0, 0.0, 0e5, 1.0, 1.50, 15e-1, 1E3, 1e+21, 1e21, 100000000000000000000] }'],
		[
			'{ "a": [9007199254740991, -9007199254740991, 0.1, 0.30000000000000004, 5e-324, 1.7976931348623157e308] }',
		],
		['{ "a:": ":", "b,": ",", "{": "}", "[": "]", "\\\\": "\\\\", "1": [true, null] }'],
	])('%s is accepted', (text) => {
		expect(objectOf(text)).toEqual(JSON.parse(text));
	});

	it('also where a list is given as text', () => {
		expect(refusalOf(() => jsonIn('["a", 9007199254740993]')).openly).toContain(
			'contains the number 9007199254740993 at "1"',
		);
		expect(refusalOf(() => jsonIn('[{ "a": 1, "a": 2 }]')).openly).toBe('has "0.a" twice');
	});

	it('a long one is fast', () => {
		const many = Array.from({ length: 20_000 }, (_, at) => `"k${at}": [${at}, "\\"x"]`).join();
		expect(Object.keys(objectOf(`{${many}}`) as object)).toHaveLength(20_000);
	});
});
