import { operationIn } from '../../../nodes/Api/document/operation';
import { ApiDocument } from '../../../nodes/shared/document/openapi';
import { documentIn } from '../../../nodes/shared/document/read';
import {
	asked,
	documentOf,
	documentWith,
	inputsOf,
	jsonBody,
	refusalOf,
	ROUTE,
	schemas,
} from '../../support/apiDocument';

const text = { type: 'string' };

describe('references', () => {
	const at = (schema: unknown, more = {}) => inputsOf(asked('q', schema), more)[0]!.schema;

	it('keep the fields next to them', () => {
		const more = schemas({ A: { ...text, description: 'Of A', title: 'A' } });
		const beside = { $ref: '#/components/schemas/A', description: 'Own', nullable: true };
		expect(at(beside, more)).toEqual({
			...{ type: 'string', description: 'Own', title: 'A', nullable: true },
		});
	});

	it.each([
		['a slash', '#/x-all/a~1b', { 'a/b': text }],
		['a tilde', '#/x-all/a~0b', { 'a~b': text }],
		['a tilde before a one', '#/x-all/a~01', { 'a~1': text }],
		['braces', '#/x-all/%7Bid%7D', { '{id}': text }],
		['a percent sign', '#/x-all/100%25', { '100%': text }],
		['a percent sign that is not encoded', '#/x-all/100%', { '100%': text }],
		['an index', '#/x-all/0', [text]],
		['an empty name', '#/x-all/', { '': text }],
	])('may have %s in a name', (_, $ref, all) => {
		expect(at({ $ref }, { 'x-all': all })).toEqual(text);
	});

	it('may lead to others', () => {
		const all = Object.fromEntries(
			Array.from({ length: 40 }, (__, nth) => [`S${nth}`, { $ref: `#/x-all/S${nth + 1}` }]),
		);
		expect(at({ $ref: '#/x-all/S0' }, { 'x-all': { ...all, S40: text } })).toEqual(text);
	});

	it.each([
		['itself', { A: { $ref: '#/x-all/A' } }],
		['each other', { A: { $ref: '#/x-all/B' }, B: { $ref: '#/x-all/A' } }],
	])('to %s are a circle, which is refused', (_, all) => {
		expect(refusalOf(() => at({ $ref: '#/x-all/A' }, { 'x-all': all }))).toMatch(
			/^refers in a circle at #\/x-all\/[AB]$/,
		);
	});

	it.each([
		['other.json#/A', 'refers to other.json#/A, but only references within the document are read'],
		['https://x.test/a', 'refers to https://x.test/a, but only references within the document are'],
		['#name', 'refers to #name, but only references within the document are read'],
		['#/x-none', 'refers to #/x-none, which the document does not contain'],
		['#/paths/constructor', 'refers to #/paths/constructor, which the document does not contain'],
		['#/x-all/%zz', 'refers to #/x-all/%zz, which the document does not contain'],
	])('to %s are refused by name', ($ref, reason) => {
		expect(refusalOf(() => at({ $ref }))).toContain(reason);
	});
});

describe('a document that cannot be read gives the reason', () => {
	const of = (more: object) => ({ openapi: '3.1.0', paths: { '/a': { get: {} } }, ...more });
	const noVersion = 'has no field "openapi", so it is not an OpenAPI document';
	const noPaths = 'has no field "paths" with operations';

	it.each<[string, unknown, string]>([
		['nothing', undefined, 'is empty'],
		['an empty text', ' \n', 'is empty'],
		['a web page in capitals', '\n<HTML lang="en">', 'is a web page, not an OpenAPI document'],
		['YAML after a comment', '# ours\n\nopenapi : "3.0.0"\n', 'is a document in YAML'],
		['Swagger in YAML', 'swagger: "2.0"\n', 'is a document in YAML'],
		['other text', 'Not found', 'is not a JSON object'],
		['JSON that is cut off', '{"openapi":"3.1.0","paths":{', 'is not a JSON object'],
		['a list', [of({})], 'is empty'],
		['a number', 7, 'is empty'],
		['another object', { error: 'not found' }, noVersion],
		['AsyncAPI', { asyncapi: '3.0.0', channels: {} }, noVersion],
		['a version as a number', of({ openapi: 3.1 }), noVersion],
		['an old version', of({ openapi: '2.0.0' }), 'has the OpenAPI version 2.0.0, but 3.0 or 3.1'],
		['a new version', of({ openapi: '3.2.0' }), 'has the OpenAPI version 3.2.0, but 3.0 or 3.1'],
		['version 3.10', of({ openapi: '3.10.0' }), 'has the OpenAPI version 3.10.0'],
		['no paths', of({ paths: undefined }), noPaths],
		['paths in a list', of({ paths: [] }), noPaths],
		['paths as text', of({ paths: 'all' }), noPaths],
		['only webhooks', { openapi: '3.1.0', webhooks: { a: { post: {} } } }, noPaths],
		['no operations', of({ paths: {} }), 'has no operations'],
		['paths without operations', of({ paths: { '/a': { get: null, head: {} } } }), 'has no operat'],
		['only extensions', of({ paths: { 'x-a': { get: {} } } }), 'has no operations'],
		[
			'a path item elsewhere',
			of({ paths: { '/a': { $ref: 'a.json' } } }),
			'refers to a.json, but only references within the document are read',
		],
		[
			'a path item that is missing',
			of({ paths: { '/a': { $ref: '#/x' } } }),
			'refers to #/x, which the document does not contain',
		],
		[
			'path items in a circle',
			of({ paths: { '/a': { $ref: '#/paths/~1b' }, '/b': { $ref: '#/paths/~1a' } } }),
			'refers in a circle at #/paths/~1',
		],
	])('%s', (_, body, reason) => {
		expect(refusalOf(() => documentIn(body))).toContain(reason);
	});

	it.each<[string, object]>([
		['parameters', { parameters: 'all' }],
		['parameters that are none', { parameters: [null, 7, 'q', [], {}, { in: 'body', name: 'q' }] }],
		['a parameter without a schema', { parameters: [{ in: 'query', name: 'q' }] }],
		['a body', { requestBody: 'all' }],
		['the content of a body', { requestBody: { content: [], required: true } }],
		['a schema', jsonBody(true)],
		['fields', jsonBody({ properties: ['a'], required: 'a', type: 7 })],
		['a field', jsonBody({ properties: { a: null, b: false, c: [] } })],
		['responses', { responses: ['all'] }],
		['tags', { tags: 'all', summary: {}, operationId: 7 }],
	])('but what is no %s is passed over', (_, operation) => {
		const document = documentWith(operation as Record<string, unknown>);
		expect(document.operations).toHaveLength(1);
		expect(operationIn(document, ROUTE)!.route).toBe(ROUTE);
	});

	it('one operation does not keep the others from being read', () => {
		const document = documentOf({
			'/a': { get: { parameters: [{ $ref: '#/none' }] } },
			'/b': { get: {} },
		});
		expect(document.operations).toHaveLength(2);
		expect(operationIn(document, 'GET /b')!.inputs).toEqual([]);
		expect(refusalOf(() => operationIn(document, 'GET /a'))).toContain('refers to #/none');
	});

	it('is made from any object that is well-formed', () => {
		expect(documentIn(of({}))).toBeInstanceOf(ApiDocument);
	});
});
