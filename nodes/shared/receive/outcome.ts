import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

/**
 * What is known of a failure.
 * - `refused`: the service answered with a refusal; nothing was changed.
 * - `notSent`: what was asked for never left; nothing was changed.
 * - `unknown`: no answer that can be believed. A change may have been applied; a read changes nothing.
 * - `started`: work has begun at the service, and its end was not seen or is a failure.
 */
export type Outcome = 'refused' | 'notSent' | 'unknown' | 'started';

/** A failure as data. */
export interface ErrorDetails {
	outcome: Outcome;
	/** HTTP status of the answer, where there was one. */
	status?: number;
	/** The task that was started. */
	taskId?: string;
	/** The number of the input item, from 1 on. */
	item?: number;
	/** Where to see what became of it: a path and the operation that reads it, as `/tags/7 (Tag: Get)`. */
	verifyAt?: string;
}

/** What an error knows; undefined for one that says nothing of it. */
export const detailsOf = (error: unknown): ErrorDetails | undefined =>
	error instanceof NodeApiError || error instanceof NodeOperationError
		? (error.context.details as ErrorDetails | undefined)
		: undefined;

/** Has an error know more. */
export function withDetails<E extends NodeApiError | NodeOperationError>(
	error: E,
	details: ErrorDetails,
): E {
	error.context.details = details;
	return error;
}

/** An error with what is known. */
export function knownError(
	node: INode,
	details: ErrorDetails,
	message: string,
	description: string,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description });
	// n8n replaces a message that contains the code of a network error.
	error.message = message;
	return withDetails(error, details);
}
