import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isList, isRecord } from '../lib/records';
import type { ApiResponse } from '../n8n/context';
import { isWebPage } from './answer';
import type { ErrorFacts, Happening, Outcome } from './messages';
import { tell } from './messages';
import type { ReadText } from './reason';
import { cut, reasonOf, withoutTags } from './reason';
import { blanker } from './secrets';

/** A failure as data. */
export interface ErrorDetails {
	outcome: Outcome;
	/** HTTP status of the answer, where there was one. */
	status?: number;
	/** The task that was started. */
	taskId?: string;
	/** The number of the input item, counted from 1. */
	item?: number;
	/** Where to check the change: a path, and the operation that reads it, such as `/tags/7 (Tag: Get)`. */
	verifyAt?: string;
}

/** The details of an error; undefined where it has none. */
export const detailsOf = (error: unknown): ErrorDetails | undefined =>
	error instanceof NodeApiError || error instanceof NodeOperationError
		? (error.context.details as ErrorDetails | undefined)
		: undefined;

/** Adds details to an error. */
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

/** What the errors of a request are made from. */
export interface ErrorContext extends ErrorFacts {
	/** The token and the passwords that were sent, which no message repeats. */
	secrets: string[];
}

/** The most characters of an id or a state in a message. */
const MAX_ID = 100;

/** The error for what has happened to a request; its context has the `details` that the request knows. */
export function apiError(
	node: INode,
	happening: Happening,
	errorContext: ErrorContext,
): NodeApiError {
	const blank = blanker(errorContext.secrets);
	const short = (text: string) => cut(blank(text), MAX_ID);
	const { outcome, ...told } = tell(happening, errorContext, short);
	const message = blank(told.message);
	const status = happening.kind === 'status' ? happening.status : undefined;
	const description = blank(told.description);
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(node, {}, { message, description, httpCode });
	// n8n replaces a message that contains the code of a network error.
	error.message = message;
	error.context.details = {
		outcome,
		...(status !== undefined && { status }),
		...(outcome === 'unknown' && errorContext.isChange && { verifyAt: errorContext.verifyAt }),
	};
	return error;
}

/** Adds when the rate limit ends, for versions of n8n that read it. */
export function rateLimited(error: NodeApiError, retryAfterMs: number): NodeApiError {
	return Object.assign(error, { failure: { cause: 'rate-limited', retryAfterMs } });
}

/** The error for a response with status 400 or above. */
export const statusError = (
	node: INode,
	{ statusCode, body }: ApiResponse,
	errorContext: ErrorContext,
) =>
	apiError(
		node,
		{
			kind: 'status',
			status: statusCode,
			reason: reasonOf(body, reader(errorContext.secrets)),
			isWebPage: isWebPage(body),
		},
		errorContext,
	);

/** The error for a request without a response. */
export function failureError(
	node: INode,
	failure: Error,
	errorContext: ErrorContext,
): NodeApiError {
	const { cause } = failure;
	const source: { code?: unknown; message?: unknown } =
		isRecord(cause) && typeof cause.message === 'string' ? cause : failure;
	const { code } = source;
	const message = String(source.message);
	const isOfNetwork = typeof code === 'string' || /timeout|timed out|socket|aborted/i.test(message);
	const kind = wasNeverConnected(failure)
		? 'not reached'
		: isOfNetwork && !/^ERR_INVALID/.test(String(code))
			? 'no answer'
			: 'not sent';
	return apiError(node, { kind, cause: reader(errorContext.secrets)(message) }, errorContext);
}

/** The system calls before a request; any other may have failed after it was sent. */
const BEFORE = ['connect', 'getaddrinfo'];

/** Whether a failure proves that the service has seen nothing. */
export function wasNeverConnected(failure: unknown): boolean {
	const calls = systemCalls(failure);
	return calls.length > 0 && calls.every((call) => BEFORE.includes(call));
}

/** Levels of causes that are read. */
const MAX_DEPTH = 5;

/**
 * The system calls that failed, with '' for a part that names none. HTTP clients wrap the error of Node.js, which has
 * a part for each address of the host that it tried.
 */
function systemCalls(failure: unknown, depth = 0): string[] {
	if (!isRecord(failure) || depth > MAX_DEPTH) return [];
	const { syscall, errors, cause } = failure;
	const ofParts = (isList(errors) ? errors : []).flatMap((part) => {
		const calls = systemCalls(part, depth + 1);
		return calls.length > 0 ? calls : [''];
	});
	const own = typeof syscall === 'string' ? [syscall] : [];
	return [...own, ...ofParts, ...systemCalls(cause, depth + 1)];
}

/** Statuses that are about the account or its limit rather than one record. */
const OF_ACCOUNT = ['401', '403', '429'];

/** Whether a request of a poll failed because of its record alone: otherwise the whole poll is repeated. */
export const isOfRecord = (error: unknown): boolean =>
	error instanceof NodeApiError && !OF_ACCOUNT.includes(String(error.httpCode));

/** Whether a change failed in a way that leaves open whether it was applied. */
export function isOutcomeUnknown(error: unknown): boolean {
	const details = detailsOf(error);
	return details?.outcome === 'unknown' && details.verifyAt !== undefined;
}

/** Blanks secrets before it cuts, because half of a secret is not recognised. */
export function reader(secrets: string[]): ReadText {
	const blank = blanker(secrets);
	return (text) => cut(withoutTags(blank(text)));
}
