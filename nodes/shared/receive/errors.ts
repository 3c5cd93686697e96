import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { isRecord } from '../isRecord';
import type { ApiResponse } from '../transport/context';
import { formOf, isWebPage } from './answer';
import type { About, Happening } from './messages';
import { MAX_REASON, tell } from './messages';

/** What the errors of a request need to know. */
export interface Errand extends About {
	/** What must not be repeated in a message: the token, and passwords that were sent. */
	secrets: string[];
}

/** The error for what has happened to a request. */
export function apiError(node: INode, happening: Happening, errand: Errand): NodeApiError {
	const { message, description, isUnsure } = tell(happening, errand);
	const error = new NodeApiError(node, {} as JsonObject, {
		message,
		description: blanked(description, errand.secrets),
		...(happening.kind === 'status' && { httpCode: String(happening.status) }),
	});
	// n8n puts words of its own in the place of a message in which it sees the code of a network error.
	error.message = blanked(message, errand.secrets);
	error.context.outcomeUnknown = isUnsure;
	return error;
}

/** Says when the rate limit ends, for an n8n that reads it. */
export function rateLimited(error: NodeApiError, retryAfterMs: number): NodeApiError {
	// Older versions of n8n do not know the field.
	return Object.assign(error, { failure: { cause: 'rate-limited', retryAfterMs } });
}

/** The error for an answer with status 400 or above. */
export const statusError = (node: INode, { statusCode, body }: ApiResponse, errand: Errand) =>
	apiError(
		node,
		{
			kind: 'status',
			status: statusCode,
			reason: reasonOf(body, statusCode),
			isWebPage: isWebPage(body),
		},
		errand,
	);

/** The error for a request that got no answer. */
export function failureError(node: INode, failure: Error, errand: Errand): NodeApiError {
	const cause: unknown = failure.cause instanceof Error ? failure.cause : failure;
	const { code, message } = cause as { code?: unknown; message: string };
	const isOfNetwork = typeof code === 'string' || /timeout|timed out|socket|aborted/i.test(message);
	const kind = UNREACHED.includes(String(code))
		? 'not reached'
		: isOfNetwork && !/^ERR_INVALID/.test(String(code))
			? 'no answer'
			: 'not sent';
	return apiError(node, { kind, cause: cut(message) }, errand);
}

/** Failures before a connection was made, so that the service has seen nothing. */
const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether a change failed in a way that leaves open whether it was applied. */
export const isOutcomeUnknown = (error: Error): boolean =>
	error instanceof NodeApiError && error.context.outcomeUnknown === true;

/** Shorter ones could be parts of words. */
const MIN_SECRET = 4;

function blanked(text: string, secrets: string[]): string {
	return secrets
		.filter((secret) => secret.length >= MIN_SECRET)
		.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

/** Names below FTP credentials, whose form is not documented, that are no secrets. */
const OPEN = /^(host|hostname|port|protocol|user|username|name|database|path|url|http_auth)$/i;

/** The passwords in a request: what stands under such a name, or below the credentials of a connection. */
export function secretsIn(body: unknown, isSecret = false): string[] {
	if (typeof body === 'string') return isSecret ? [body] : [];
	if (Array.isArray(body)) return body.flatMap((each) => secretsIn(each, isSecret));
	if (!isRecord(body)) return [];
	return Object.entries(body).flatMap(([key, value]) =>
		secretsIn(value, isSecretAt(key, value, isSecret)),
	);
}

/**
 * Whether what stands under a name is a secret; an object of an open name still has some in it.
 * @param isBelow whether the name stands below such a one
 */
export const isSecretAt = (name: string, value: unknown, isBelow: boolean) =>
	/password|credentials|secret|token/i.test(name) ||
	(isBelow && (typeof value === 'object' || !OPEN.test(name)));

const cut = (text: string) =>
	text.length > MAX_REASON ? `${text.slice(0, MAX_REASON - 1)}…` : text;

/**
 * The reason that an error body gives. Only `error.details` is documented, and not its shape, so a text,
 * an object and an array of `{ code, param, message }` are all read, here and in the forms that others use.
 * Source: Part A, 7.
 */
function reasonOf(body: unknown, status: number): string {
	if (typeof body === 'string') return formOf(body) === 'text' ? cut(body.trim()) : '';
	if (!isRecord(body)) return '';
	if (!isRecord(body.error)) {
		const { error, message, errors, details, title } = body;
		return cut(
			[error, message ?? title, errors ?? details]
				.map((part) => describe(part))
				.filter(Boolean)
				.join(': '),
		);
	}
	const { details: given, errors, message: text, title, code } = body.error;
	const details = describe(given ?? errors);
	const message = describe(text) || describe(title) || describe(code);
	if (contains(details, message)) return cut(details);
	// Around the details, the message of a 400 only says once more that the request was not accepted.
	if (contains(message, details)) return cut(status === 400 && details ? details : message);
	return cut(`${message}: ${details}`);
}

/** Whether a text says all that another one says, in the same words. */
const contains = (text: string, other: string) =>
	other === '' || ` ${wordsOf(text)} `.includes(` ${wordsOf(other)} `);

const wordsOf = (text: string) =>
	text
		.toLowerCase()
		.match(/[\p{L}\p{N}_]+/gu)
		?.join(' ') ?? '';

/** Further down and further on nobody reads. */
const MAX_DEPTH = 5;
const MAX_ENTRIES = 20;

function describe(value: unknown, depth = 0): string {
	if (typeof value === 'string') return cut(value);
	if (typeof value === 'number') return String(value);
	if (depth > MAX_DEPTH) return '';
	const below = (part: unknown) => describe(part, depth + 1);
	if (Array.isArray(value))
		return value.slice(0, MAX_ENTRIES).map(below).filter(Boolean).join('; ');
	if (!isRecord(value)) return '';
	const { param, message, code, ...rest } = value;
	const named = [param, message ?? code].map(below).filter(Boolean).join(': ');
	const others = Object.entries(rest)
		.slice(0, MAX_ENTRIES)
		.map(([key, entry]) => [cut(key), below(entry)])
		.filter(([, text]) => text)
		.map(([key, text]) => `${key}: ${text}`);
	return [named, ...others].filter(Boolean).join('; ');
}
