import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { ignoreBlankFilters } from '../../../nodes/shared/input/controls';
import type { Field, FieldTarget } from '../../../nodes/shared/input/field';
import { readFields, readInput } from '../../../nodes/shared/input/request';
import { itemsOf, type ItemsOptions as Item, triggerOf } from '../../support/engine/contexts';

/** What is read of a node's parameters, and where it goes in the request. */

const field = (name: string, target?: FieldTarget, more: Partial<Field> = {}): Field => ({
	...{ displayName: name.toUpperCase(), name, type: 'string', default: '', target },
	...more,
});
const body = (property: string): FieldTarget => ({ type: 'body', property });
const query = (property: string): FieldTarget => ({ type: 'query', property });

const inputOf = (fields: Field[], parameters: INodeParameters, more: Item = {}) => {
	const properties = fields as INodeProperties[];
	return readInput(itemsOf({ properties, parameters, ...more }).item, fields);
};

it('puts what is set where it belongs, and the rest into the settings', () => {
	const fields = [
		field('id', { type: 'path', property: 'thingId' }),
		field('sort', query('sort')),
		field('title', body('thing.title')),
		field('size', body('thing.deep.size'), { type: 'number', default: 3 }),
		field('left', body('thing.left')),
		field('mode'),
	];
	const parameters = { id: '={{ 7 }}', sort: 'name', title: 'A', left: '', mode: 'x' };
	expect(inputOf(fields, parameters)).toEqual({
		ids: { thingId: '7' },
		qs: { sort: 'name' },
		body: { thing: { title: 'A', deep: { size: 3 } } },
		deferred: [],
		settings: { mode: 'x' },
	});
});

it('sends the extra query of a field only with the field, and never overwrites a set value', () => {
	const from = field('from', query('from'), { also: { sort: 'created', order: 'asc' } });
	const fields = [from, field('sort', query('sort'))];
	expect(inputOf(fields, { sort: 'name' }).qs).toEqual({ sort: 'name' });
	const all = { from: 'a', sort: 'name', order: 'asc' };
	expect(inputOf(fields, { from: 'a', sort: 'name' }).qs).toEqual(all);
});

describe('what builds on other fields', () => {
	const empty = { note: '', 'deep.ids': [], logo: null };
	const options = Object.keys(empty).map((value) => ({ name: value, value }));
	const clear = { type: 'clear', property: 'thing', empty } as const;
	const note = field('note', body('thing.note'));
	const json = field('json', { type: 'merge', property: 'thing' }, { type: 'json' });
	// The order in the panel decides nothing.
	const fields = [
		json,
		field('logo', { type: 'dataUri', property: 'thing.logo' }),
		field('clear', clear, { type: 'multiOptions', options }),
		note,
	];
	const binary = { logo: { mimeType: 'image/png' } };
	const of = (parameters: INodeParameters) => inputOf(fields, parameters, { binary });

	it.each<[string, INodeParameters, object]>([
		[
			'clears with the empty value',
			{ clear: ['note', 'deep.ids'] },
			{ note: '', deep: { ids: [] } },
		],
		['merges JSON', { note: 'A', json: '{ "b": { "c": 1 } }' }, { note: 'A', b: { c: 1 } }],
		['takes JSON alone', { json: '{ "a": 1 }' }, { a: 1 }],
	])('%s', (_, parameters, thing) => {
		expect(of(parameters).body).toEqual({ thing });
	});

	it('inserts an image directly before its change', () => {
		const input = of({ logo: 'logo' });
		expect(input.deferred).toMatchObject([{ binaryField: 'logo', mimeType: 'image/png' }]);
		input.deferred[0]!.set('data:image/png;base64,YQ==');
		expect(input.body).toEqual({ thing: { logo: 'data:image/png;base64,YQ==' } });
	});

	const own = 'which has its own field in the node';
	it.each<[INodeParameters, string]>([
		[{ logo: 'none' }, 'LOGO" is not a binary field of this item: "none"'],
		[{ logo: 'logo', json: '{ "logo": "B" }' }, `JSON" sets "logo", ${own}`],
	])('%j is refused', (parameters, message) => {
		expect(() => of(parameters)).toThrow(`The parameter "${message}`);
	});

	it('a value of a secret object is not repeated where it sets the same', () => {
		const secret = [note, { ...json, secret: true }];
		const refusal = /^The parameter "JSON" sets "note", which has its own field in the node$/;
		expect(() => inputOf(secret, { note: 'A', json: '{ "note": "B" }' })).toThrow(refusal);
	});
});

const valuesOf = (fields: Field[], parameters: INodeParameters, isTrigger = false) => {
	const given = { properties: fields as INodeProperties[], parameters };
	const context = isTrigger ? triggerOf(given).context : itemsOf(given).item;
	return readFields(context, fields).map((each) => [each.field.name, each.value]);
};

describe('the parameters that are read', () => {
	const shownWith = (kind: string) => ({ displayOptions: { show: { kind: [kind] } } });

	it('are those that the panel shows, or their defaults', () => {
		const fields = [
			field('kind', undefined, { default: 'a' }),
			field('ofA', undefined, shownWith('a')),
			field('ofB', undefined, shownWith('b')),
			field('about', undefined, { type: 'notice', default: 'a notice' }),
		];
		const read = (kind: object) => valuesOf(fields, { ...kind, ofA: '1', ofB: '2', about: 'x' });
		expect(read({ kind: 'b' })).toEqual([
			['kind', 'b'],
			['ofB', '2'],
		]);
		expect(valuesOf(fields.slice(0, 1), {})).toEqual([['kind', 'a']]);
	});

	it('are evaluated only where there may be an expression, and once', () => {
		const rule: Field['rule'] = (_, read) => void read('two');
		const fields = [
			field('one', undefined, { rule }),
			field('on', undefined, { type: 'boolean' }),
			field('size', undefined, { type: 'number' }),
			field('two', undefined, { rule }),
		];
		const parameters = { one: 'a', on: true, size: 3, two: '={{ "y" }}' };
		const { item } = itemsOf({ parameters, properties: fields as INodeProperties[] });
		const evaluated = jest.spyOn(item, 'getNodeParameter');
		expect(readFields(item, fields)).toHaveLength(4);
		expect(evaluated.mock.calls.map(([name]) => name)).toEqual(['two']);
	});

	it('a hidden parameter reads as null', () => {
		const seen: unknown[] = [];
		const rule: Field['rule'] = (_, read) => void seen.push(read('hidden'));
		const fields = [field('kind', undefined, { rule }), field('hidden', undefined, shownWith('x'))];
		valuesOf(fields, { kind: 'b', hidden: 'c' });
		expect(seen).toEqual([null]);
	});
});

describe('a collection', () => {
	const options = [field('name'), field('size', undefined, { type: 'number' })];
	const collection = { type: 'collection', default: {}, options } as const;
	const filters = field('filters', undefined, collection);
	const blank = { name: '={{ "" }}' };

	it('has what was added to it, in the order of the panel', () => {
		expect(valuesOf([filters], { filters: { size: 3, name: 'a' } })).toEqual([
			['name', 'a'],
			['size', 3],
		]);
		expect(valuesOf([filters], {})).toEqual([]);
	});

	it('of a trigger, or of another name, refuses a blank without a hint about lists', () => {
		const message = /^The parameter "NAME" is empty$/;
		expect(() => valuesOf([filters], { filters: blank }, true)).toThrow(message);
		expect(() => valuesOf([{ ...filters, name: 'more' }], { more: blank })).toThrow(message);
	});

	it.each<[ignored: string | undefined, message: RegExp | undefined]>([
		['={{ "true" }}', undefined],
		['={{ false }}', /turn on Options > Ignore Blank Filters$/],
		[undefined, /turn on Options > Ignore Blank Filters$/],
		['={{ "" }}', /turn on Options > Ignore Blank Filters$/],
	])('of filters refuses a blank, with %s for whether it is ignored', (ignored, message) => {
		const properties = [
			filters,
			field('options', undefined, { ...collection, options: [ignoreBlankFilters] }),
		];
		const parameters = { filters: blank, options: { ignoreBlankFilters: ignored } };
		const { item } = itemsOf({ properties: properties as INodeProperties[], parameters });
		const read = () => readFields(item, [filters]);
		if (message) expect(read).toThrow(message);
		else expect(read()).toEqual([]);
	});
});
