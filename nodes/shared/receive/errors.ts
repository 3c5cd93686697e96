import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isList, isRecord } from '../lib/isRecord';
import type { ApiResponse } from '../n8n/context';
import { isWebPage } from './answer';
import type { ErrorFacts, Happening, Mismatch, Outcome } from './messages';
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

/** What the errors of a request need to know. */
export interface ErrorContext extends ErrorFacts {
	/** What must not be repeated in a message: the token, and passwords that were sent. */
	secrets: string[];
}

/** The error for what has happened to a request; its context has `details`, as far as the request knows them. */
export function apiError(
	node: INode,
	happening: Happening,
	errorContext: ErrorContext,
): NodeApiError {
	const { outcome, ...told } = tell(happening, errorContext);
	const blank = blanker(errorContext.secrets);
	const message = blank(told.message);
	const status = happening.kind === 'status' ? happening.status : undefined;
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: blank(told.description),
			...(status !== undefined && { httpCode: String(status) }),
		},
	);
	// n8n puts words of its own in the place of a message in which it sees the code of a network error.
	error.message = message;
	error.context.details = {
		outcome,
		...(status !== undefined && { status }),
		...(outcome === 'unknown' && errorContext.isChange && { verifyAt: errorContext.verifyAt }),
	};
	return error;
}

/** Says when the rate limit ends, for an n8n that reads it. */
export function rateLimited(error: NodeApiError, retryAfterMs: number): NodeApiError {
	// Older versions of n8n do not know the field.
	return Object.assign(error, { failure: { cause: 'rate-limited', retryAfterMs } });
}

/** The most characters of an id or a state in a message. */
const MAX_ID = 100;

/** The error for an answer about something else than what was asked. */
export function mismatchError(
	node: INode,
	mismatch: Mismatch,
	errorContext: ErrorContext,
): NodeApiError {
	const blank = blanker(errorContext.secrets);
	const short = Object.entries(mismatch).map(([name, text]) => [name, cut(blank(text), MAX_ID)]);
	return apiError(
		node,
		{ kind: 'mismatch', mismatch: Object.fromEntries(short) as Mismatch },
		errorContext,
	);
}

/** The error for an answer with status 400 or above. */
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

/** The error for a request that got no answer. */
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
