import type { Field } from '../../../nodes/shared/input/field';
import { SiteUrl } from '../../../nodes/shared/input/id';
import { Refusal } from '../../../nodes/shared/input/refusal';
import type { ValueScope } from '../../../nodes/shared/input/value';
import { holderOf, valueOf } from '../../../nodes/shared/input/value';

/** What becomes of the value of a field: sent, left out because nobody has set it, or refused. */

const context = { getTimezone: () => 'utc' };
const scopeOf = (scope: Partial<ValueScope> = {}): ValueScope => ({
	context,
	read: () => undefined,
	...scope,
});

interface Setting {
	value: unknown;
	/** What stands in the node; the value itself where that is no expression. */
	raw?: unknown;
	scope?: Partial<ValueScope>;
}

const field = (more: Partial<Field> = {}): Field => ({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	...more,
});

const BY_EXPRESSION = '={{ $json.it }}';

const given = (more: Partial<Field>, { value, raw = value, scope }: Setting) =>
	valueOf(field(more), { value, raw }, scopeOf(scope));

const locator = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });

type Case = [what: string, field: Partial<Field>, setting: Setting, result: unknown];

const LEFT: Case[] = [
	['a text left blank', {}, { value: '' }, undefined],
	['blanks left in it', {}, { value: ' ' }, undefined],
	['a list left empty', { type: 'multiOptions' }, { value: [] }, undefined],
	['a locator left blank', { type: 'resourceLocator' }, { value: locator('') }, undefined],
	['only commas, as a default', { as: () => [], default: ',' }, { value: ',' }, undefined],
	[
		'a blank by expression in a filter, where blanks are ignored',
		{},
		{ value: undefined, raw: BY_EXPRESSION, scope: { filter: 'ignored', isOption: true } },
		undefined,
	],
	[
		'a list of blanks there',
		{ type: 'multiOptions' },
		{ value: [null, ''], raw: BY_EXPRESSION, scope: { filter: 'ignored', isOption: true } },
		undefined,
	],
	[
		'a blank text of a model in a filter',
		{},
		{ value: '', raw: BY_EXPRESSION, scope: { filter: 'agent', isOption: true } },
		undefined,
	],
	[
		'a blank text that may be skipped',
		{ maySkip: true },
		{ value: ' ', raw: BY_EXPRESSION },
		undefined,
	],
	[
		'a choice with a blank value',
		{ type: 'options', required: true, options: [{ name: 'Any', value: '' }] },
		{ value: '' },
		undefined,
	],
];

it.each(LEFT)('%s is not set', (_, more, setting, result) => {
	expect(given(more, setting)).toBe(result);
});

const SENT: Case[] = [
	['a text', {}, { value: ' a ' }, ' a '],
	['0', { type: 'number' }, { value: 0 }, 0],
	['false', { type: 'boolean' }, { value: false }, false],
	['an id', { type: 'resourceLocator' }, { value: locator(' 7 ') }, '7'],
	['an id by expression', { type: 'resourceLocator' }, { value: 7, raw: BY_EXPRESSION }, '7'],
	['what its rule allows', { rule: () => undefined }, { value: 'a' }, 'a'],
	[
		'a switch by expression that is a text',
		{ type: 'boolean', showsWith: false },
		{ value: 'false', raw: BY_EXPRESSION },
		false,
	],
];

it.each(SENT)('%s is sent', (_, more, setting, result) => {
	expect(given(more, setting)).toEqual(result);
});

it('a site by URL needs a lookup', () => {
	const url = given({ type: 'resourceLocator' }, { value: locator('a.example/b', 'url') });
	expect(url).toBeInstanceOf(SiteUrl);
	expect(url).toMatchObject({ host: 'a.example', path: '/b' });
});

const toList = '; to skip blank filters, turn on Options > Ignore Blank Filters';
const inFilter = (filter: ValueScope['filter']) => ({ filter, isOption: true });

const REFUSED: Case[] = [
	['a blank by expression', {}, { value: '', raw: BY_EXPRESSION }, 'is empty'],
	['nothing by expression', {}, { value: null, raw: BY_EXPRESSION }, 'has no value'],
	['a required text', { required: true }, { value: '' }, 'is empty'],
	['a number', { type: 'number' }, { value: '' }, 'is empty'],
	['a boolean', { type: 'boolean' }, { value: '' }, 'is empty'],
	[
		'a choice',
		{ type: 'options', options: [{ name: 'A', value: 'a' }] },
		{ value: '' },
		'is empty',
	],
	[
		'an added option that has a blank by expression',
		{ type: 'number' },
		{ value: '', raw: BY_EXPRESSION, scope: { isOption: true } },
		'is empty',
	],
	[
		'an entry without a value',
		{ type: 'multiOptions' },
		{ value: [null], raw: BY_EXPRESSION },
		'has an entry without a value',
	],
	[
		'nothing in a filter',
		{},
		{ value: null, raw: BY_EXPRESSION, scope: inFilter('refused') },
		`has no value${toList}`,
	],
	[
		'a blank in a filter',
		{},
		{ value: ' ', raw: BY_EXPRESSION, scope: inFilter('refused') },
		`is empty${toList}`,
	],
	[
		'nothing in a filter of a model',
		{},
		{ value: null, raw: BY_EXPRESSION, scope: inFilter('agent') },
		'has no value; to list without this filter, use an empty text',
	],
	[
		'an empty list of a model',
		{ type: 'multiOptions' },
		{ value: [], raw: BY_EXPRESSION, scope: inFilter('agent') },
		'is empty; to list without this filter, use an empty text',
	],
	[
		'a required filter',
		{ required: true },
		{ value: '', raw: BY_EXPRESSION, scope: inFilter('refused') },
		'is empty',
	],
	['what its rule forbids', { rule: () => 'is too loud' }, { value: 'A' }, 'is too loud'],
	[
		'a switch that is a text',
		{ type: 'boolean', showsWith: false },
		{ value: 'false' },
		'is the text "false", not true or false. Turn the switch on or off',
	],
	['text of commas', { type: 'multiOptions' }, { value: ',', raw: BY_EXPRESSION }, 'is empty'],
];

it.each(REFUSED)('%s is refused', (_, more, setting, message) => {
	expect(() => given(more, setting)).toThrow(new Error(message as string));
});

it('a rule gets the value and the other fields', () => {
	const rule = (value: unknown, read: (name: string) => unknown) =>
		`is ${String(value)} beside ${String(read('other'))}`;
	const read = (name: string) => `the ${name}`;
	expect(() => given({ rule }, { value: 7, scope: { read } })).toThrow('is 7 beside the other');
});

it.each([
	['a password', { typeOptions: { password: true } }],
	['a secret', { secret: true }],
])('%s is not repeated by a refusal', (_, more) => {
	const hidden = { ...more, options: [], as: undefined, type: 'string' } as Partial<Field>;
	expect(() => given(hidden, { value: 'me \ud800' })).toThrow(
		/^contains a broken character \(half of a surrogate pair\)$/,
	);
	expect(() => given({}, { value: 'me \ud800' })).toThrow(/me/);
});

it('passes on errors that are not refusals', () => {
	const broken = () => {
		throw new TypeError('broken');
	};
	expect(() => given({ as: broken, secret: true }, { value: 'a' })).toThrow(
		new TypeError('broken'),
	);
});

describe('a field that belongs to a choice', () => {
	const choice = field({
		displayName: 'Mode',
		name: 'mode',
		type: 'options',
		options: [
			{ name: 'Some', value: 'some' },
			{ name: 'All', value: 'all' },
		],
	});
	const onSome = { belongsTo: { choice, value: 'some' } };
	const of = (mode: unknown, more: Partial<Field>, setting: Setting) =>
		given(more, { ...setting, scope: { read: (name) => (name === 'mode' ? mode : undefined) } });

	it('is sent with that choice', () => {
		expect(of('some', onSome, { value: 'a' })).toBe('a');
	});

	it.each(['all', undefined])('must not be set with %p', (mode) => {
		expect(() => of(mode, onSome, { value: 'a' })).toThrow('is set, but "Mode" is not "Some"');
		expect(() => of(mode, { ...onSome, type: 'resourceLocator' }, { value: locator('7') })).toThrow(
			'is set, but "Mode" is not "Some"',
		);
		expect(of(mode, onSome, { value: '' })).toBeUndefined();
		expect(of(mode, { ...onSome, default: 'a' }, { value: 'a' })).toBeUndefined();
	});

	it('may be set with an unknown word as the choice, and is not required then', () => {
		const needed = { ...onSome, required: true };
		expect(of('neither', needed, { value: 'a' })).toBe('a');
		expect(of('neither', needed, { value: '' })).toBeUndefined();
		expect(() => of('neither', needed, { value: null, raw: '={{ null }}' })).toThrow(
			'has no value',
		);
		const closed = { belongsTo: { choice: { ...choice, closed: 'form' as const }, value: 'some' } };
		expect(() => of('neither', closed, { value: 'a' })).toThrow('is set, but "Mode" is not "Some"');
	});

	it('is ignored where it may stay set', () => {
		const mayStand = { belongsTo: { choice, value: 'some', mayStand: true } };
		expect(of('all', mayStand, { value: { not: 'a text' } })).toBeUndefined();
	});

	it('names a switch as a switch', () => {
		const on = field({ displayName: 'On', name: 'mode', type: 'boolean', default: false });
		const belongs = { belongsTo: { choice: on, value: true } };
		expect(() => of(false, belongs, { value: 'a' })).toThrow('is set, but "On" is not on');
		expect(of(true, belongs, { value: 'a' })).toBe('a');
	});
});

describe('a group of fields', () => {
	const title = field({ displayName: 'Title', name: 'pageTitle' });
	const count = field({ displayName: 'Count', name: 'count', type: 'number', default: 1 });
	const kind = field({
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		default: 'a',
		options: [
			{ name: 'A', value: 'a' },
			{ name: 'B', value: 'b' },
		],
	});
	const onlyB = field({
		displayName: 'Only B',
		name: 'onlyB',
		wire: 'of.b',
		displayOptions: { show: { kind: ['b'] } },
	});
	const group = (more: Partial<Field> = {}) => ({
		type: 'fixedCollection' as const,
		options: [{ displayName: 'Row', name: 'rows', values: [title, count, kind, onlyB] }],
		...more,
	});
	const row = (more = {}) => ({ pageTitle: 't', kind: 'b', onlyB: 'x', ...more });
	const sent = { page_title: 't', count: 1, kind: 'b', of: { b: 'x' } };

	it('is sent under the names of the service, with the defaults of what is missing', () => {
		expect(given(group(), { value: { rows: row() } })).toEqual(sent);
		expect(given(group(), { value: { rows: [row(), row({ count: 2 })] } })).toEqual([
			sent,
			{ ...sent, count: 2 },
		]);
		expect(given(group({ as: (rows) => [rows] }), { value: { rows: row() } })).toEqual([sent]);
	});

	it('has nothing of a field that another one hides', () => {
		expect(given(group(), { value: { rows: row({ kind: 'a' }) } })).toEqual({
			page_title: 't',
			count: 1,
			kind: 'a',
		});
	});

	it('is shown by the value set in the node, not by the result of an expression', () => {
		const raw = { rows: row({ kind: 'a' }) };
		expect(given(group(), { value: { rows: row() }, raw })).not.toHaveProperty('of');
	});

	it('by expression may be the rows themselves, and blank texts in them are not set', () => {
		const raw = BY_EXPRESSION;
		expect(given(group(), { value: [row({ pageTitle: '' })], raw })).toEqual([
			{ count: 1, kind: 'b', of: { b: 'x' } },
		]);
	});

	it.each([
		['is not set where it was left empty', { value: {} }, undefined],
		['needs its rows by expression', { value: {}, raw: BY_EXPRESSION }, 'needs its "Row"'],
		[
			'needs its rows where the row is by expression',
			{ value: { rows: [] }, raw: { rows: BY_EXPRESSION } },
			'needs its "Row"',
		],
		['needs rows that are some', { value: { rows: [] } }, 'needs its "Row"'],
		['has no rows of text', { value: ['a'], raw: BY_EXPRESSION }, 'is no "Row"'],
	] as Array<[string, Setting, string | undefined]>)('%s', (_, setting, message) => {
		if (message === undefined) expect(given(group(), setting)).toBeUndefined();
		else expect(() => given(group(), setting)).toThrow(message);
	});

	it('needs its rows where it is required', () => {
		expect(() => given(group({ required: true }), { value: {} })).toThrow('needs its "Row"');
	});

	it('names the refused row and field', () => {
		expect.assertions(2);
		try {
			given(group(), { value: { rows: [row(), row({ count: 'x' })] } });
		} catch (error) {
			expect((error as Refusal).path).toEqual(['2', 'Count']);
			expect((error as Refusal).message).toBe('is not a number: "x"');
		}
	});

	it('lets a field of a row read the others', () => {
		const rule = (_: unknown, read: (name: string) => unknown) =>
			`is beside ${String(read('kind'))}`;
		const options = [
			{ displayName: 'Row', name: 'rows', values: [{ ...title, rule } as Field, kind] },
		];
		expect(() => given(group({ options }), { value: { rows: row() } })).toThrow('is beside b');
	});
});

it('creates missing objects of a path', () => {
	const target = { a: { b: 1 } };
	for (const path of ['a.c', 'd.e.f', 'g']) {
		const [holder, key] = holderOf(target, path);
		holder[key] = path;
	}
	expect(target).toEqual({ a: { b: 1, c: 'a.c' }, d: { e: { f: 'd.e.f' } }, g: 'g' });
});
