import type { IExecuteSingleFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

/** Whether a look failed because the service refuses to show it, which it will do the next time, too. */
export function isRefused(error: unknown): error is NodeApiError {
	const status = error instanceof NodeApiError ? Number(error.httpCode) : NaN;
	return status >= 400 && status < 500;
}

/**
 * The error for work that goes on where nobody can look at it: what was started must not get lost with that.
 * @param work with its id, such as `task 9b1f6c2e70`
 */
export function outOfSight(
	context: IExecuteSingleFunctions,
	work: string,
	cause: NodeApiError,
	hint = cause.description ?? '',
): NodeApiError {
	const message = `The ${work} was started, but its end cannot be seen: ${cause.message}`;
	const error = new NodeApiError(context.getNode(), {} as JsonObject, {
		message,
		description: `It goes on. ${hint}`,
		httpCode: cause.httpCode ?? undefined,
		itemIndex: context.getItemIndex(),
	});
	// n8n puts words of its own in the place of a message in which it sees the code of a network error.
	error.message = message;
	return error;
}
