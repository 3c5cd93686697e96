import type { Route } from './kit';
import { arrayOf, string, object, optional } from './schema';

/** The body of every error response (Part A 7). */
export const errorSchema = object({
	error: object({
		code: string,
		message: string,
		details: optional(arrayOf(object({ code: string, param: string, message: string }))),
	}),
});

const meanings: Record<number, string> = {
	200: 'Success',
	201: 'Created',
	204: 'Done, without a body',
	400: 'Filters or sort are invalid, or the request is malformed',
	401: 'Authentication required',
	403: 'The account is inactive',
	404: 'The requested item was not found',
	409: 'State conflict',
	422: 'A business rule failed, or a precondition does not hold',
	429: 'Rate limit exceeded',
	503: 'The storage provider is temporarily unavailable',
};

/** The error statuses with which an operation can answer, in ascending order. */
export function errorStatuses({ method, path, query, body, errors }: Route): number[] {
	const ofRules = errors ?? (method === 'POST' ? [422] : []);
	const ofRequest = [
		401,
		403,
		429,
		...(query || body ? [400] : []),
		...(path.includes('{') ? [404] : []),
	];
	return [...new Set([...ofRequest, ...ofRules])].sort((a, b) => a - b);
}

/** The responses of an operation by status, as fastify and the OpenAPI document have them. */
export function responses(route: Route) {
	const { status, response: schema, mediaType } = route;
	const description = meanings[status]!;
	const success = mediaType
		? { description, content: { [mediaType]: { schema } } }
		: status === 204
			? { description, type: 'null' }
			: { description, content: { 'application/json': { schema } } };
	const errors = errorStatuses(route).map((each) => [
		each,
		{
			description: meanings[each],
			content: { 'application/json': { schema: { $ref: 'Error#' } } },
		},
	]);
	return { [status]: success, ...Object.fromEntries(errors) };
}
