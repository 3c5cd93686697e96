import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isList, isRecord } from '../lib/records';
import type { ApiResponse } from '../n8n/context';
import { formOf, isWebPage } from './answer';
import type { ErrorFacts, Happening, Outcome } from './messages';
import { tell } from './messages';
import { blanker } from './secrets';

/** A failure as data. */
export interface ErrorDetails {
	outcome: Outcome;
	/** HTTP status of the response. */
	status?: number;
	/** The task that was started. */
	taskId?: string;
	/** The number of the input item, from 1. */
	item?: number;
	/** Where to check the change: a path, and the operation that reads it, such as `/tags/7 (Tag: Get)`. */
	verifyAt?: string;
}

export const detailsOf = (error: unknown): ErrorDetails | undefined =>
	error instanceof NodeApiError || error instanceof NodeOperationError
		? (error.context.details as ErrorDetails | undefined)
		: undefined;

export function withDetails<E extends NodeApiError | NodeOperationError>(
	error: E,
	details: ErrorDetails,
): E {
	error.context.details = details;
	return error;
}

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

/** Facts about a request for its errors. */
export interface ErrorContext extends ErrorFacts {
	/** The token and the passwords in the request, which no message repeats. */
	secrets: string[];
}

/** The most characters of an ID or a state in a message. */
const MAX_ID = 100;

/** The error for a request; its context has the `details`. */
export function apiError(node: INode, happening: Happening, about: ErrorContext): NodeApiError {
	const { isChange, secrets, verifyAt } = about;
	const blank = blanker(secrets);
	const texts = tell(happening, about, (text) => cut(blank(text), MAX_ID));
	const [message, description] = [blank(texts.message), blank(texts.description)];
	const status = happening.kind === 'status' ? happening.status : undefined;
	const error = new NodeApiError(node, {}, { message, description, httpCode: status?.toString() });
	// n8n replaces a message that contains the code of a network error.
	error.message = message;
	return withDetails(error, {
		outcome: texts.outcome,
		...(status !== undefined && { status }),
		...(texts.outcome === 'unknown' && isChange && { verifyAt }),
	});
}

/** Adds the milliseconds until the rate limit ends, for versions of n8n that read it. */
export function rateLimited(error: NodeApiError, retryAfterMs: number): NodeApiError {
	return Object.assign(error, { failure: { cause: 'rate-limited', retryAfterMs } });
}

/** The error for a response with status 400 or above. */
export function statusError(
	node: INode,
	{ statusCode: status, body }: ApiResponse,
	about: ErrorContext,
): NodeApiError {
	const reason = reasonOf(body, reader(about.secrets));
	return apiError(node, { kind: 'status', status, reason, isWebPage: isWebPage(body) }, about);
}

/** The error for a request without a response. */
export function failureError(node: INode, failure: Error, about: ErrorContext): NodeApiError {
	const { cause } = failure;
	const { code, message: text }: { code?: unknown; message?: unknown } =
		isRecord(cause) && typeof cause.message === 'string' ? cause : failure;
	const message = String(text);
	const isOfNetwork = typeof code === 'string' || /timeout|timed out|socket|aborted/i.test(message);
	const kind = wasNeverConnected(failure)
		? 'not reached'
		: isOfNetwork && !/^ERR_INVALID/.test(String(code))
			? 'no answer'
			: 'not sent';
	return apiError(node, { kind, cause: reader(about.secrets)(message) }, about);
}

/** The system calls before a request is sent. */
const BEFORE = ['connect', 'getaddrinfo'];

/** Whether a failure proves that the service did not receive the request. */
export function wasNeverConnected(failure: unknown): boolean {
	const calls = systemCalls(failure);
	return calls.length > 0 && calls.every((call) => BEFORE.includes(call));
}

/** The most nested causes that are read. */
const MAX_CAUSES = 5;

/** The system calls that failed. Node.js reports each address of a host; one without a call is an empty text. */
function systemCalls(failure: unknown, depth = 0): string[] {
	if (!isRecord(failure) || depth > MAX_CAUSES) return [];
	const { syscall, errors, cause } = failure;
	const ofParts = (isList(errors) ? errors : []).flatMap((part) => {
		const calls = systemCalls(part, depth + 1);
		return calls.length > 0 ? calls : [''];
	});
	const own = typeof syscall === 'string' ? [syscall] : [];
	return [...own, ...ofParts, ...systemCalls(cause, depth + 1)];
}

/** Statuses for the account or its rate limit, not for one record. */
const OF_ACCOUNT = ['401', '403', '429'];

/** Whether a request failed because of its record; otherwise the whole poll is repeated. */
export const isOfRecord = (error: unknown): boolean =>
	error instanceof NodeApiError && !OF_ACCOUNT.includes(String(error.httpCode));

/** Whether a change failed, but may have been applied. */
export function isOutcomeUnknown(error: unknown): boolean {
	const details = detailsOf(error);
	return details?.outcome === 'unknown' && details.verifyAt !== undefined;
}

/** Blanks secrets before it cuts texts, because half of a secret is not recognised. */
export function reader(secrets: string[]): ReadText {
	const blank = blanker(secrets);
	return (text) => cut(withoutTags(blank(text)));
}

/** The most characters of a reason in a message. */
export const MAX_REASON = 500;

/** Prepares a text of the service for a message: without secrets and tags, and cut. */
export type ReadText = (text: string) => string;

export const cut = (text: string, max = MAX_REASON) =>
	text.length > max ? `${text.slice(0, max - 1)}…` : text;

/** Removes HTML tags; returns an empty text for a whole page. */
const withoutTags = (text: string) =>
	isWebPage(text) || /<(html|head|body|style|script)\b/i.test(text)
		? ''
		: text.replace(/<\/?[a-z][^<>]*>/gi, ' ').trim();

/** The reason in the body of an error: a plain text, or an object in `error` or without this wrapper. */
export function reasonOf(body: unknown, readText: ReadText): string {
	if (typeof body === 'string') return formOf(body) === 'text' ? readText(body.trim()) : '';
	return cut(reasonWithin(isRecord(body) ? (body.error ?? body) : body, readText));
}

/** The reason in `{ message, code, details }`, or in what `details` can be. Source: Part A, 7; Part C. */
export function reasonWithin(error: unknown, readText: ReadText = (text) => text): string {
	if (!isRecord(error)) return detailsIn(error, readText);
	const [message = ''] = textsIn(error.message, error.code).map(readText);
	const details = detailsIn(error.details, readText);
	const isRepeated = isRepeatedIn(message, details) || isRepeatedIn(details, message);
	return details && isRepeated ? details : [message, details].filter(Boolean).join(': ');
}

const textsIn = (...values: unknown[]) =>
	values.filter((value) => typeof value === 'string' && value !== '').map(String);

/** The most entries of a level of details, and the most levels, in a reason. */
const MAX_ENTRIES = 20;
const MAX_DEPTH = 4;

/** Details are a text, `{ code, param, message }`, an object of texts by field, or a list of these. */
function detailsIn(details: unknown, readText: ReadText, depth = 0): string {
	if (typeof details === 'string') return readText(details);
	if (depth > MAX_DEPTH || typeof details !== 'object' || details === null) return '';
	if (isRecord(details)) {
		const [reason] = textsIn(details.message, details.code);
		if (reason !== undefined) return [...textsIn(details.param), reason].map(readText).join(': ');
	}
	const entries = Object.entries(details).slice(0, MAX_ENTRIES);
	const parts = entries.map(([field, each]) => {
		const reason = detailsIn(each, readText, depth + 1);
		return isList(details) || reason === '' ? reason : `${readText(field)}: ${reason}`;
	});
	return [...new Set(parts.filter(Boolean))].join('; ');
}

/** Whether a text contains all words of another one, in the same order. */
const isRepeatedIn = (text: string, other: string) =>
	` ${wordsOf(other)} `.includes(` ${wordsOf(text)} `);

const wordsOf = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ');
