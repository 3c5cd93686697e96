import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { ApiResponse } from '../n8n/context';
import { isWebPage } from './answer';
import type { ErrorFacts, Happening, Mismatch } from './messages';
import { tell } from './messages';
import { detailsOf } from './outcome';
import type { ReadReason } from './reason';
import { cut, reasonOf, withoutTags } from './reason';
import { blanker } from './secrets';

/** What the errors of a request need to know. */
export interface ErrorContext extends ErrorFacts {
	/** What must not be repeated in a message: the token, and passwords that were sent. */
	secrets: string[];
	/** The body of the request. */
	sent?: unknown;
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
	const error = new NodeApiError(node, {} as JsonObject, {
		message,
		description: blank(told.description),
		...(status !== undefined && { httpCode: String(status) }),
	});
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
			reason: reasonOf(body, statusCode, reader(errorContext.secrets, errorContext.sent)),
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
	const cause = failure.cause as { message?: unknown } | undefined;
	const { code, message } = (typeof cause?.message === 'string' ? cause : failure) as {
		code?: unknown;
		message: string;
	};
	const isOfNetwork = typeof code === 'string' || /timeout|timed out|socket|aborted/i.test(message);
	const kind = wasNeverConnected(failure)
		? 'not reached'
		: isOfNetwork && !/^ERR_INVALID/.test(String(code))
			? 'no answer'
			: 'not sent';
	return apiError(node, { kind, cause: reader(errorContext.secrets)(message) }, errorContext);
}

/** What comes before a request: whatever fails later may have followed on it, also an unreachable host. */
const BEFORE = ['connect', 'getaddrinfo'];

/**
 * Whether a failure proves that the service has seen nothing. Axios and n8n wrap what Node.js reports, which is one
 * error for each address of a host when it tried several.
 */
export function wasNeverConnected(failure: unknown): boolean {
	const calls = systemCalls(failure);
	return calls.length > 0 && calls.every((call) => BEFORE.includes(call));
}

/** Causes further down are of no use. */
const MAX_DEPTH = 5;

/** The system calls that a failure, its parts and its causes are of; an empty one where a part does not say. */
function systemCalls(failure: unknown, depth = 0): string[] {
	if (typeof failure !== 'object' || failure === null || depth > MAX_DEPTH) return [];
	const { syscall, errors, cause } = failure as Record<string, unknown>;
	const parts = Array.isArray(errors) ? (errors as unknown[]) : [];
	return [
		...(typeof syscall === 'string' ? [syscall] : []),
		...parts.flatMap((part) => {
			const calls = systemCalls(part, depth + 1);
			return calls.length > 0 ? calls : [''];
		}),
		...systemCalls(cause, depth + 1),
	];
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

/** Reads what others say: first without secrets, since half of one would not be known any more, then cut. */
export function reader(secrets: string[], sent?: unknown): ReadReason {
	const blank = blanker(secrets);
	return Object.assign((text: string) => cut(withoutTags(blank(text))), { sent });
}
