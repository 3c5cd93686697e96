import { fieldsIn } from '../../../nodes/Api/document/fields';
import { operationIn } from '../../../nodes/Api/document/operation';
import { asked, documentWith, jsonBody, ROUTE, schemas } from '../../support/apiDocument';

/** What the mapper shows of an operation, with shapes that large documents of other services have. */

const fieldsOf = (operation: Record<string, unknown>, more = {}, isTool = false) => {
	const document = documentWith(operation, more);
	const fields = fieldsIn(document, operationIn(document, ROUTE)!, isTool);
	return fields.filter(({ id }) => id !== 'path.id');
};

const text = { type: 'string' };
const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const more = schemas({
	Color: { type: 'string', enum: ['red', 'blue'] },
	Person: { allOf: [at('Named'), { properties: { age: { type: 'integer' } } }] },
	Named: { type: 'object', properties: { name: text } },
	Number: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
	Self: { anyOf: [at('Self'), { type: 'array', items: at('Self') }] },
});

it.each<[string, unknown, string]>([
	['a text', text, 'string'],
	['a time', { ...text, format: 'date-time' }, 'dateTime'],
	['a day', { ...text, format: 'date' }, 'string'],
	['a whole number', { type: 'integer', format: 'int64' }, 'number'],
	['a number or null', { type: ['number', 'null'] }, 'number'],
	['a number in a form beside null', at('Number'), 'number'],
	['a whole or another number', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
	['a text or a number', { oneOf: [text, { type: 'integer' }] }, 'string'],
	['a boolean', { type: 'boolean', default: true }, 'boolean'],
	['a list', { type: 'array', items: at('Named') }, 'array'],
	['a list without its type', { items: at('Named') }, 'array'],
	['a list of texts', { type: 'array', items: text }, 'string'],
	['a list of lists', { type: 'array', items: { type: 'array' } }, 'array'],
	['a list of anything', { type: 'array' }, 'array'],
	['a text or a list', { anyOf: [text, { type: 'array', items: text }] }, 'array'],
	['an object', at('Named'), 'object'],
	['an object of parts', at('Person'), 'object'],
	['an object or a list', { oneOf: [{ type: 'array' }, at('Person')] }, 'object'],
	['a form of itself', at('Self'), 'array'],
	['anything', {}, 'string'],
	['an unknown type', { type: 'file' }, 'string'],
	['choices', at('Color'), 'options'],
	['choices of numbers', { type: 'integer', enum: [1, 2] }, 'options'],
	['choices or null', { type: ['string', 'null'], enum: ['red', null] }, 'options'],
	['choices of objects', { enum: [{ a: 1 }] }, 'string'],
	['no choices', { enum: [] }, 'string'],
])('%s is shown as its type', (_, schema, type) => {
	const [field] = fieldsOf(asked('q', schema, { explode: false }), more);
	expect(field!.type).toBe(type);
	const [other] = fieldsOf(jsonBody({ properties: { q: schema, z: text } }), more);
	expect(other!.type).toBe(type);
});

it('choices have their values', () => {
	const [field] = fieldsOf(asked('q', { enum: ['red', 2, null] }));
	expect(field!.options).toEqual([
		{ name: 'red', value: 'red' },
		{ name: '2', value: 2 },
	]);
});

it('only required fields are there from the start', () => {
	const fields = fieldsOf(jsonBody({ properties: { a: text, b: text }, required: ['b'] }));
	expect(fields.map(({ id, required, removed }) => [id, required, removed])).toEqual([
		['body.a', false, true],
		['body.b', true, false],
	]);
});

it('a name that is in two places has its place', () => {
	const { parameters } = asked('name', text);
	const fields = fieldsOf({ parameters, ...jsonBody({ properties: { name: text, size: text } }) });
	expect(fields.map(({ displayName }) => displayName)).toEqual([
		'name (query)',
		'name (body)',
		'size',
	]);
});

it.each<[string, unknown, string]>([
	['a list of texts', { type: 'array', items: text }, 'q: …, …'],
	[
		'objects in lists in objects',
		{ type: 'array', items: at('Order') },
		'q: [{ id, plugins: [{ slug }] }]',
	],
	[
		'an object that contains itself',
		at('Tree'),
		'q: { below: { below: { below: { below: { … } } } } }',
	],
	['lists of lists of themselves', at('Nested'), `q: ${'['.repeat(40)}…${']'.repeat(40)}`],
	['required fields first', { properties: { a: text, b: text }, required: ['b'] }, 'q: { b, a? }'],
	[
		'many fields',
		{
			properties: Object.fromEntries(
				'abcdefghijklmn'.split('').map((each) => [each.repeat(9), text]),
			),
		},
		'q: { aaaaaaaaa, bbbbbbbbb, ccccccccc, ddddddddd, eeeeeeeee, fffffffff, … }',
	],
	['a lost reference', { properties: { lost: at('Lost') } }, 'q: { lost }'],
	['forms', { anyOf: [at('Tree'), text] }, 'q'],
	['a text', text, 'q'],
])('%s says its form in a short line', (_, schema, name) => {
	const [field] = fieldsOf(
		jsonBody({ properties: { q: schema, z: text } }),
		schemas({
			Order: { properties: { id: text, plugins: { type: 'array', items: at('Component') } } },
			Component: { type: 'object', properties: { slug: text } },
			Tree: { type: 'object', properties: { below: at('Tree') } },
			Nested: { type: 'array', items: at('Nested') },
		}),
	);
	expect(field!.displayName).toBe(name);
});

it('a required list or object starts with its required parts, without values', () => {
	const parts = { id: text, more: text, each: { type: 'array', items: text }, self: at('Self') };
	const self = { properties: { self: at('Self') }, required: ['self', 'lost'] };
	const list = { type: 'array', items: { properties: parts, required: ['id', 'each', 'self'] } };
	const [field, ...others] = fieldsOf(
		jsonBody({ properties: { q: list, o: list, t: text }, required: ['q', 't'] }),
		schemas({ Self: self }),
	);
	const end = { self: { self: { self: { self: { self: null } } } } };
	expect(JSON.parse(String(field!.defaultValue))).toEqual([{ id: null, each: [null], self: end }]);
	expect(others.map(({ defaultValue }) => defaultValue)).toEqual([undefined, undefined]);
});

it('an argument of a tool has its name alone; the form is in the description', () => {
	const list = { type: 'array', items: text, description: 'By name. More is not said.' };
	const fields = fieldsOf(jsonBody({ properties: { q: list, z: text } }), {}, true);
	expect(fields).toMatchObject([
		{ displayName: 'q', description: '…, …. By name.' },
		{ displayName: 'z', description: '' },
	]);
});

it('a whole body has the name of its place', () => {
	const fields = fieldsOf(
		jsonBody({ oneOf: [at('Person'), { type: 'array', items: text }] }),
		more,
	);
	expect(fields).toMatchObject([
		{ id: 'body', displayName: 'body', type: 'object', required: true },
	]);
});
