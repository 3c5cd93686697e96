import { isRecord } from '../../../nodes/shared/lib';
import { answerIn, bodyIn, compared, everyOperation, operationIn } from './support';
import { type Json, servedDocument } from './support';
import { allOperations } from '../../support/reference';

/** The service's document in other forms, which say the same or less: none of them is a drift. */

let served: Json;
let whole: Awaited<ReturnType<typeof compared>>;

beforeAll(async () => {
	served = await servedDocument();
	whole = await compared(served);
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

/** Parameters and contents, each with a `schema`. */
function schemaHolders(document: Json): Json[] {
	return everyOperation(document).flatMap(({ parameters = [], requestBody, responses }) => [
		...parameters,
		...[requestBody, ...Object.values<Json>(responses)].flatMap((holder) =>
			Object.values<Json>(holder?.content ?? {}),
		),
	]);
}

/** The type without null, and whether null was allowed. */
function typeOf({ type }: Json): [type: unknown, isNullable: boolean] {
	if (!Array.isArray(type)) return [type, false];
	const others = type.filter((each) => each !== 'null');
	return [others.length === 1 ? others[0] : others, others.length < type.length];
}

/** A reference to the schema, which goes to the components. */
function toReference(document: Json, schema: Json): Json {
	const name = `Schema${Object.keys(document.components.schemas).length}`;
	document.components.schemas[name] = schema;
	return { $ref: `#/components/schemas/${name}` };
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
		changeSchemas(document, (schema) => {
			const [type, isNullable] = typeOf(schema);
			if (!isNullable) return schema;
			if (type !== 'string') return { ...schema, type, nullable: true };
			return { allOf: [toReference(document, { ...schema, type })], nullable: true };
		});
	},
	'a choice with null': (document) =>
		changeSchemas(document, (schema) => {
			const [type, isNullable] = typeOf(schema);
			if (!isNullable) return schema;
			return { anyOf: [toReference(document, { ...schema, type }), { type: 'null' }] };
		}),
	'a prefix, slashes and other names in the paths': (document) => {
		document.servers = [{ url: 'https://api.example.com' }];
		const paths = Object.entries<Json>(document.paths).map(([path, item]) => [
			`/api/v6${path.replace(/\{(\w+)_id\}/g, '{$1-id}')}/`,
			item,
		]);
		document.paths = Object.fromEntries(paths);
		document.paths['/health'] = {};
	},
	'other names of operations, or none': (document) => {
		for (const [index, operation] of everyOperation(document).entries()) {
			if (index % 2 === 0) operation.operationId = `operation_${index}`;
			else delete operation.operationId;
		}
	},
	'every object a reference to a reference, with a description': (document) =>
		changeSchemas(document, (schema) =>
			schema.properties
				? { ...toReference(document, toReference(document, schema)), description: 'An object' }
				: schema,
		),
	'every object in two parts, one beside a reference': (document) =>
		changeSchemas(document, ({ properties, required, ...schema }) =>
			properties
				? { ...schema, required, ...toReference(document, { properties }) }
				: { ...schema, ...(required && { required }) },
		),
	'values one by one': (document) =>
		changeSchemas(document, (schema) => {
			const { enum: values, type, ...rest } = schema;
			if (!values || Array.isArray(type)) return schema;
			return { ...rest, oneOf: values.map((value: unknown) => ({ const: value })) };
		}),
	'objects that are not closed, without a type': (document) =>
		changeSchemas(document, ({ additionalProperties: rest, type, ...schema }) => ({
			...schema,
			...(rest && { additionalProperties: rest }),
			...(type && (!schema.properties || type !== 'object') && { type }),
		})),
	'filters as an object behind a reference': (document) =>
		joinFilters(document, (filters) =>
			toReference(document, {
				allOf: filters.map(({ name, schema }) => ({
					properties: { [name.replace(/^filters\[(.*?)\]/, '$1')]: schema },
				})),
			}),
		),
	'lists of filters by their entries, or without brackets': (document) => {
		for (const [index, parameter] of schemaHolders(document).entries()) {
			if (!parameter.name?.endsWith('[]')) continue;
			if (index % 2 === 0) parameter.schema = parameter.schema.items;
			else parameter.name = parameter.name.replace('[]', '');
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
	'parameters at the paths': (document) => {
		for (const item of Object.values<Json>(document.paths)) {
			const [[method, operation], ...others] = Object.entries<Json>(item) as [[string, Json]];
			if (others.length > 0 || method === 'parameters') continue;
			item.parameters = operation.parameters ?? [];
			delete operation.parameters;
		}
	},
	'other media types of JSON, and statuses of all successes': (document) => {
		for (const { requestBody, responses } of everyOperation(document)) {
			for (const holder of [requestBody, ...Object.values<Json>(responses)]) {
				const schema = holder?.content?.['application/json'];
				if (schema) holder.content = { 'application/vnd.api+json; charset=utf-8': schema };
			}
			const [status] = Object.keys(responses) as [string];
			if (status === '204') continue;
			responses['2XX'] = responses[status];
			delete responses[status];
		}
	},
	'what does not concern the nodes': (document) => {
		document['x-owner'] = 'team';
		document.webhooks = { tag: { post: {} } };
		for (const item of Object.values<Json>(document.paths)) {
			Object.assign(item, { summary: 'A path', 'x-internal': { get: {} }, options: {}, head: {} });
		}
		document.paths['/openapi.json'] = { get: { responses: {} } };
		operationIn(document, 'DELETE /tags/{tag_id}').responses[200] = { description: 'Done' };
		operationIn(document, 'GET /tags/{tag_id}').parameters.push({ in: 'query', name: 'tag_id' });
		operationIn(document, 'GET /tags').parameters.push(
			{ in: 'header', name: 'X-Trace', schema: { type: 'string' } },
			{ in: 'header', name: 'Authorization', required: true },
		);
		bodyIn(document, 'POST /tags', 'tag').properties.id = { type: 'string', readOnly: true };
		answerIn(document, 'GET /tags', 'tags[]').properties.secret = { writeOnly: true };
	},
};

it.each(Object.entries(same))('says the same: %s', async (_, change) => {
	const { findings, operations, undescribed } = await compared(served, change);
	expect(findings).toEqual([]);
	expect(operations).toBe(allOperations.length);
	// Nothing has become invisible.
	expect(undescribed).toEqual(whole.undescribed);
});

it.each<[what: string, place: string, hide: (document: Json) => void]>([
	[
		'no values',
		'Task: Get Many, filters[status:eq] (values)',
		(document) => changeSchemas(document, ({ enum: _, ...schema }) => schema),
	],
	[
		'no schemas at all',
		'Tag: Get, answer',
		(document) => schemaHolders(document).forEach((holder) => delete holder.schema),
	],
])('less is counted, and is not drift: %s', async (_, place, hide) => {
	const { findings, operations, compared: count, undescribed } = await compared(served, hide);
	expect(findings).toEqual([]);
	expect(operations).toBe(allOperations.length);
	expect(count).toBeLessThan(whole.compared);
	expect(undescribed).toContain(place);
});

it('references in a circle are followed once', async () => {
	const document = structuredClone(served);
	const { schemas } = document.components;
	schemas.Tag = bodyIn(document, 'POST /tags', 'tag');
	schemas.Tag.properties.children = { type: 'array', items: { $ref: '#/components/schemas/Tag' } };
	schemas.Tag.allOf = [{ $ref: '#/components/schemas/Sticker', description: 'It is one.' }];
	schemas.Sticker = { oneOf: [{ $ref: '#/components/schemas/Tag' }] };
	bodyIn(document, 'POST /tags').properties.tag = { $ref: '#/components/schemas/Sticker' };
	const { findings } = await compared(document);
	expect(findings.map(({ place }) => place)).toEqual(['body tag.children']);
});

it('references to other documents are reported, and not fetched', async () => {
	const document = structuredClone(served);
	const target = 'https://api.example.com/tag.json#/Tag';
	bodyIn(document, 'POST /tags').properties.tag = { $ref: target };
	bodyIn(document, 'POST /clients').properties.client = { $ref: '../package.json#/author' };
	const { findings, undescribed, outside } = await compared(document);
	expect(findings).toEqual([]);
	expect(undescribed).toEqual(
		expect.arrayContaining(['Tag: Create, body tag', 'Client: Create, body client']),
	);
	expect(outside).toEqual(new Set([target, '../package.json#/author']));
});
