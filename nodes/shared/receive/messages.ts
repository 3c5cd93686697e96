import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest, ApiResponse } from '../n8n/context';
import { isOfService, keysReceived } from './answer';

/** The texts of all errors of a request. The decisive clause is in the message, because agents see nothing else. */

/**
 * - `refused`: the service refused the request; nothing was changed.
 * - `notSent`: the request was not sent; nothing was changed.
 * - `unknown`: there is no valid response. A change may have been applied; a read changes nothing.
 * - `started`: the service started work, which failed or whose end was not seen.
 */
export type Outcome = 'refused' | 'notSent' | 'unknown' | 'started';

/** A difference between request and response; of a bulk result, the IDs that are missing and that were not requested. */
export interface Mismatch {
	of: 'record' | 'state' | 'ids' | 'count';
	/** The path of a state in the record. */
	place?: string;
	asked: string;
	came: string;
}

export interface ErrorContext extends Pick<ApiRequest, 'lists' | 'labels'> {
	isChange: boolean;
	/** The path below the base URL, such as `/tags/7`. */
	path: string;
	/** Where to check whether a change was applied: `/tags (Tag: Get Many)`. */
	verifyAt: string;
	baseUrl: string;
	/** The token and the passwords in the request, which no message repeats. */
	secrets: string[];
}

const BASE_URL =
	'The Base URL must be the address of the API with its version, such as https://api.example.com/api/v6.';
const CHECK_CREDENTIAL = `Check the credential. ${BASE_URL}`;

const FOREIGN =
	' (the rate-limit headers of the service are missing, so a proxy between n8n and the service may have responded)';

const after = (reason: string) => (reason ? `: ${reason}` : '');

/** The node that shows a response unchanged. */
const RAW = '"Site Management API"';

type Row = [title: string, todo: string];

/** By status. Source: Part A, 7. */
const STATUSES: Record<number, Row> = {
	400: ['The service rejected the request', 'Correct the parameter named in the message.'],
	401: [
		'The service rejected the API token',
		"Open the node's credential and enter a valid token. The account's owner creates tokens in the dashboard, on the page for API credentials.",
	],
	403: [
		'The service does not allow this',
		'The account may be inactive, or the token may lack this permission. Ask the owner of the account.',
	],
	404: [
		'The service found no such record',
		'The record may have been deleted, or the ID belongs to another account.',
	],
	405: ['The service does not support this request (405)', CHECK_CREDENTIAL],
	409: [
		'This conflicts with the current state of the record',
		'Other work on the record may be in progress. Check the running tasks.',
	],
	// The reason says what to correct.
	422: ['The service rejected this', ''],
	429: [
		'The rate limit was still used up after several attempts',
		'Something else uses the same account. Set "Requests per Minute" in the credential, or run fewer workflows at the same time.',
	],
};

function otherStatus(status: number): Row {
	if (status >= 500) return [`The service failed (${status})`, 'Try again later.'];
	const todo = 'If the service gave a reason, it is in the message.';
	return [`The service rejected the request (${status})`, todo];
}

const failure = (message: string, description: string, outcome: Outcome = 'unknown') => ({
	message,
	description,
	outcome,
});

export type Failure = ReturnType<typeof failure>;

/** Adds to a failure that the change may have been applied, if it may. */
export function ofChange(failed: Failure, { isChange, verifyAt }: ErrorContext): Failure {
	if (!isChange || failed.outcome !== 'unknown') return failed;
	const applied = `the change may have been applied: check ${verifyAt} before you repeat it`;
	return failure(
		`${failed.message}; ${applied}`,
		`The request was not sent again because ${applied}. ${failed.description}`,
	);
}

export const failures = {
	/** The service refused the request or failed. `reason` may be empty. */
	status(status: number, reason: string, isWebPage: boolean, { path, lists }: ErrorContext) {
		const [title, todo] = STATUSES[status] ?? otherStatus(status);
		const isUnknownId = status === 404 && lists;
		const parts = [
			`${title}${after(reason)}`.replace(isUnknownId ? /\.$/ : '', ''),
			isUnknownId ? `; list the IDs with ${lists}` : '',
			// Which record of several in a path, only the path says.
			status === 404 || status === 409 ? ` (${path})` : '',
		];
		return failure(
			parts.join(''),
			isWebPage && status < 500 ? `The response is a web page. ${CHECK_CREDENTIAL}` : todo,
			status >= 500 ? 'unknown' : 'refused',
		);
	},
	/** @param form such as `a web page` @param isRaw whether the node can return any response unchanged */
	wrongAnswer(form: string, answer: ApiResponse, isRaw: boolean, { baseUrl }: ErrorContext) {
		const isForeign = !isOfService(answer);
		const received = keysReceived(answer.body);
		const keys = isRaw ? received : `${received}; the node ${RAW} shows the full response`;
		const ofService = received && ` (received: ${keys})`;
		const show = isRaw
			? 'Set "Response" to "Unchanged" to return any JSON unchanged.'
			: `Use the node ${RAW} to see the full response.`;
		return failure(
			form === 'a web page'
				? `The response is a web page, not an API response. Check the Base URL of the credential (${baseUrl})`
				: `The response does not match the API: it is ${form}${isForeign ? FOREIGN : ofService}`,
			isForeign
				? `A proxy between n8n and the service may have responded. ${BASE_URL}`
				: `The service responded in a format that this node does not know. ${show}`,
		);
	},
	mismatch({ of, place, ...values }: Mismatch, { secrets }: ErrorContext) {
		const short = reader(secrets, 100);
		const [asked, came] = [short(values.asked), short(values.came)];
		const ids = [came && `it also contains ${came}`, asked && `${asked} is missing`];
		const messages = {
			record: `The response is about another record: ${asked} was requested, ${came} was returned`,
			state: `The response contradicts the request: ${place} is ${came}, not ${asked}`,
			ids: `The response is not about the requested IDs: ${ids.filter(Boolean).join(', and ')}`,
			count: `The response does not contain all records that were sent: ${came} of ${asked}`,
		};
		return failure(messages[of], 'A cache between n8n and the service may have responded.');
	},
	/** `to` is its target without a query; `baseUrl` is the right base URL, if it is known. */
	redirect({ to, baseUrl }: { to?: string; baseUrl?: string }) {
		const target = to ? `to ${to}` : 'without a target';
		const right = baseUrl ? `; the Base URL of the credential should be ${baseUrl}` : '';
		return failure(
			`The service responded with a redirect ${target}, which the node does not follow${right}`,
			CHECK_CREDENTIAL,
		);
	},
	/** No connection was made, so the request was not sent. */
	notReached: (cause: string, { isChange }: ErrorContext) =>
		failure(
			`The service could not be reached${isChange ? ': this change was not sent' : ''}`,
			`${cause}. Check the Base URL and the network.`,
			'notSent',
		),
	/** The certificate was rejected, so the request was not sent. */
	untrusted: (cause: string, { isChange, baseUrl }: ErrorContext) =>
		failure(
			`n8n rejected the certificate of the service (${cause})${isChange ? ': this change was not sent' : ''}. Check the Base URL (${baseUrl}) and the certificate`,
			'The certificate must be valid now, and for this host. If your own certificate authority has signed it, set NODE_EXTRA_CA_CERTS for n8n. A proxy between n8n and the service can have its own certificate.',
			'notSent',
		),
	/** The connection broke, or the request timed out. */
	noAnswer: (cause: string) =>
		failure('The service did not answer', `${cause}. Check the Base URL and the network.`),
	/** The response exceeds a limit, such as `is larger than 20 MB`. */
	endless: (limit: string) =>
		failure(
			`The response ${limit}. The node stopped reading it`,
			`If you read a list, set a lower Limit. Otherwise a proxy between n8n and the service may have responded. ${BASE_URL}`,
		),
	/** The request failed in the node or in n8n, before or while it was sent. */
	notSent: (cause: string) =>
		failure(
			`The request failed before it was sent${after(cause)}`,
			'The cause is in the node or in n8n, not in the service.',
		),
};

/** The IDs of records for a message, with their addresses: `7 (https://example.com)`. */
export const withAddresses = (records: IDataObject[]): string =>
	records
		.map(({ id, url, email }) => `${String(id)}${url || email ? ` (${String(url || email)})` : ''}`)
		.join(', ');

/** Makes a function that replaces these secrets, and the users of URLs, with `…`. */
export function blanker(secrets: string[]): (text: string) => string {
	// A secret can be the start of a longer one.
	const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
	return (text) =>
		longestFirst
			.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
			.replace(/\/\/[^/?#\s]*@/g, '//…@');
}

/** In characters. */
export const MAX_REASON = 500;

/** Makes a function that prepares a text of the service for a message. Half of a secret would not be blanked. */
export const reader =
	(secrets: string[], max = MAX_REASON) =>
	(text: string) =>
		cut(withoutTags(blanker(secrets)(text)), max);

export const cut = (text: string, max = MAX_REASON) =>
	text.length > max ? `${text.slice(0, max - 1)}…` : text;

/** A text without tags of HTML; nothing of a whole page. */
const withoutTags = (text: string) =>
	/<(!doctype|html|head|body|style|script)\b/i.test(text)
		? ''
		: text.replace(/<\/?[a-z][^<>]*>/gi, ' ').trim();
