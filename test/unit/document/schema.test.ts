import AjvCompiler from '@fastify/ajv-compiler';
import { Checker, kindsOf, meant } from '../../../nodes/Api/document/schema';
import { documentOf, refusalOf, schemas } from '../../support/apiDocument';
import { casesOf, fc } from '../../support/effort';

/**
 * The check of values against schemas. Not checked, so that such a value is sent: multipleOf, uniqueItems, minProperties,
 * maxProperties, not, contains, dependentRequired, propertyNames, values by patternProperties, unevaluatedProperties,
 * discriminators, and that only one form of oneOf fits.
 */

const problemOf = (value: unknown, schema: unknown, more = {}) =>
	new Checker(documentOf({ '/a': { get: {} } }, more)).problem(value, schema);

const text = { type: 'string' };
const number = { type: 'integer' };

describe('a value that does not fit', () => {
	it.each<[unknown, unknown, string]>([
		['7', number, 'has "7", which is not of the type integer'],
		[7.5, number, 'has 7.5, which is not of the type integer'],
		[null, text, 'has no value'],
		[[], { type: 'object' }, 'has "[]", which is not of the type object'],
		[true, { type: ['string', 'null'] }, 'has "true", which is not of the type string or null'],
		['blue', { enum: ['red', 1] }, 'has "blue", which is not one of red, 1'],
		['b', { enum: ['a', 'b'], const: 'a' }, 'has "b", which is not one of a'],
		[1, { minimum: 2 }, 'has 1, which is below 2'],
		[3, { maximum: 2 }, 'has 3, which is above 2'],
		[2, { exclusiveMinimum: 2 }, 'has 2, which is not above 2'],
		[2, { exclusiveMaximum: 2 }, 'has 2, which is not below 2'],
		[2, { minimum: 2, exclusiveMinimum: true }, 'has 2, which is below 2'],
		[2, { maximum: 2, exclusiveMaximum: true }, 'has 2, which is above 2'],
		['😀', { minLength: 2 }, 'has "😀", which is shorter than 2'],
		['abc', { maxLength: 2 }, 'has "abc", which is longer than 2'],
		[[1], { minItems: 2 }, 'has "[1]", which is shorter than 2'],
		[[1, 2], { maxItems: 1 }, 'has "[1,2]", which is longer than 1'],
		['ab', { pattern: '^a$' }, 'has "ab", which is not in the form ^a$'],
		['2026-02-30', { format: 'date' }, 'has "2026-02-30", which is not a date'],
		['2026-02-01', { format: 'date-time' }, 'has "2026-02-01", which is not a date-time'],
		['a b', { format: 'uri' }, 'has "a b", which is not a uri'],
		[7, false, 'has a value, where none is allowed'],
		[{}, { required: ['a'] }, 'has no value at a, which is required'],
		[{ b: 1 }, { additionalProperties: false }, 'has "b", which the operation does not have'],
		[{ a: { b: 1 } }, { properties: { a: { properties: { b: text } } } }, 'has 1 at a.b, which is'],
		[{ a: 1 }, { additionalProperties: text }, 'has 1 at a, which is not of the type string'],
		[[1, 'a'], { items: number }, 'has "a" at 1, which is not of the type integer'],
		[[1, 'a'], { prefixItems: [number], items: number }, 'has "a" at 1, which is not of the type'],
		[[1, 2], { prefixItems: [number], items: false }, 'has a value at 1, where none is allowed'],
		['a', { allOf: [{}, number] }, 'has "a", which is not of the type integer'],
		['a', { oneOf: [number] }, 'has "a", which is not of the type integer'],
		[
			'a',
			{ anyOf: [number, number, { type: 'null' }] },
			'has none of the forms that are allowed: has "a", which is not of the type integer; has "a", which is not of the type null',
		],
		['a', { if: text, then: { minLength: 2 } }, 'has "a", which is shorter than 2'],
		[1, { if: text, else: { minimum: 2 } }, 'has 1, which is below 2'],
		[{ toString: 1 }, { additionalProperties: false }, 'has "toString", which the operation'],
		[{}, { required: ['constructor'] }, 'has no value at constructor, which is required'],
	])('%j for %j', (value, schema, reason) => {
		expect(problemOf(value, schema)).toContain(reason);
	});

	it('has a few reasons at most', () => {
		const anyOf = Array.from({ length: 50 }, (_, nth) => ({ const: nth }));
		expect(problemOf('a', { anyOf })!.split(';')).toHaveLength(3);
	});
});

const readOnly = { ...text, readOnly: true };
const byName = { '^x-': text };

it.each<[string, unknown, unknown]>([
	['null where it is nullable', null, { ...text, nullable: true }],
	['null where a part is nullable', null, { allOf: [{ type: 'object' }], nullable: true }],
	['null of a list of types', null, { type: ['string', 'null'] }],
	['an object in another order', { b: 1, a: 2 }, { enum: [{ a: 2, b: 1 }] }],
	['what only the service sets', {}, { required: ['id'], properties: { id: readOnly } }],
	[
		'a name by a pattern',
		{ 'x-a': 'b' },
		{ patternProperties: byName, additionalProperties: false },
	],
	[
		'a name by a pattern, or of a kind',
		{ 'x-a': 'b' },
		{ patternProperties: byName, additionalProperties: number },
	],
	['entries at the start of a list', ['a', 1], { prefixItems: [text], items: number }],
	['more than one form', 7, { oneOf: [number, { minimum: 1 }] }],
	['a pattern that JavaScript does not know', 'a', { pattern: '(?i)b' }],
	['a long text for a pattern', 'a'.repeat(2_001), { pattern: '^b$' }],
	['an unknown type', 'a', { type: 'file' }],
	['an unknown format', 'a', { format: 'color' }],
	['a time without a zone', '2026-01-05T10:00:00', { format: 'date-time' }],
	['an address with letters of any language', 'https://münchen.test/ü', { format: 'uri' }],
])('a value that fits is %s', (_, value, schema) => {
	expect(problemOf(value, schema)).toBeUndefined();
});

describe('schemas that contain themselves', () => {
	const more = schemas({
		Tree: {
			type: 'object',
			properties: {
				name: text,
				below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
			},
			additionalProperties: false,
		},
		Both: { anyOf: [{ $ref: '#/components/schemas/Both' }, { $ref: '#/components/schemas/Both' }] },
		Loop: { $ref: '#/components/schemas/Loop' },
	});
	const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });

	it('end where the value ends', () => {
		expect(problemOf({ below: [{ below: [{ name: 'a' }] }] }, at('Tree'), more)).toBeUndefined();
		expect(problemOf({ below: [{ below: [{ name: 7 }] }] }, at('Tree'), more)).toBe(
			'has 7 at below.0.below.0.name, which is not of the type string',
		);
	});

	it('as their own forms end as well', () => {
		expect(problemOf('a', at('Both'), more)).toBeUndefined();
		expect(kindsOf(documentOf({ '/a': { get: {} } }, more), at('Both'))).toEqual([]);
	});

	it('as references only are refused by name', () => {
		expect(refusalOf(() => problemOf('a', at('Loop'), more))).toContain('refers in a circle at');
	});
});

it.each<[unknown, string[]]>([
	[{}, []],
	[true, []],
	[{ ...text, nullable: true }, ['string']],
	[{ type: ['integer', 'null'] }, ['integer']],
	[{ anyOf: [number, { type: 'null' }] }, ['integer']],
	[{ oneOf: [number, { allOf: [{ $ref: '#/x-own' }] }] }, ['integer', 'string']],
	[{ properties: {} }, ['object']],
	[{ items: {} }, ['array']],
	[{ type: 'string', anyOf: [number] }, ['string']],
])('the kinds of a value of %j', (schema, kinds) => {
	expect(kindsOf(documentOf({ '/a': { get: {} } }, { 'x-own': text }), schema)).toEqual(kinds);
});

it.each<[unknown, string[], unknown]>([
	['7', ['integer'], 7],
	[' -1.5e3 ', ['number'], -1500],
	['true', ['boolean'], true],
	['null', ['integer'], null],
	['[1]', ['array'], [1]],
	[' {"a":1}', ['object'], { a: 1 }],
	['{"a":1', ['object'], '{"a":1'],
	['seven', ['integer'], 'seven'],
	['0x10', ['integer'], '0x10'],
	['', ['integer'], ''],
	['7', ['string'], '7'],
	['7', ['integer', 'string'], '7'],
	['7', [], '7'],
	[7, ['string'], '7'],
	[false, ['string'], 'false'],
	[7, ['integer', 'string'], 7],
	['12345678901234567890', ['integer'], '12345678901234567890'],
])('%j for the types %j means %j', (value, types, wanted) => {
	expect(meant(value, types)).toEqual(wanted);
});

describe('compared with another checker', () => {
	const RUNS = casesOf('SCHEMAS', { quick: 500, long: 20_000 });

	const always = <T>(of: fc.Arbitrary<T>, check: (value: T) => void, numRuns = RUNS) =>
		fc.assert(fc.property(of, check), { numRuns });

	const changes = { coerceTypes: false, useDefaults: false, removeAdditional: false };
	const compile = AjvCompiler()({}, { customOptions: { strict: false, ...changes } });
	/** Whether the other one accepts a value. */
	const accepts = (schema: object) => compile({ schema } as never) as (value: unknown) => boolean;

	const name = fc.constantFrom('a', 'b', 'c');
	const word = fc.constantFrom('', 'a', 'ab', 'abc', '😀', '2026-01-05', '7');
	const size = fc.integer({ min: 0, max: 3 });
	const scalar = fc.oneof(
		word,
		fc.integer({ min: -3, max: 3 }),
		fc.constantFrom(0.5, true, false, null),
	);
	const { value } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small', withCrossShrink: true },
			scalar,
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
		),
	}));

	const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object');
	const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 1, maxLength: 3 });
	const bound = fc.integer({ min: -3, max: 3 });
	/** Objects with one keyword each. */
	const oneOf = (keywords: Record<string, fc.Arbitrary<unknown>>) =>
		fc.oneof(...Object.entries(keywords).map(([key, of]) => of.map((each) => ({ [key]: each }))));
	const selector = (each: unknown) => JSON.stringify(each);
	const leaf = oneOf({
		type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
		enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector }),
		const: value,
		...{ minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound },
		...{ minLength: size, maxLength: size, minItems: size, maxItems: size },
		pattern: fc.constantFrom('^a', 'b$', '^.$', '\\d'),
		format: fc.constantFrom('date', 'date-time'),
		required: fc.uniqueArray(name, { maxLength: 2 }),
	});
	const { whole } = fc.letrec<{ below: object | boolean; whole: object }>((tie) => {
		const below = tie('below');
		const nested = oneOf({
			properties: fc.dictionary(name, below, { maxKeys: 3, noNullPrototype: true }),
			...{ additionalProperties: below, items: below, if: below, then: below, else: below },
			...{ allOf: some(below), anyOf: some(below) },
		});
		return {
			below: fc.oneof({ maxDepth: 3 }, leaf, fc.boolean(), tie('whole')),
			whole: some(fc.oneof(leaf, nested)).map((parts) => Object.assign({}, ...parts) as object),
		};
	});

	it('nothing is refused that fits, and nothing passes that does not', () => {
		const counts = { accepted: 0, refused: 0 };
		const eight = fc.array(value, { minLength: 8, maxLength: 8 });
		always(fc.tuple(whole, eight), ([each, values]) => {
			const fits = accepts(each);
			for (const tried of values) {
				const isFit = fits(tried);
				counts[isFit ? 'accepted' : 'refused'] += 1;
				expect([tried, problemOf(tried, each) === undefined]).toEqual([tried, isFit]);
			}
		});
		expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(RUNS / 2);
	});

	const two = (max: number) =>
		fc.integer({ min: 0, max }).map((each) => String(each).padStart(2, '0'));
	const day = fc.tuple(fc.constantFrom('1999', '2000', '2024', '2026'), two(13), two(32));
	const time = fc
		.tuple(two(25), two(60), two(60), fc.constantFrom('', '.5', '.123456789'))
		.map(([hour, minute, second, rest]) => `${hour}:${minute}:${second}${rest}`);
	const zone = fc.constantFrom('Z', 'z', '+01:00', '-23:59', '+0530');

	it('days are those that there are', () => {
		const fits = accepts({ format: 'date' });
		always(day, (parts) => {
			const written = parts.join('-');
			expect([written, !problemOf(written, { format: 'date' })]).toEqual([written, fits(written)]);
		});
	});

	it('no time is refused that is one', () => {
		const fits = accepts({ format: 'date-time' });
		let count = 0;
		const parts = fc.tuple(day, fc.constantFrom('T', 't', ' '), time, zone);
		always(parts, ([date, between, at, where]) => {
			const written = `${date.join('-')}${between}${at}${where}`;
			// JavaScript has no leap seconds.
			if (!fits(written) || /:60/.test(written)) return;
			count += 1;
			expect([written, problemOf(written, { format: 'date-time' })]).toEqual([written, undefined]);
		});
		expect(count).toBeGreaterThan(RUNS / 4);
	});

	it('no address is refused that is one', () => {
		const fits = accepts({ format: 'uri' });
		const urls = fc.webUrl({ withQueryParameters: true, withFragments: true });
		const check = (url: string) => {
			if (fits(url)) expect([url, problemOf(url, { format: 'uri' })]).toEqual([url, undefined]);
		};
		always(urls, check, RUNS / 4);
	});
});
