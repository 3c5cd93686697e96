import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { isList, isRecord } from '../lib';
import type { ApiResponse } from '../n8n/context';
import { formOf, isWebPage } from './answer';
import type { ErrorContext, Failure, Outcome } from './messages';
import { blanker, failures, ofChange, reader } from './messages';

/** A failure as data: with the HTTP status, the task that was started, and the number of the input item, from 1. */
export interface ErrorDetails {
	outcome: Outcome;
	status?: number;
	taskId?: string;
	item?: number;
	/** Where to check the change: a path, and the operation that reads it, such as `/tags/7 (Tag: Get)`. */
	verifyAt?: string;
}

export const detailsOf = (error: unknown): ErrorDetails | undefined =>
	error instanceof NodeApiError || error instanceof NodeOperationError
		? (error.context.details as ErrorDetails | undefined)
		: undefined;

/** Adds the details, and the message again: n8n replaces one that contains the code of a network error. */
export function withDetails<E extends NodeApiError | NodeOperationError>(
	error: E,
	message: string,
	details: ErrorDetails,
): E {
	error.message = message;
	error.context.details = details;
	return error;
}

export const knownError = (
	node: INode,
	details: ErrorDetails,
	message: string,
	description: string,
): NodeOperationError =>
	withDetails(new NodeOperationError(node, message, { description }), message, details);

/** The error for a request, without its secrets; its context has the `details`. */
export function apiError(node: INode, failed: Failure, about: ErrorContext, status?: number) {
	const { isChange, secrets, verifyAt } = about;
	const blank = blanker(secrets);
	const { outcome, ...texts } = ofChange(failed, about);
	const [message, description] = [blank(texts.message), blank(texts.description)];
	const error = new NodeApiError(node, {}, { message, description, httpCode: status?.toString() });
	return withDetails(error, message, {
		outcome,
		...(status !== undefined && { status }),
		...(outcome === 'unknown' && isChange && { verifyAt }),
	});
}

export function statusError(node: INode, { statusCode, body }: ApiResponse, about: ErrorContext) {
	const reason = reader(about.secrets)(withLabels(reasonOf(body), about.labels));
	const failed = failures.status(statusCode, reason, isWebPage(body), about);
	return apiError(node, failed, about, statusCode);
}

/** A reason that names parameters as the panel does, where it names places in the request. */
const withLabels = (reason: string, labels: Record<string, string> = {}) =>
	reason.replace(/(^|[:;] )([\w.:[\]]+)(?=: )/g, (all, before: string, place: string) => {
		const label = labels[place] ?? labels[place.replace(/\[\d*\]$/, '')];
		return label === undefined ? all : `${before}${label}`;
	});

/** The error for a request without a response. */
export function failureError(node: INode, failure: Error, about: ErrorContext): NodeApiError {
	const { cause } = failure;
	const { code, message }: { code?: unknown; message?: unknown } =
		isRecord(cause) && typeof cause.message === 'string' ? cause : failure;
	const text = reader(about.secrets)(String(message));
	if (isUntrusted(failure)) return apiError(node, failures.untrusted(text, about), about);
	if (wasNeverConnected(failure)) return apiError(node, failures.notReached(text, about), about);
	const isOfNetwork =
		typeof code === 'string'
			? !code.startsWith('ERR_INVALID')
			: /timeout|timed out|socket|aborted/i.test(String(message));
	return apiError(node, isOfNetwork ? failures.noAnswer(text) : failures.notSent(text), about);
}

const MAX_CAUSES = 5;

/** Codes of a certificate that Node.js rejects before it sends the request. Source: Node.js, X509 certificate error codes. */
const CERTIFICATE =
	/^(CERT_|CRL_|DEPTH_ZERO_|ERROR_IN_C|ERR_TLS_CERT_ALTNAME_|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_|(HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)$)/;

/** Whether the certificate of the service was rejected. */
export function isUntrusted(failure: unknown, depth = 0): boolean {
	if (!isRecord(failure) || depth > MAX_CAUSES) return false;
	return CERTIFICATE.test(String(failure.code)) || isUntrusted(failure.cause, depth + 1);
}

/** Whether a failure proves that the service did not receive the request. Node.js reports each address of a host. */
export function wasNeverConnected(failure: unknown, depth = 0): boolean {
	if (!isRecord(failure) || depth > MAX_CAUSES) return false;
	const { syscall, errors, cause } = failure;
	if (isUntrusted(failure)) return true;
	// The system calls before a request is sent.
	if (typeof syscall === 'string') return ['connect', 'getaddrinfo'].includes(syscall);
	const parts = isList(errors) && errors.length > 0 ? errors : [cause];
	return parts.every((part) => wasNeverConnected(part, depth + 1));
}

/** Whether a request failed because of its record, not of the account or its rate limit; also where a limit refused it. */
export const isOfRecord = (error: unknown): boolean =>
	error instanceof NodeApiError
		? !['401', '403', '429'].includes(String(error.httpCode))
		: detailsOf(error)?.outcome === 'notSent';

/** What is read; undefined if that fails because of its record. */
export const orUnread = async <T>(reading: Promise<T>): Promise<T | undefined> =>
	await reading.catch((error: unknown) => {
		if (!isOfRecord(error)) throw error;
		return undefined;
	});

/** Whether the work of a change was started, although it failed. */
export const isStarted = (error: unknown) => detailsOf(error)?.outcome === 'started';

/** Whether a change failed, but was or may have been applied. */
export function mayBeApplied(error: unknown): boolean {
	const details = detailsOf(error);
	return isStarted(error) || (details?.outcome === 'unknown' && details.verifyAt !== undefined);
}

/** The reason in the body of an error: a plain text, or an object in `error` or without this wrapper. */
export function reasonOf(body: unknown): string {
	if (typeof body === 'string') return formOf(body) === 'text' ? body.trim() : '';
	return reasonWithin(isRecord(body) ? (body.error ?? body) : body);
}

/** The reason in `{ message, code, details }`, or in what `details` can be. Source: Part A, 7; Part C. */
export function reasonWithin(error: unknown): string {
	if (!isRecord(error)) return detailsIn(error);
	const [message = ''] = textsIn(error.message, error.code);
	const details = detailsIn(error.details);
	const isRepeated = isRepeatedIn(message, details) || isRepeatedIn(details, message);
	return details && isRepeated ? details : [message, details].filter(Boolean).join(': ');
}

const textsIn = (...values: unknown[]) =>
	values.filter((value): value is string => typeof value === 'string' && value !== '');

/** Details are a text, `{ code, param, message }`, an object of texts by field, or a list of these. */
function detailsIn(details: unknown): string {
	if (typeof details === 'string') return details;
	if (typeof details !== 'object' || details === null) return '';
	if (isRecord(details)) {
		const [reason] = textsIn(details.message, details.code);
		if (reason !== undefined) return [...textsIn(details.param), reason].join(': ');
	}
	const parts = Object.entries(details).map(([field, each]) => {
		const reason = detailsIn(each);
		return isList(details) || reason === '' ? reason : `${field}: ${reason}`;
	});
	return [...new Set(parts.filter(Boolean))].join('; ');
}

/** Whether a text contains all words of another one, in the same order. */
const isRepeatedIn = (text: string, other: string) =>
	` ${wordsOf(other)} `.includes(` ${wordsOf(text)} `);

const wordsOf = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ');
