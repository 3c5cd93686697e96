import { compare } from '../../../tools/drift/compare';
import { readDocument } from '../../../tools/drift/openapi';
import { nodeOperations } from '../../../tools/drift/sent';
import { startFleet } from '../../support/fleet';

/** An OpenAPI document, or a part of it. */
export type Json = Record<string, any>;

export async function servedDocument(): Promise<Json> {
	const { api } = await startFleet({ sites: 0 });
	return (await api.get<Json>('/openapi.json')).data;
}

const nodes = nodeOperations();

/** What a document comes to with a change, which the given one does not get. */
export async function compared(given: Json, change?: (document: Json) => unknown) {
	const changed = structuredClone(given);
	change?.(changed);
	const document = await readDocument(JSON.stringify(changed), 'The document');
	return { ...compare(nodes, document), outside: document.outside };
}

export const everyOperation = (document: Json): Json[] =>
	Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));

/** The operation of a route as the document has it: `POST /tags/{tag_id}/update`. */
export function operationIn(document: Json, route: string): Json {
	const [method, path] = route.split(' ') as [string, string];
	return document.paths[path][method.toLowerCase()];
}

/** What is sent as JSON: the schema of the body, or of one of its fields such as `tag.color`. */
export function bodyIn(document: Json, route: string, place = ''): Json {
	const { content } = operationIn(document, route).requestBody;
	return schemaAt(content['application/json'].schema, place);
}

/** The schema of the answer, or of one of its fields such as `tags[].color`. */
export function answerIn(document: Json, route: string, place = ''): Json {
	const { responses } = operationIn(document, route);
	const { content } = responses[Object.keys(responses)[0]!];
	return schemaAt(content['application/json'].schema, place);
}

function schemaAt(schema: Json, place: string): Json {
	const names = place.split('.').filter(Boolean);
	return names.reduce((found, name) => {
		if (name === '*') return found.additionalProperties;
		const part = found.properties[name.replace('[]', '')];
		return name.endsWith('[]') ? part.items : part;
	}, schema);
}
