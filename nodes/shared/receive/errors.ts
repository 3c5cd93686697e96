import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { isRecord } from '../isRecord';
import type { ApiRequest, ApiResponse } from '../transport/context';

/** What each status means and what to do about it. Source: Part A, 7. */
const ADVICE: Record<number, { title: string; todo: string }> = {
	400: {
		title: 'The service did not accept the request',
		todo: 'Check the parameter that it names.',
	},
	401: {
		title: 'The service did not accept the API token',
		todo: "Open the node's credential and enter a valid token. The account's owner creates tokens in the dashboard, on the page for API credentials.",
	},
	403: {
		title: 'The account is inactive',
		todo: 'Ask the owner of the account to activate it.',
	},
	404: {
		title: 'The service does not know this item',
		todo: 'It may have been deleted, or the ID belongs to another account.',
	},
	409: {
		title: 'Other work on the same item is still running',
		todo: 'Look at the running tasks and try again when they have ended.',
	},
	422: {
		title: 'A rule of the service forbids this',
		todo: 'Nothing was changed.',
	},
	429: {
		title: 'The rate limit was still used up after several tries',
		todo: 'Something else is using the same account. Set "Requests per Minute" in the credential, or run less at the same time.',
	},
};

const SERVER = {
	title: 'The service failed',
	todo: 'Try again later.',
};

/** The error for an answer with status 400 or above: what happened, the field or id, what to do. */
export function answerError(node: INode, answer: ApiResponse, sent: ApiRequest): NodeApiError {
	const status = answer.statusCode;
	const { title, todo } = ADVICE[status] ?? { ...SERVER, title: `${SERVER.title} (${status})` };
	const reason = reasonOf(answer.body, status);
	const about = status === 404 || status === 409 ? ` (${sent.url})` : '';
	const isUnsure = changes(sent) && status >= 500;
	const unsure = isUnsure ? ` ${maybeApplied(sent)}` : '';
	const error = new NodeApiError(node, {} as JsonObject, {
		httpCode: String(status),
		message: reason ? `${title}: ${reason}` : `${title}${about}`,
		description: `${reason ? todo + about : todo}${unsure}`,
	});
	return isUnsure ? markUnknown(error) : error;
}

/** The error for a request that got no answer: the connection failed or timed out. */
export function noAnswerError(node: INode, failure: Error, sent: ApiRequest): NodeApiError {
	const cause: unknown = failure.cause instanceof Error ? failure.cause : failure;
	const { code, message } = cause as { code?: unknown; message: string };
	const unreached = UNREACHED.includes(String(code));
	const isUnsure = changes(sent) && !unreached;
	const todo = isUnsure ? maybeApplied(sent) : 'Check the Base URL and the network.';
	const error = new NodeApiError(node, {} as JsonObject, {
		message: 'The service did not answer',
		description: [message, ...(changes(sent) && unreached ? ['Nothing was sent'] : []), todo]
			.filter(Boolean)
			.join('. '),
	});
	return isUnsure ? markUnknown(error) : error;
}

/** Failures before a connection was made, so that the service has seen nothing. */
const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Whether a change failed in a way that leaves open whether it was applied. */
export const isOutcomeUnknown = (error: Error): boolean =>
	error instanceof NodeApiError && error.context.outcomeUnknown === true;

function markUnknown(error: NodeApiError): NodeApiError {
	error.context.outcomeUnknown = true;
	return error;
}

const changes = ({ method }: ApiRequest) => method !== undefined && method !== 'GET';

// A change whose outcome is unknown is never sent twice, so the user has to look.
const maybeApplied = ({ method, url }: ApiRequest) =>
	`The change may have been applied all the same: look at ${url} before you send ${method} again.`;

/**
 * The reason that an error body gives. Only `error.details` is documented, and not its shape, so a text,
 * an object and an array of `{ code, param, message }` are all read. Source: Part A, 7.
 */
function reasonOf(body: unknown, status: number): string {
	const error = isRecord(body) && isRecord(body.error) ? body.error : {};
	const details = describe(error.details);
	const message = describe(error.message) || describe(error.code);
	if (contains(details, message)) return details;
	// Around the details, the message of a 400 only says once more that the request was not accepted.
	if (contains(message, details)) return status === 400 && details ? details : message;
	return `${message}: ${details}`;
}

/** Whether a text says all that another one says, in the same words. */
const contains = (text: string, other: string) =>
	other === '' || ` ${wordsOf(text)} `.includes(` ${wordsOf(other)} `);

const wordsOf = (text: string) =>
	text
		.toLowerCase()
		.match(/[\p{L}\p{N}_]+/gu)
		?.join(' ') ?? '';

function describe(value: unknown): string {
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	if (Array.isArray(value)) return value.map(describe).filter(Boolean).join('; ');
	if (!isRecord(value)) return '';
	const { param, message, code, ...rest } = value;
	const named = [param, message ?? code].map(describe).filter(Boolean).join(': ');
	const others = Object.entries(rest)
		.map(([key, entry]) => [key, describe(entry)])
		.filter(([, text]) => text)
		.map(([key, text]) => `${key}: ${text}`);
	return [named, ...others].filter(Boolean).join('; ');
}
