import { operationIn } from '../../nodes/Api/document/operation';
import { ApiDocument } from '../../nodes/shared/document/openapi';

type Json = Record<string, unknown>;

export const documentOf = (paths: Json, more: Json = {}) =>
	new ApiDocument({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, ...more });

/** A document with the only operation `POST /things/{id}`. */
export const documentWith = (operation: Json, more: Json = {}, item: Json = {}) =>
	documentOf({ '/things/{id}': { ...item, post: operation } }, more);

export const ROUTE = 'POST /things/{id}';

/** The inputs of the operation apart from its `id`. */
export const inputsOf = (operation: Json, more: Json = {}, item: Json = {}) =>
	operationIn(documentWith(operation, more, item), ROUTE)!.inputs.filter(
		({ key }) => key !== 'path.id',
	);

export const keysOf = (operation: Json, more: Json = {}, item: Json = {}) =>
	inputsOf(operation, more, item).map(({ key, isRequired }) => `${key}${isRequired ? '!' : ''}`);

export const jsonBody = (schema: unknown, more: Json = {}) => ({
	requestBody: { content: { 'application/json': { schema } }, required: true, ...more },
});

export const asked = (name: string, schema: unknown, more: Json = {}) => ({
	parameters: [{ name, in: 'query', schema, ...more }],
});

export const schemas = (all: Json) => ({ components: { schemas: all } });

/** What is said of a document that cannot be used. */
export function refusalOf(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		if ((error as Error).constructor.name === 'Refusal') return (error as Error).message;
		throw error;
	}
	return 'nothing';
}
