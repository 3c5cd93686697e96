import { stringify } from 'yaml';
import { isRecord } from '../../../nodes/shared/lib';
import { startWayward } from '../../support/wayward';
import {
	answerIn,
	bodyIn,
	compared,
	comparedText,
	type Json,
	operationIn,
	servedDocument,
} from './support';
import { allOperations } from '../../support/reference';

/** The service's document in other forms, which say the same or less: none of them is a drift. */

let served: Json;

beforeAll(async () => {
	served = await servedDocument();
});

/** Replaces every schema of the document by what `change` makes of it, the inner ones first. */
function changeSchemas(document: Json, change: (schema: Json) => Json): void {
	const changed = (schema: Json): Json => {
		const { properties, items, additionalProperties: rest } = schema;
		const inner = isRecord(properties) && Object.entries(properties as Json);
		return change({
			...schema,
			...(inner && {
				properties: Object.fromEntries(inner.map(([name, part]) => [name, changed(part)])),
			}),
			...(items && { items: changed(items) }),
			...(isRecord(rest) && { additionalProperties: changed(rest) }),
		});
	};
	for (const holder of schemaHolders(document)) holder.schema = changed(holder.schema);
}

const everyOperation = (document: Json): Json[] =>
	Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));

/** Parameters and contents, each with a `schema`. */
function schemaHolders(document: Json): Json[] {
	return everyOperation(document).flatMap(({ parameters = [], requestBody, responses }) => [
		...parameters,
		...[requestBody, ...Object.values<Json>(responses)].flatMap((holder) =>
			Object.values<Json>(holder?.content ?? {}),
		),
	]);
}

function changePaths(document: Json, change: (path: string) => string): void {
	const paths = Object.entries<Json>(document.paths);
	document.paths = Object.fromEntries(paths.map(([path, item]) => [change(path), item]));
}

/** The type without null, and whether null was allowed. */
function typeOf({ type }: Json): [type: unknown, isNullable: boolean] {
	if (!Array.isArray(type)) return [type, false];
	const others = type.filter((each) => each !== 'null');
	return [others.length === 1 ? others[0] : others, others.length < type.length];
}

/** As OpenAPI 3.0 says what may be null. */
function toNullable(schema: Json): Json {
	const [type, isNullable] = typeOf(schema);
	return isNullable ? { ...schema, type, nullable: true } : schema;
}

/** A reference to the schema, which goes to the components. */
function toReference(document: Json, schema: Json): Json {
	const name = `Schema${Object.keys(document.components.schemas).length}`;
	document.components.schemas[name] = schema;
	return { $ref: `#/components/schemas/${name}` };
}

/** Splits the properties of an object into two halves. */
function halves({ properties, required = [], ...rest }: Json): [Json, Json] {
	const names = Object.keys(properties);
	const half = (isFirst: boolean) => {
		const own = names.filter((_, index) => (index % 2 === 0) === isFirst);
		return {
			properties: Object.fromEntries(own.map((name) => [name, properties[name]])),
			required: required.filter((name: string) => own.includes(name)),
		};
	};
	return [{ ...rest, ...half(true), additionalProperties: undefined }, half(false)];
}

const isFilter = ({ name }: Json) => /^filters\[/.test(name);

/** Puts one `filters` parameter in the place of all filters of a list. */
function joinFilters(document: Json, schemaOf: (filters: Json[]) => Json): void {
	for (const operation of everyOperation(document)) {
		const { parameters = [] } = operation;
		const filters = parameters.filter(isFilter);
		if (filters.length === 0) continue;
		operation.parameters = [
			...parameters.filter((each: Json) => !isFilter(each)),
			{ in: 'query', name: 'filters', style: 'deepObject', schema: schemaOf(filters) },
		];
	}
}

const same: Record<string, (document: Json) => void> = {
	'OpenAPI 3.0': (document) => {
		document.openapi = '3.0.3';
		changeSchemas(document, toNullable);
	},
	'nullable beside a reference': (document) => {
		document.openapi = '3.0.3';
		changeSchemas(document, (schema) => {
			const [type, isNullable] = typeOf(schema);
			if (!isNullable) return schema;
			return { allOf: [toReference(document, { ...schema, type })], nullable: true };
		});
	},
	'a choice with null': (document) =>
		changeSchemas(document, (schema) => {
			const [type, isNullable] = typeOf(schema);
			if (!isNullable) return schema;
			return { anyOf: [toReference(document, { ...schema, type }), { type: 'null' }] };
		}),
	'the prefix in the paths': (document) => {
		document.servers = [{ url: 'https://api.example.com' }];
		changePaths(document, (path) => `/api/v6${path}`);
		document.paths['/health'] = {};
	},
	'the prefix in the address of the server': (document) => {
		document.servers = [{ url: 'https://api.example.com/api/v6' }];
	},
	'other names of path parameters': (document) =>
		changePaths(document, (path) => path.replace(/\{(\w+)_id\}/g, '{$1-id}')),
	'slashes at the end of paths': (document) => changePaths(document, (path) => `${path}/`),
	'other names of operations': (document) => {
		for (const [index, operation] of everyOperation(document).entries()) {
			operation.operationId = `operation_${index}`;
		}
	},
	'no names of operations': (document) => {
		for (const operation of everyOperation(document)) delete operation.operationId;
	},
	'every object a reference': (document) =>
		changeSchemas(document, (schema) =>
			schema.properties ? toReference(document, schema) : schema,
		),
	'every reference with a description': (document) =>
		changeSchemas(document, (schema) =>
			schema.properties ? { ...toReference(document, schema), description: 'An object' } : schema,
		),
	'references to references': (document) =>
		changeSchemas(document, (schema) =>
			schema.properties ? toReference(document, toReference(document, schema)) : schema,
		),
	'every object in two halves': (document) =>
		changeSchemas(document, (schema) => {
			if (!schema.properties) return schema;
			const [one, other] = halves(schema);
			return { ...one, allOf: [toReference(document, other)] };
		}),
	'every object in two halves, one beside a reference': (document) =>
		changeSchemas(document, (schema) => {
			if (!schema.properties) return schema;
			const [one, other] = halves(schema);
			return { ...one, ...toReference(document, other) };
		}),
	'every schema one of one': (document) =>
		changeSchemas(document, (schema) => ({ oneOf: [schema] })),
	'values one by one': (document) =>
		changeSchemas(document, (schema) => {
			const { enum: values, type, ...rest } = schema;
			if (!values || isRecord(type) || Array.isArray(type)) return schema;
			return { ...rest, oneOf: values.map((value: unknown) => ({ const: value })) };
		}),
	'objects that are not closed': (document) =>
		changeSchemas(document, ({ additionalProperties: rest, ...schema }) =>
			rest === false ? schema : { ...schema, ...(rest && { additionalProperties: rest }) },
		),
	'no types where the other words tell': (document) =>
		changeSchemas(document, ({ type, ...schema }) =>
			schema.properties && type === 'object' ? schema : { ...schema, ...(type && { type }) },
		),
	'filters as an object': (document) =>
		joinFilters(document, (filters) => ({
			type: 'object',
			properties: Object.fromEntries(
				filters.map(({ name, schema }) => [
					name.slice('filters['.length).replace(/\](\[\])?$/, ''),
					schema,
				]),
			),
		})),
	'filters as an object behind a reference': (document) =>
		joinFilters(document, (filters) =>
			toReference(document, {
				allOf: filters.map(({ name, schema }) => ({
					properties: { [name.replace(/^filters\[(.*?)\]/, '$1')]: schema },
				})),
			}),
		),
	'lists of filters without brackets': (document) => {
		for (const parameter of schemaHolders(document)) {
			parameter.name = parameter.name?.replace(/\[\]$/, '');
		}
	},
	'lists of filters by their entries': (document) => {
		for (const parameter of schemaHolders(document)) {
			if (parameter.name?.endsWith('[]')) parameter.schema = parameter.schema.items;
		}
	},
	'switches as booleans': (document) =>
		changeSchemas(document, (schema) =>
			schema.enum?.join() === 'true,false' ? { type: 'boolean' } : schema,
		),
	'parameters, bodies and answers behind references': (document) => {
		const { components } = document;
		Object.assign(components, { parameters: {}, requestBodies: {}, responses: {} });
		const toComponent = (kind: string, value: Json) => {
			const name = `Part${Object.keys(components[kind]).length}`;
			components[kind][name] = value;
			return { $ref: `#/components/${kind}/${name}` };
		};
		for (const operation of everyOperation(document)) {
			const { parameters, requestBody, responses } = operation;
			operation.parameters = parameters?.map((each: Json) => toComponent('parameters', each));
			if (requestBody) operation.requestBody = toComponent('requestBodies', requestBody);
			for (const [status, response] of Object.entries<Json>(responses)) {
				responses[status] = toComponent('responses', response);
			}
		}
	},
	'parameters of the path in the query, too': (document) => {
		for (const { parameters = [] } of everyOperation(document)) {
			const ofPath = parameters.filter((each: Json) => each.in === 'path');
			parameters.push(...ofPath.map((each: Json) => ({ ...each, in: 'query' })));
		}
	},
	'parameters at the paths': (document) => {
		for (const item of Object.values<Json>(document.paths)) {
			const [[method, operation], ...others] = Object.entries<Json>(item) as [[string, Json]];
			if (others.length > 0 || method === 'parameters') continue;
			item.parameters = operation.parameters ?? [];
			delete operation.parameters;
		}
	},
	'other media types of JSON': (document) => {
		for (const { requestBody, responses } of everyOperation(document)) {
			for (const holder of [requestBody, ...Object.values<Json>(responses)]) {
				const schema = holder?.content?.['application/json'];
				if (schema) holder.content = { 'application/vnd.api+json; charset=utf-8': schema };
			}
		}
	},
	'statuses of all successes': (document) => {
		for (const { responses } of everyOperation(document)) {
			const [status] = Object.keys(responses) as [string];
			if (status === '204') continue;
			responses['2XX'] = responses[status];
			delete responses[status];
		}
	},
	'further successes': (document) => {
		for (const { responses } of everyOperation(document)) {
			const isEmpty = '204' in responses;
			responses[isEmpty ? '200' : '204'] = { description: 'Done' };
		}
	},
	'what does not concern the nodes': (document) => {
		document['x-owner'] = 'team';
		document.webhooks = { tag: { post: {} } };
		for (const item of Object.values<Json>(document.paths)) {
			Object.assign(item, { summary: 'A path', 'x-internal': { get: {} }, options: {}, head: {} });
		}
		document.paths['/openapi.json'] = { get: { responses: {} } };
		operationIn(document, 'GET /tags').parameters.push(
			{ in: 'header', name: 'X-Trace', schema: { type: 'string' } },
			{ in: 'header', name: 'Authorization', required: true },
		);
		bodyIn(document, 'POST /tags', 'tag').properties.id = { type: 'string', readOnly: true };
		answerIn(document, 'GET /tags', 'tags[]').properties.secret = { writeOnly: true };
	},
};

it.each(Object.keys(same))('says the same: %s', async (name) => {
	const document = structuredClone(served);
	same[name]!(document);
	const { findings, operations, undescribed } = await compared(document);
	expect(findings).toEqual([]);
	expect(operations).toBe(allOperations.length);
	// Nothing has become invisible.
	expect(undescribed).toEqual((await compared(served)).undescribed);
});

it('says the same: YAML', async () => {
	const whole = await compared(served);
	const inYaml = await comparedText(stringify(served));
	expect(inYaml).toEqual(whole);
	expect(inYaml.findings).toEqual([]);
});

/** What says less: what it no longer tells is counted. */
const less: Record<string, [hide: (document: Json) => void, place: string]> = {
	'filters as an object of any fields': [
		(document) => joinFilters(document, () => ({ type: 'object' })),
		'Tag: Get Many, filters[name:eq]',
	],
	'any success, without a body': [
		(document) => {
			for (const { responses } of everyOperation(document)) {
				if (!('204' in responses)) continue;
				delete responses['204'];
				responses.default = { description: 'Done' };
			}
		},
		'Tag: Delete, answer',
	],
	'filters as an object that takes more': [
		(document) =>
			joinFilters(document, (filters) => ({
				additionalProperties: true,
				properties: Object.fromEntries(
					filters
						.filter(({ name }) => !name.includes(':contains'))
						.map(({ name, schema }) => [name.replace(/^filters\[(.*?)\]/, '$1'), schema]),
				),
			})),
		'Tag: Get Many, filters[name:contains]',
	],
	'no values': [
		(document) => changeSchemas(document, ({ enum: _, ...schema }) => schema),
		'Task: Get Many, filters[status:eq] (values)',
	],
	'objects of any fields': [
		(document) =>
			changeSchemas(document, ({ properties, required: _, ...schema }) =>
				properties ? { ...schema, additionalProperties: true } : schema,
			),
		'Tag: Create, body tag',
	],
	'no schemas of answers': [
		(document) => {
			for (const { responses } of everyOperation(document)) {
				for (const response of Object.values<Json>(responses)) delete response.content;
			}
		},
		'Tag: Get, answer',
	],
	'no schemas at all': [
		(document) => {
			for (const holder of schemaHolders(document)) delete holder.schema;
		},
		'Tag: Create, body',
	],
	'schemas that allow anything': [
		(document) => {
			for (const holder of schemaHolders(document)) holder.schema = true;
		},
		'Tag: Get Many, sort',
	],
};

it.each(Object.keys(less))('is counted, and is not drift: %s', async (name) => {
	const [hide, place] = less[name]!;
	const document = structuredClone(served);
	const whole = await compared(document);
	hide(document);
	const { findings, operations, compared: count, undescribed } = await compared(document);
	expect(findings).toEqual([]);
	expect(operations).toBe(allOperations.length);
	expect(count).toBeLessThan(whole.compared);
	expect(undescribed.length).toBeGreaterThan(whole.undescribed.length + 8);
	expect(undescribed).toContain(place);
});

describe('circular references', () => {
	it('are followed once', async () => {
		const document = structuredClone(served);
		const tag = answerIn(document, 'GET /tags/{tag_id}', 'tag');
		document.components.schemas.Tag = tag;
		answerIn(document, 'GET /tags/{tag_id}').properties.tag = { $ref: '#/components/schemas/Tag' };
		tag.properties.children = { type: 'array', items: { $ref: '#/components/schemas/Tag' } };
		const { findings } = await compared(document);
		expect(findings.map(({ place }) => place)).toEqual(['answer tag.children']);
	});

	it('of parts that lead back to the whole end there', async () => {
		const document = structuredClone(served);
		const { schemas } = document.components;
		schemas.Tag = bodyIn(document, 'POST /tags', 'tag');
		schemas.Tag.allOf = [{ $ref: '#/components/schemas/Sticker', description: 'It is one.' }];
		schemas.Sticker = {
			oneOf: [{ $ref: '#/components/schemas/Tag' }, { $ref: '#/components/schemas/Tag' }],
		};
		bodyIn(document, 'POST /tags').properties.tag = { $ref: '#/components/schemas/Sticker' };
		const { findings, operations } = await compared(document);
		expect(findings).toEqual([]);
		expect(operations).toBe(allOperations.length);
	});
});

it('references to other documents are reported, and not fetched', async () => {
	const other = await startWayward(() => ({ body: {} }));
	const document = structuredClone(served);
	const target = `${other.baseUrl}/tag.json#/Tag`;
	bodyIn(document, 'POST /tags').properties.tag = { $ref: target };
	bodyIn(document, 'POST /clients').properties.client = { $ref: '../package.json#/author' };
	const { findings, undescribed, outside } = await compared(document);
	expect(findings).toEqual([]);
	expect(undescribed).toEqual(
		expect.arrayContaining(['Tag: Create, body tag', 'Client: Create, body client']),
	);
	expect(outside).toEqual(new Set([target, '../package.json#/author']));
	expect(other.requests).toEqual([]);
	await other.close();
});

it('a document of 10 MB is read, with a chain of references through all of it', async () => {
	const document = structuredClone(served);
	const { schemas } = document.components;
	const count = 10_000;
	for (let index = 0; index < count; index++) {
		const next = { $ref: `#/components/schemas/Link${(index + 1) % count}` };
		schemas[`Link${index}`] = {
			type: 'object',
			description: 'x'.repeat(900),
			properties: { next, other: { type: 'array', items: next } },
		};
	}
	bodyIn(document, 'POST /tags', 'tag').properties.link = { $ref: '#/components/schemas/Link0' };
	const text = JSON.stringify(document);
	expect(text.length).toBeGreaterThan(10_000_000);
	const { findings } = await comparedText(text);
	expect(findings.map(({ place }) => place)).toEqual(['body tag.link']);
});
