import { jsonIn, merged, toObject } from '../../../nodes/shared/input/json';
import { Refusal } from '../../../nodes/shared/input/refusal';

/** JSON that a user gives: nothing of it gets lost on the way. */

const objectOf = (value: unknown) => toObject(value, { getTimezone: () => 'utc' });

/** What is refused, and what is said of a field whose value must not be repeated. */
function refusalOf(work: () => unknown): [openly: string, secretly: string] {
	try {
		work();
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return [error.message, error.secretly];
	}
	throw new Error('It was not refused');
}

it.each([
	[
		{ a: 0, b: '', c: false },
		{ a: 0, b: '', c: false },
	],
	[{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
	[{ a: { toJSON: () => ({ b: 1 }) } }, { a: { b: 1 } }],
	[{ toJSON: 'a field of that name' }, { toJSON: 'a field of that name' }],
])('accepts %j', (value, object) => {
	expect(objectOf(value)).toEqual(object);
});

it.each([['[]'], ['"text"'], ['null'], [[1]], [7], [new Date(0)]])(
	'%j is not an object',
	(value) => {
		const refusal = 'is not a JSON object, such as { "name": "value" }';
		expect(() => objectOf(value)).toThrow(new Error(refusal));
	},
);

it('reports the position in invalid JSON, and nothing of the text', () => {
	const refusal = 'is not valid JSON (at position 15)';
	expect(refusalOf(() => objectOf('{ "secret": 1, }'))).toEqual([refusal, refusal]);
});

it.each([
	[undefined, 'has no value'],
	[-Infinity, 'has -Infinity'],
	[7n, 'has a bigint'],
	[() => 7, 'has a function'],
	[Symbol('s'), 'has a symbol'],
	[new Date(NaN), 'has no time'],
])('refuses %p with its place', (value, what) => {
	expect(() => objectOf({ deep: { field: value } })).toThrow(`${what} at "deep.field"`);
	expect(() => objectOf({ list: ['fine', value] })).toThrow(`${what} at "list.1"`);
});

it('a hole in a list has no value', () => {
	expect(() => objectOf({ list: Object.assign([], { 0: 1, 2: 3 }) })).toThrow(
		'has no value at "list.1"',
	);
});

it.each(['__proto__', 'constructor', 'prototype'])('refuses the lost name %s', (name) => {
	const message = `contains the field "${name}", which cannot be sent,`;
	expect(() => objectOf(`{ "a": { "${name}": 1 } }`)).toThrow(new Error(`${message} at "a"`));
	expect(() => objectOf(`{ "${name}": 1 }`)).toThrow(new Error(message));
});

it('refuses an object that contains itself', () => {
	const loop: Record<string, unknown> = {};
	loop.loop = loop;
	expect(() => objectOf(loop)).toThrow(RangeError);
});

it.each([
	[' \n{ "a": 1 }', { a: 1 }],
	['[1', undefined],
	['a [1]', undefined],
	['"[1]"', undefined],
	[[1], undefined],
])('the list or object in %j', (text, found) => {
	expect(jsonIn(text)).toEqual(found);
});

it('two objects as one have the fields of both, at any depth', () => {
	const base = { a: { b: 1, d: undefined }, toString: 1 };
	expect(merged(base, { a: { c: null, d: 4 }, valueOf: 2, e: [5] })).toEqual({
		...{ a: { b: 1, c: null, d: 4 }, toString: 1 },
		...{ valueOf: 2, e: [5] },
	});
	expect(base).toEqual({ a: { b: 1, d: undefined }, toString: 1 });
});

it.each([
	[{ a: null }, { a: 1 }, 'a'],
	[{ a: { b: { c: 1 } } }, { a: { b: { c: {} } } }, 'a.b.c'],
	[{ a: { b: 1 } }, { a: [2] }, 'a'],
])('%j and %j set the same', (base, more, place) => {
	const refusal = `sets "${place}", which has its own field in the node`;
	expect(() => merged(base, more as never)).toThrow(refusal);
});

describe('a JSON text is sent exactly', () => {
	const inexact = 'cannot be sent exactly. If the service accepts text, put the number in quotes';

	it.each([
		['{ "a": 9007199254740993 }', '9007199254740993'],
		['{ "a": [1, { "b": 1e400 }] }', '1e400'],
		['{ "a": { "x": "]," }, "b": -12345678901234567891 }', '-12345678901234567891'],
		['{ "a": 1e-400 }', '1e-400'],
		['{ "a": [[0], [0, 3.14159265358979323846]] }', '3.14159265358979323846'],
		['{ "\\u0061\\"": 18446744073709551615 }', '18446744073709551615'],
	])('%s is refused', (text, number) => {
		expect(refusalOf(() => objectOf(text))).toEqual([
			`contains the number ${number}, which ${inexact}`,
			`contains a number that ${inexact}`,
		]);
	});

	it.each([
		'{ "a": { "b": 1, "c": {}, "b": 2 } }',
		'{ "a": [0, { "b": 1, "\\u0062": 2 }] }',
		'{ "": 1, "": 2 }',
	])('%s has a field twice', (text) => {
		expect(() => objectOf(text)).toThrow('has a field twice');
	});

	it.each([
		'{ "a": { "x": 1 }, "b": { "x": 1 }, "c": ["x", "x", "a"], "x": "a" }',
		'{ "a": ["x", ":", "y\\":"], "b": "" }',
		'{ "a": "9007199254740993", "b": "{ \\"a\\": 1e400, \\"a\\": 1 }" }',
		'{ "a": [0, -0, 0.0, 0e5, 1.50, 15e-1, 1E3, 1e+21, 100000000000000000000] }',
		'{ "a": [-9007199254740991, 0.30000000000000004, 5e-324, 1.7976931348623157e308] }',
		'{ "a:": ":", "b,": ",", "{": "}", "[": "]", "\\\\": "\\\\", "1": [true, null] }',
	])('%s is accepted', (text) => {
		expect(objectOf(text)).toEqual(JSON.parse(text));
	});

	it('also where a list is given as text', () => {
		expect(() => jsonIn('["a", 9007199254740993]')).toThrow('the number 9007199254740993, which');
	});
});
