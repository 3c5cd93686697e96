import type { IDataObject } from 'n8n-workflow';
import { operationIn } from '../../../nodes/Api/document/operation';
import { partsOf } from '../../../nodes/Api/document/values';
import { asked, documentWith, jsonBody, refusalOf, ROUTE } from '../../support/apiDocument';

const text = { type: 'string' };
const number = { type: 'integer' };
const PATH = '/things/{id}';

/** What is sent, with the document's operation. */
function sentWith(operation: Record<string, unknown>, values: IDataObject, more = {}) {
	const document = documentWith(operation, more);
	const known = { document, operation: operationIn(document, ROUTE)! };
	return partsOf(PATH, { 'path.id': 'a', ...values }, known);
}

const inQuery = (schema: unknown, value: unknown, more = {}) => {
	const { query, repeats } = sentWith(asked('q', schema, more), { 'query.q': value as string });
	return { query, repeats };
};

describe('the path', () => {
	const at = (value: unknown, schema: unknown = text) =>
		sentWith(
			{ parameters: [{ name: 'id', in: 'path', schema }] },
			{ 'path.id': value as IDataObject[string] },
		).path;

	it.each<[unknown, unknown, string]>([
		['a b/c?d#e', text, '/things/a%20b%2Fc%3Fd%23e'],
		['$& {id} %2e', text, '/things/%24%26%20%7Bid%7D%20%252e'],
		[' 7 ', number, '/things/7'],
		[7, text, '/things/7'],
		[true, { type: 'boolean' }, '/things/true'],
		[['a', 'b,c'], { type: 'array', items: text }, '/things/a,b%2Cc'],
		['[1,2]', { type: 'array', items: number }, '/things/1,2'],
	])('has %j as a part of its own', (value, schema, path) => {
		expect(at(value, schema)).toBe(path);
	});

	it.each([[''], ['..'], ['.'], [' '], [[]], [[['a']]], [{ a: 1 }], [null]])(
		'cannot have %j as a part',
		(value) => {
			expect(refusalOf(() => at(value, {}))).toContain('which cannot be a part of a path');
		},
	);

	it('needs all of its values', () => {
		const document = documentWith({});
		const known = { document, operation: operationIn(document, ROUTE)! };
		expect(refusalOf(() => partsOf(PATH, {}, known))).toBe('has no value');
		expect(refusalOf(() => partsOf(PATH, {}))).toBe('has no value for "id" of the path');
	});
});

describe('the query', () => {
	it.each<[string, unknown, object, IDataObject, boolean]>([
		['a text', 'a', {}, { q: 'a' }, false],
		['a repeated list', ['a', 'b'], {}, { q: ['a', 'b'] }, true],
		['a list with commas', ['a', 'b'], { explode: false }, { q: 'a,b' }, false],
		['a list with pipes', ['a', 'b'], { style: 'pipeDelimited' }, { q: 'a|b' }, false],
		[
			'a deep object',
			{ a: 1, b: { c: 2 } },
			{ style: 'deepObject' },
			{ 'q[a]': 1, 'q[b][c]': 2 },
			false,
		],
	])('has %s', (_, value, style, query, repeats) => {
		expect(inQuery({}, value, style)).toEqual({ query, repeats });
	});

	it('has a list with brackets in its name as n8n writes them', () => {
		const { query, repeats } = sentWith(asked('q[]', {}), { 'query.q[]': ['a'] });
		expect([query, repeats]).toEqual([{ q: ['a'] }, false]);
	});

	it.each([
		['1, 2', number, [1, 2]],
		['1', number, [1]],
		[1, text, ['1']],
		[' a\nb, ', text, ['a', 'b']],
		['["a, b"]', text, ['a, b']],
		['a', { type: 'object' }, undefined],
	])('has the list that %j means', (value, items, list) => {
		const read = () => inQuery({ type: 'array', items }, value).query;
		if (list) expect(read()).toEqual({ q: list });
		else expect(refusalOf(read)).toBe('has "a", which is not of the type array');
	});

	it('cannot have other objects', () => {
		expect(refusalOf(() => inQuery({}, { a: 1 }))).toBe(
			'is an object, which cannot be sent in the query',
		);
	});

	it('has a text as the number that it means, also where null is allowed', () => {
		for (const schema of [number, { anyOf: [number, { type: 'null' }] }, { $ref: '#/x' }]) {
			const { query } = sentWith(asked('q', schema), { 'query.q': '7' }, { x: number });
			expect(query).toEqual({ q: 7 });
		}
	});
});

describe('the body', () => {
	const tag = { type: 'object', properties: { name: text, size: number }, required: ['name'] };
	const wrapped = { type: 'object', properties: { tag }, required: ['tag'] };

	it('has the wrapper of its fields', () => {
		const { body } = sentWith(jsonBody(wrapped), { 'body.tag.name': 'A', 'body.tag.size': '7' });
		expect(body).toEqual({ tag: { name: 'A', size: 7 } });
	});

	it('has other fields next to the known ones, in the same object', () => {
		const open = { ...wrapped, properties: { tag: { ...tag, additionalProperties: number } } };
		const { body } = sentWith(jsonBody(open), {
			...{ 'body.tag.name': 'A', 'body.tag.*': '{"more":1}' },
		});
		expect(body).toEqual({ tag: { name: 'A', more: 1 } });
		expect(
			refusalOf(() =>
				sentWith(jsonBody(open), { 'body.tag.name': 'A', 'body.tag.*': { more: 'b' } }),
			),
		).toBe('has "b" at more, which is not of the type integer');
	});

	it('can be one object, but no list', () => {
		expect(sentWith(jsonBody({ type: 'object' }), { body: '{"a":1}' }).body).toEqual({ a: 1 });
		expect(refusalOf(() => sentWith(jsonBody({ type: 'array' }), { body: [1] }))).toBe(
			'is not a JSON object',
		);
	});

	it('with names that every object has changes no other object', () => {
		for (const name of ['__proto__', 'constructor']) {
			partsOf('/a', {
				[`body.${name}.polluted`]: 'yes',
				[`body.${name}.prototype.polluted`]: 'yes',
			});
			sentWith(jsonBody({ properties: JSON.parse(`{"${name}":{"properties":{"polluted":{}}}}`) }), {
				[`body.${name}.polluted`]: 'yes',
			});
		}
		expect([({} as IDataObject).polluted, (Object as never as IDataObject).polluted]).toEqual([
			undefined,
			undefined,
		]);
	});

	const named = { 'body.tag.name': 'A' };

	it.each<[values: IDataObject, path: string[], reason: string]>([
		[{ 'body.tag.size': 7 }, ['name'], 'has no value'],
		[{ ...named, 'body.tag.size': 'b' }, ['size'], 'has "b", which is not of the type integer'],
		[{ ...named, 'body.tag.x': 1 }, [], 'has "body.tag.x", which the operation does not have'],
	])('is checked field by field: the refusal of %j is about %j', (values, path, reason) => {
		const tried = () => sentWith(jsonBody(wrapped), values);
		expect(refusalOf(tried)).toBe(reason);
		expect(tried).toThrow(expect.objectContaining({ path }));
	});
});

describe('without the document', () => {
	it('values go where their keys say, unchecked', () => {
		expect(
			partsOf('/a/{id}', {
				...{ 'path.id': 7, 'query.filter[a.b]': 'x', 'query.ids[]': ['1'] },
				...{ 'body.tag.name': '7', 'body.tag.*': { more: true } },
			}),
		).toEqual({
			...{ path: '/a/7', query: { 'filter[a.b]': 'x', ids: ['1'] }, repeats: false },
			body: { tag: { name: '7', more: true } },
		});
	});

	it('a key of no place is refused', () => {
		expect(refusalOf(() => partsOf('/a', { 'header.x': 1 }))).toContain('has "header.x", which');
	});
});
