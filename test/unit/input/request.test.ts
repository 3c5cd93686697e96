import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { ignoreBlankFilters } from '../../../nodes/shared/input/controls';
import type { Field, FieldTarget } from '../../../nodes/shared/input/field';
import { SiteUrl } from '../../../nodes/shared/input/id';
import { readFields, readInput } from '../../../nodes/shared/input/request';
import { itemsOf, type ItemsOptions as Item, triggerOf } from '../../support/items';

/** What is read of a node's parameters, and where it goes in the request. */

const field = (name: string, target?: FieldTarget, more: Partial<Field> = {}): Field => ({
	displayName: name.toUpperCase(),
	name,
	type: 'string',
	default: '',
	target,
	...more,
});

const body = (property: string): FieldTarget => ({ type: 'body', property });
const query = (property: string): FieldTarget => ({ type: 'query', property });

const inputOf = (fields: Field[], item: Item) =>
	readInput(itemsOf({ properties: fields as INodeProperties[], ...item }).item, fields);

it('puts what is set where it belongs, and the rest into the settings', () => {
	const input = inputOf(
		[
			field('id', { type: 'path', property: 'thingId' }),
			field('sort', query('sort')),
			field('title', body('thing.title')),
			field('size', body('thing.deep.size'), { type: 'number', default: 3 }),
			field('left', body('thing.left')),
			field('mode'),
		],
		{
			parameters: { id: '={{ 7 }}', sort: 'name', title: 'A', left: '', mode: 'x' },
		},
	);
	expect(input).toEqual({
		ids: { thingId: '7' },
		qs: { sort: 'name' },
		body: { thing: { title: 'A', deep: { size: 3 } } },
		deferred: [],
		settings: { mode: 'x' },
	});
});

it('sends the extra query of a field only with the field, and never overwrites a set value', () => {
	const fields = [
		field('from', query('from'), { also: { sort: 'created', order: 'asc' } }),
		field('sort', query('sort')),
	];
	expect(inputOf(fields, { parameters: { sort: 'name' } }).qs).toEqual({ sort: 'name' });
	expect(inputOf(fields, { parameters: { from: 'a', sort: 'name' } }).qs).toEqual({
		from: 'a',
		sort: 'name',
		order: 'asc',
	});
});

it.each([
	['query', query('site_id'), 'qs', { site_id: '5' }],
	['body', body('thing.site_id'), 'body', { thing: { site_id: '5' } }],
] as const)('sets the ID of a site By URL in the %s once it is known', (_, target, place, sent) => {
	const site = field('site', target, { type: 'resourceLocator' });
	const parameters = { site: { __rl: true, mode: 'url', value: 'a.example' } } as never;
	const input = inputOf([site], { parameters });
	expect(input[place]).not.toMatchObject(sent);
	expect(input.deferred).toMatchObject([{ named: expect.any(SiteUrl) }]);
	input.deferred[0]!.set('5');
	expect(input[place]).toEqual(sent);
});

describe('what builds on other fields', () => {
	const clear = field(
		'clear',
		{ type: 'clear', property: 'thing', empty: { note: '', 'deep.ids': [], logo: null } },
		{
			type: 'multiOptions',
			options: ['note', 'deep.ids', 'logo'].map((value) => ({ name: value, value })),
		},
	);
	const note = field('note', body('thing.note'));
	const logo = field('logo', { type: 'dataUri', property: 'thing.logo' });
	const uri = field('uri', body('thing.logo'));
	const json = field('json', { type: 'merge', property: 'thing' }, { type: 'json' });
	// The order in the panel decides nothing.
	const fields = [json, logo, clear, note, uri];
	const image = { logo: { mimeType: 'image/png' }, text: { mimeType: 'text/plain' } };
	const of = (parameters: INodeParameters) => inputOf(fields, { parameters, binary: image });

	it('clears with the empty value of the place', () => {
		expect(of({ clear: ['note', 'deep.ids'] }).body).toEqual({
			thing: { note: '', deep: { ids: [] } },
		});
	});

	it('merges a JSON object into the other fields', () => {
		expect(of({ note: 'A', json: '{ "more": { "a": 1 } }' }).body).toEqual({
			thing: { note: 'A', more: { a: 1 } },
		});
		expect(of({ json: '{ "a": 1 }' }).body).toEqual({ thing: { a: 1 } });
	});

	it('inserts an image directly before its change', () => {
		const input = of({ logo: 'logo' });
		expect(input.deferred).toMatchObject([{ binaryField: 'logo', mimeType: 'image/png' }]);
		input.deferred[0]!.set('data:image/png;base64,YQ==');
		expect(input.body).toEqual({ thing: { logo: 'data:image/png;base64,YQ==' } });
	});

	it.each<[INodeParameters, string]>([
		[{ note: 'A', clear: ['note'] }, 'The parameter "CLEAR" clears "note", which you also set'],
		[{ logo: 'logo', clear: ['logo'] }, 'The parameter "LOGO" sets a field that you also clear'],
		[
			{ logo: 'logo', uri: 'data:' },
			'The parameter "LOGO" is set together with the data URI. Use only one of them',
		],
		[{ logo: 'text' }, 'The parameter "LOGO" is not an image but a file of type "text/plain"'],
		[{ logo: 'none' }, 'The parameter "LOGO" is not a binary field of this item: "none"'],
		[
			{ note: 'A', json: '{ "note": "B" }' },
			'The parameter "JSON" sets "note", which has its own field in the node',
		],
		[
			{ logo: 'logo', json: '{ "logo": "B" }' },
			'The parameter "JSON" sets "logo", which has its own field in the node',
		],
	])('%j is refused', (parameters, message) => {
		expect(() => of(parameters)).toThrow(message);
	});

	it('a secret object is not repeated where it sets the same', () => {
		const secret = [note, { ...json, secret: true }];
		const parameters = { note: 'A', json: '{ "note": "B" }' };
		expect(() => inputOf(secret, { parameters })).toThrow(
			'The parameter "JSON" sets a value that has its own field in the node',
		);
	});
});

describe('the parameters that are read', () => {
	const values = (fields: Field[], item: Item) =>
		readFields(itemsOf({ properties: fields as INodeProperties[], ...item }).item, fields).map(
			(each) => [each.field.name, each.value],
		);

	it('are those that the panel shows', () => {
		const fields = [
			field('kind'),
			field('ofA', undefined, { displayOptions: { show: { kind: ['a'] } } }),
			field('ofB', undefined, { displayOptions: { show: { kind: ['b'] } } }),
			field('about', undefined, { type: 'notice', default: 'a notice' }),
		];
		expect(values(fields, { parameters: { kind: 'a', ofA: '1', ofB: '2', about: 'x' } })).toEqual([
			['kind', 'a'],
			['ofA', '1'],
		]);
	});

	it('have their default where the node does not have them', () => {
		expect(values([field('a', undefined, { default: 'x' })], { parameters: {} })).toEqual([
			['a', 'x'],
		]);
	});

	it('are evaluated only where there may be an expression, and once', () => {
		const rule = (_: unknown, read: (name: string) => unknown) => {
			read('two');
			return undefined;
		};
		const fields = [
			field('one', undefined, { rule }),
			field('on', undefined, { type: 'boolean' }),
			field('size', undefined, { type: 'number' }),
			field('two', undefined, { rule }),
		];
		const { item } = itemsOf({
			parameters: { one: 'a', on: true, size: 3, two: '={{ "y" }}' },
			properties: fields as INodeProperties[],
		});
		const evaluated = jest.spyOn(item, 'getNodeParameter');
		expect(readFields(item, fields)).toHaveLength(4);
		expect(evaluated.mock.calls.map(([name]) => name)).toEqual(['two']);
	});

	it('a hidden parameter reads as null', () => {
		const seen: unknown[] = [];
		const rule = (_: unknown, read: (name: string) => unknown) => void seen.push(read('hidden'));
		const hidden = field('hidden', undefined, { displayOptions: { show: { a: ['x'] } } });
		values([field('a', undefined, { rule }), hidden], { parameters: { a: 'b', hidden: 'c' } });
		expect(seen).toEqual([null]);
	});

	it('an expression without a value is refused by the name of the parameter', () => {
		expect(() => values([field('a')], { parameters: { a: '={{ undefined }}' } })).toThrow(
			'The parameter "A" has no value',
		);
	});
});

describe('a collection', () => {
	const more = (changes: Partial<Field> = {}) =>
		field('filters', undefined, {
			type: 'collection',
			default: {},
			options: [field('name'), field('size', undefined, { type: 'number' })],
			...changes,
		});
	const options = more({ name: 'options', options: [ignoreBlankFilters] });
	const values = (item: Item & { isTrigger?: boolean }, changes?: Partial<Field>) => {
		const read = more(changes);
		const given = { properties: [read, options] as INodeProperties[], ...item };
		const context = item.isTrigger ? triggerOf(given).context : itemsOf(given).item;
		return readFields(context, [read]).map((each) => [each.field.name, each.value]);
	};

	it('has what was added to it, in the order of the panel', () => {
		expect(values({ parameters: { filters: { size: 3, name: 'a' } } })).toEqual([
			['name', 'a'],
			['size', 3],
		]);
		expect(values({ parameters: {} })).toEqual([]);
	});

	it('may need at least one field', () => {
		const needs = { needsOne: true };
		const message = 'The parameter "FILTERS" is empty. Add at least one field';
		expect(() => values({ parameters: { filters: {} } }, needs)).toThrow(message);
		expect(() => values({ parameters: { filters: { name: '' } } }, needs)).toThrow(message);
		expect(values({ parameters: { filters: { name: 'a' } } }, needs)).toEqual([['name', 'a']]);
	});

	const blank = { filters: { name: '={{ "" }}' } };
	const refusal = 'to skip blank filters, turn on Options > Ignore Blank Filters';

	it('of filters refuses a blank, unless the user wants it ignored', () => {
		expect(() => values({ parameters: blank })).toThrow(refusal);
		expect(values({ parameters: { ...blank, options: { ignoreBlankFilters: true } } })).toEqual([]);
		const byExpression = (value: string) => ({
			parameters: { ...blank, options: { ignoreBlankFilters: `={{ ${value} }}` } },
		});
		expect(values(byExpression('"true"'))).toEqual([]);
		expect(() => values(byExpression('false'))).toThrow(refusal);
		expect(() => values(byExpression('""'))).toThrow(
			'The parameter "Ignore Blank Filters" is empty',
		);
	});

	it('of filters leaves out a blank text of a model', () => {
		const missing = { filters: { name: '={{ undefined }}' } };
		expect(values({ parameters: blank, asTool: true })).toEqual([]);
		expect(() => values({ parameters: missing, asTool: true })).toThrow(
			'to list without this filter, use an empty text',
		);
	});

	it('of a trigger, or of another name, refuses a blank without a hint about lists', () => {
		const message = /^The parameter "NAME" is empty$/;
		expect(() => values({ parameters: blank, isTrigger: true })).toThrow(message);
		const item = { parameters: { more: blank.filters } };
		expect(() => values(item, { name: 'more' })).toThrow(message);
	});
});
