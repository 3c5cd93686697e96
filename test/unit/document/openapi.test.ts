import { operationIn } from '../../../nodes/Api/document/operation';
import {
	asked,
	documentOf,
	documentWith,
	inputsOf,
	jsonBody,
	keysOf,
	refusalOf,
	ROUTE,
} from '../../support/apiDocument';

const text = { type: 'string' };
const number = { type: 'integer' };

describe('the list of operations', () => {
	it('has the operations of all methods that can be sent, in the order of the document', () => {
		const operations = documentOf({
			'/b': { post: { operationId: 'addB' }, get: {}, options: {}, head: {}, trace: {} },
			'/a': { parameters: [], summary: 'A', put: {}, patch: {}, delete: {} },
		}).operations;
		expect(operations.map(({ route }) => route)).toEqual([
			...['GET /b', 'POST /b'],
			...['PUT /a', 'PATCH /a', 'DELETE /a'],
		]);
	});

	it('shows the summary, else the start of the description, else the name', () => {
		const operations = documentOf({
			'/a': { get: { summary: ' List ', description: 'More', operationId: 'listA', tags: ['A'] } },
			'/b': { get: { description: `First line${'.'.repeat(200)}\nSecond line`, operationId: 'b' } },
			'/c': { get: { operationId: 'listC' } },
			'/d': { get: {} },
		}).operations;
		expect(operations).toEqual([
			{ route: 'GET /a', id: 'listA', title: 'List', tag: 'A' },
			{ route: 'GET /b', id: 'b', title: `First line${'.'.repeat(90)}`, tag: '' },
			{ route: 'GET /c', id: 'listC', title: 'listC', tag: '' },
			{ route: 'GET /d', id: '', title: '', tag: '' },
		]);
	});

	it('leaves out extensions, also those in the form of a path item', () => {
		const { operations } = documentOf({ 'x-more': { get: {} }, '/a': { get: {}, 'x-get': {} } });
		expect(operations.map(({ route }) => route)).toEqual(['GET /a']);
	});

	it('follows the reference of a path item', () => {
		const document = documentOf(
			{ '/a': { $ref: '#/components/pathItems/A' }, '/b': { $ref: '#/paths/~1a' } },
			{ components: { pathItems: { A: { get: asked('limit', number) } } } },
		);
		expect(document.operations.map(({ route }) => route)).toEqual(['GET /a', 'GET /b']);
		expect(operationIn(document, 'GET /b')!.inputs[0]).toMatchObject({ key: 'query.limit' });
	});

	it.each(['3.0', '3.0.0', '3.0.4', '3.1', '3.1.1'])('is read from version %s', (openapi) => {
		expect(documentOf({ '/a': { get: {} } }, { openapi }).operations).toHaveLength(1);
	});

	it('finds an operation by its route and by its name, and the route first', () => {
		const document = documentOf({
			'/a': { get: { operationId: 'GET /b' }, post: { operationId: 'add' } },
			'/b': { get: {} },
		});
		expect(operationIn(document, ' add ')?.route).toBe('POST /a');
		expect(operationIn(document, 'GET /b')?.route).toBe('GET /b');
		expect(operationIn(document, 'GET /c')).toBeUndefined();
		expect(operationIn(document, '')).toBeUndefined();
	});
});

describe('parameters', () => {
	it('are those of the path item, replaced by those of the operation', () => {
		const at = (schema: unknown, more = {}) => ({ name: 'sort', in: 'query', schema, ...more });
		const [sort, other, ...more] = inputsOf(
			{ parameters: [at(number, { required: true, description: 'Of the operation' })] },
			{},
			{ parameters: [at(text), { name: 'other', in: 'query', schema: text }] },
		);
		expect(sort).toEqual({
			...{ key: 'query.sort', place: 'query', path: ['sort'], schema: number },
			...{ isRequired: true, description: 'Of the operation' },
		});
		expect(other).toMatchObject({ key: 'query.other', isRequired: false });
		expect(more).toEqual([]);
	});

	it('of the same name in another place do not replace each other', () => {
		const document = documentWith({
			parameters: ['path', 'query'].map((place) => ({ name: 'id', in: place, schema: text })),
		});
		const { inputs } = operationIn(document, ROUTE)!;
		expect(inputs.map(({ key }) => key)).toEqual(['path.id', 'query.id']);
	});

	it('follow references, of the parameter and of its schema', () => {
		const [input] = inputsOf(
			{ parameters: [{ $ref: '#/components/parameters/Color' }] },
			{
				components: {
					parameters: { Color: { name: 'color', in: 'query', schema: { $ref: '#/x-own/Color' } } },
				},
				'x-own': { Color: { enum: ['red'] } },
			},
		);
		expect(input).toMatchObject({ key: 'query.color', schema: { enum: ['red'] } });
	});

	it('in the path are required, also without saying so', () => {
		const path = { name: 'id', in: 'path', schema: number, required: false };
		const { inputs } = operationIn(documentWith({ parameters: [path] }), ROUTE)!;
		expect(inputs).toMatchObject([{ key: 'path.id', schema: number, isRequired: true }]);
	});

	it('in the path that the document forgets are texts; those of another path are left out', () => {
		const get = { parameters: [{ name: 'three', in: 'path', schema: text }] };
		const document = documentOf({ '/a/{one}/{two}/{one}': { get } });
		const { inputs } = operationIn(document, 'GET /a/{one}/{two}/{one}')!;
		expect(inputs.map(({ key, isRequired, schema }) => [key, isRequired, schema])).toEqual([
			['path.one', true, text],
			['path.two', true, text],
		]);
	});

	it('have the schema of their content where they have one', () => {
		const content = { 'application/json': { schema: { type: 'array' } } };
		expect(inputsOf(asked('q', undefined, { content }))[0]!.schema).toEqual({ type: 'array' });
	});

	it.each([
		['', {}, undefined],
		['form', { style: 'form' }, undefined],
		['form, exploded', { style: 'form', explode: true }, undefined],
		['form, not exploded', { explode: false }, ','],
		['pipes', { style: 'pipeDelimited' }, '|'],
		['pipes, exploded', { style: 'pipeDelimited', explode: true }, undefined],
		['spaces', { style: 'spaceDelimited', explode: false }, ' '],
	])('that are lists are repeated or joined by their style: %s', (_, style, joint) => {
		const [input] = inputsOf(asked('ids', { type: ['array', 'null'], items: text }, style));
		expect(input!.joint).toBe(joint);
	});

	const filter = {
		type: 'object',
		properties: { name: { ...text, description: 'Part of the name' }, id: { $ref: '#/x-id' } },
		required: ['id'],
	};

	it('that are deep objects are one for each field', () => {
		const inputs = inputsOf(asked('filter', filter, { style: 'deepObject', required: true }), {
			'x-id': number,
		});
		expect(inputs).toEqual([
			{
				...{ key: 'query.filter[name]', place: 'query', path: ['filter[name]'], isDeep: true },
				...{ schema: filter.properties.name, isRequired: false, description: 'Part of the name' },
			},
			{
				...{ key: 'query.filter[id]', place: 'query', path: ['filter[id]'], isDeep: true },
				...{ schema: number, isRequired: true, description: '' },
			},
		]);
	});

	it('that are objects in the usual style are one for each field, by its own name', () => {
		const more = { 'x-id': number };
		expect(keysOf(asked('filter', filter), more)).toEqual(['query.name', 'query.id']);
		expect(keysOf(asked('filter', filter, { explode: false }), more)).toEqual(['query.filter']);
	});

	it('that are deep objects of any fields are one object', () => {
		const style = { style: 'deepObject', explode: true };
		const [input] = inputsOf(asked('created', { anyOf: [{ type: 'object' }, number] }, style));
		expect(input).toMatchObject({ key: 'query.created', isDeep: true });
	});

	it('in headers and cookies are left out unless they are required', () => {
		const at = (place: string, name: string, required: boolean) => ({
			parameters: [{ name, in: place, schema: text, required }],
		});
		expect(keysOf(at('header', 'X-Trace', false))).toEqual([]);
		expect(keysOf(at('header', 'Authorization', true))).toEqual([]);
		expect(refusalOf(() => keysOf(at('header', 'X-Key', true)))).toBe(
			'needs the header "X-Key", which this node cannot send',
		);
		expect(refusalOf(() => keysOf(at('cookie', 'session', true)))).toBe(
			'needs the cookie "session", which this node cannot send',
		);
	});

	it('in headers of the path item may be replaced by ones that are not required', () => {
		const header = { name: 'X-Key', in: 'header', schema: text };
		expect(
			keysOf({ parameters: [header] }, {}, { parameters: [{ ...header, required: true }] }),
		).toEqual([]);
	});

	it('page and perPage of a list are not inputs, because the node reads the pages', () => {
		const parameters = ['page', 'perPage', 'search'].map((name) => ({
			...{ name, in: 'query', schema: text },
		}));
		const document = documentOf({ '/a': { get: { parameters }, post: { parameters } } });
		const paged = operationIn(document, 'GET /a')!;
		expect(paged.isPaged).toBe(true);
		expect(paged.inputs.map(({ key }) => key)).toEqual(['query.search']);
		expect(operationIn(document, 'POST /a')).toMatchObject({ isPaged: false });
		expect(operationIn(document, 'POST /a')!.inputs).toHaveLength(3);
	});
});

describe('the body', () => {
	it('has an input for each field, with its schema and description', () => {
		const properties = { name: { ...text, description: 'Shown' }, size: number };
		expect(inputsOf(jsonBody({ type: 'object', properties, required: ['name'] }))).toEqual([
			{
				...{ key: 'body.name', place: 'body', path: ['name'], schema: properties.name },
				...{ isRequired: true, description: 'Shown' },
			},
			{
				...{ key: 'body.size', place: 'body', path: ['size'], schema: number },
				...{ isRequired: false, description: '' },
			},
		]);
	});

	it('that is optional requires no field', () => {
		const schema = { properties: { name: text }, required: ['name'] };
		expect(keysOf(jsonBody(schema, { required: false }))).toEqual(['body.name']);
	});

	const tag = { type: 'object', properties: { name: text, color: text }, required: ['name'] };

	it('of one object has an input for each of its fields', () => {
		const wrapped = { type: 'object', properties: { tag }, required: ['tag'] };
		expect(keysOf(jsonBody(wrapped))).toEqual(['body.tag.name!', 'body.tag.color']);
		expect(keysOf(jsonBody({ ...wrapped, required: [] }))).toEqual([
			'body.tag.name',
			'body.tag.color',
		]);
		const two = { type: 'object', properties: { tag, name: text } };
		expect(keysOf(jsonBody(two))).toEqual(['body.tag', 'body.name']);
	});

	it('of one value that is no object of known fields has one input', () => {
		for (const only of [text, { type: 'array', items: tag }, { type: 'object' }, { oneOf: [tag] }])
			expect(keysOf(jsonBody({ properties: { only } }))).toEqual(['body.only']);
	});

	it('follows references of the body, the schema and the fields', () => {
		const more = {
			components: {
				requestBodies: { Tag: jsonBody({ $ref: '#/components/schemas/Body' }).requestBody },
				schemas: {
					Body: { type: 'object', properties: { tag: { $ref: '#/components/schemas/Tag' } } },
					Tag: { ...tag, properties: { ...tag.properties, color: { $ref: '#/x-color' } } },
				},
			},
			'x-color': { enum: ['red'] },
		};
		const inputs = inputsOf({ requestBody: { $ref: '#/components/requestBodies/Tag' } }, more);
		expect(inputs.map(({ key }) => key)).toEqual(['body.tag.name', 'body.tag.color']);
		expect(inputs[1]!.schema).toEqual({ enum: ['red'] });
	});

	it.each([
		['a list', { type: 'array', items: tag }],
		['forms', { oneOf: [tag, { type: 'object' }] }],
		['parts', { allOf: [tag], properties: { more: text } }],
		['an object of any fields', { type: 'object' }],
		['anything', {}],
	])('of %s is one input', (_, schema) => {
		const [whole, ...more] = inputsOf(jsonBody(schema, { description: 'All of it' }));
		expect(whole).toEqual({
			...{ key: 'body', place: 'body', path: [], schema, isRequired: true },
			description: 'All of it',
		});
		expect(more).toEqual([]);
	});

	it.each([
		['any', true],
		['a kind', { type: 'integer' }],
	])('with %s other fields has an input for them', (_, additionalProperties) => {
		const [, others, ...more] = inputsOf(
			jsonBody({ type: 'object', properties: { name: text }, additionalProperties }),
		);
		expect(others).toMatchObject({
			...{ key: 'body.*', path: ['*'], isRequired: false },
			schema: { type: 'object', additionalProperties },
		});
		expect(more).toEqual([]);
	});

	it('has no input for what only the service sets', () => {
		const properties = { id: { ...text, readOnly: true }, name: text };
		expect(keysOf(jsonBody({ properties, required: ['id', 'name'] }))).toEqual(['body.name!']);
	});

	it.each([
		'application/json',
		'application/json; charset=utf-8',
		'application/vnd.api+json',
		'APPLICATION/JSON',
		'*/*',
		'application/*',
	])('is JSON as %s, also next to other types', (type) => {
		const content = {
			'multipart/form-data': { schema: {} },
			[type]: { schema: { properties: { name: text } } },
		};
		expect(keysOf({ requestBody: { content } })).toEqual(['body.name']);
	});

	it('of another type is refused by name where it is required', () => {
		const content = { 'multipart/form-data': { schema: tag } };
		expect(refusalOf(() => keysOf({ requestBody: { content, required: true } }))).toBe(
			'needs a body of multipart/form-data, but this node sends only JSON',
		);
		expect(keysOf({ requestBody: { content } })).toEqual([]);
		expect(keysOf({ requestBody: { content: {}, required: true } })).toEqual([]);
	});
});

it('the response is a file where the first success has no JSON', () => {
	const answers = (responses: unknown) => operationIn(documentWith({ responses }), ROUTE)!.isFile;
	const pdf = { content: { 'application/pdf': {} } };
	const json = { content: { 'application/problem+json': {} } };
	expect(answers({ 200: pdf })).toBe(true);
	expect(
		answers({ '2XX': { $ref: '#/paths/~1things~1%7Bid%7D/post/responses/201' }, 201: pdf }),
	).toBe(true);
	expect(answers({ 200: json, 400: pdf })).toBe(false);
	expect(answers({ 400: json, 200: pdf })).toBe(true);
	expect(answers({ 200: { content: { ...pdf.content, ...json.content } } })).toBe(false);
	expect(answers({ 200: { content: { '*/*': {} } } })).toBe(false);
	expect(answers({ 204: {} })).toBe(false);
	expect(answers({ default: pdf })).toBe(false);
	expect(answers(undefined)).toBe(false);
});
