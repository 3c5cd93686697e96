import type { IDataObject } from 'n8n-workflow';

/** The texts of all errors of a request. The decisive clause is in the message, because agents see nothing else. */

/**
 * - `refused`: the service refused the request; nothing was changed.
 * - `notSent`: the request was not sent; nothing was changed.
 * - `unknown`: there is no valid response. A change may have been applied; a read changes nothing.
 * - `started`: the service started work, which failed or whose end was not seen.
 */
export type Outcome = 'refused' | 'notSent' | 'unknown' | 'started';

/** Why a request failed. */
export type Happening =
	/** The service refused the request or failed. `reason` may be empty. */
	| { kind: 'status'; status: number; reason: string; isWebPage?: boolean }
	/**
	 * A response that does not match the reference: its form, such as `a web page`, and its keys.
	 * `isForeign`: a proxy sent it; `isRaw`: the node can return any response unchanged.
	 */
	| { kind: 'wrong answer'; form: string; received?: string; isForeign?: boolean; isRaw?: boolean }
	/** A response that contradicts the request. */
	| { kind: 'mismatch'; mismatch: Mismatch }
	/** `to` is its target without a query; `baseUrl` is the right base URL, if it is known. */
	| { kind: 'redirect'; to?: string; baseUrl?: string }
	/** No connection was made, so the request was not sent. */
	| { kind: 'not reached'; cause: string }
	/** The connection broke, or the request timed out. */
	| { kind: 'no answer'; cause: string }
	/** The response exceeds a limit, such as `is larger than 16 MB`. */
	| { kind: 'endless'; limit: string }
	/** The request failed in the node or in n8n, before or while it was sent. */
	| { kind: 'not sent'; cause: string };

type Kind<K extends Happening['kind']> = Extract<Happening, { kind: K }>;

/** A difference between request and response, with IDs, states and numbers only. */
export interface Mismatch {
	of: 'record' | 'state' | 'ids' | 'count';
	/** The path of a state in the record. */
	place?: string;
	/** The requested value; of a bulk result, the IDs that are missing. */
	asked: string;
	/** The returned value; of a bulk result, the IDs that were not requested. */
	came: string;
}

/** Facts about the request. */
export interface ErrorFacts {
	isChange: boolean;
	/** The path below the base URL, such as `/tags/7`. */
	path: string;
	/** Where to check whether a change was applied: `/tags (Tag: Get Many)`. */
	verifyAt: string;
	/** The operations that list the IDs in the path: `Site: Get Many and Note: Get Many`. */
	lists?: string;
	baseUrl: string;
}

export interface ErrorText {
	message: string;
	description: string;
	outcome: Outcome;
}

const BASE_URL =
	'The Base URL must be the address of the API with its version, such as https://api.example.com/api/v6';

const after = (reason: string) => (reason ? `: ${reason}` : '');

/** The node that shows a response unchanged. */
const RAW = '"Site Management API"';

/** Details of a refused response: its keys, or its sender. */
function clue({ received, isForeign, isRaw }: Kind<'wrong answer'>): string {
	if (isForeign) {
		return ' (the rate-limit headers of the service are missing, so a proxy between n8n and the service may have responded)';
	}
	if (!received) return '';
	return ` (received: ${received}${isRaw ? '' : `; the node ${RAW} shows the full response`})`;
}

/** A title, in which `{path}` is replaced with the path of the request, and what to do. */
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
		'The service found no record at {path}',
		'The record may have been deleted, or the ID belongs to another account.',
	],
	405: ['The service does not support this request (405)', `Check the credential. ${BASE_URL}.`],
	409: [
		'This conflicts with the current state of the record ({path})',
		'Other work on the record may be in progress. Check the running tasks.',
	],
	422: ['The service rejected this', 'Correct what the message names, and try again.'],
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

type Short = (text: string) => string;

/** The texts for a failed request; `short` cuts an ID or a state. */
export function tell(
	happening: Happening,
	about: ErrorFacts,
	short: Short = (text) => text,
): ErrorText {
	const { message, description, outcome } = textsOf(happening, about, short);
	if (!about.isChange || outcome !== 'unknown') return { message, description, outcome };
	const applied = `the change may have been applied: check ${about.verifyAt} before you repeat it`;
	return texts(
		`${message}; ${applied}`,
		`The request was not sent again because ${applied}. ${description}`,
	);
}

const texts = (message: string, description: string, outcome: Outcome = 'unknown') => ({
	message,
	description,
	outcome,
});

function textsOf(happening: Happening, about: ErrorFacts, short: Short): ErrorText {
	switch (happening.kind) {
		case 'status':
			return ofStatus(happening, about);
		case 'wrong answer':
			return ofWrongAnswer(happening, about);
		case 'mismatch':
			return texts(
				contradiction(happening.mismatch, short),
				'A cache between n8n and the service may have responded.',
			);
		case 'redirect':
			return texts(redirected(happening), `Check the credential. ${BASE_URL}.`);
		case 'not reached':
			return texts(
				`The service could not be reached${about.isChange ? ': this change was not sent' : ''}`,
				`${happening.cause}. Check the Base URL and the network.`,
				'notSent',
			);
		case 'no answer':
			return texts(
				'The service did not answer',
				`${happening.cause}. Check the Base URL and the network.`,
			);
		case 'endless':
			return texts(
				`The response ${happening.limit}. The node stopped reading it`,
				`If you read a list, set a lower Limit. Otherwise a proxy between n8n and the service may have responded. ${BASE_URL}.`,
			);
		case 'not sent':
			return texts(
				`The request failed before it was sent${after(happening.cause)}`,
				'The cause is in the node or in n8n, not in the service.',
			);
	}
}

function ofStatus({ status, reason, isWebPage }: Kind<'status'>, about: ErrorFacts): ErrorText {
	const [title, todo] = STATUSES[status] ?? otherStatus(status);
	const message = `${title.replace('{path}', () => about.path)}${after(reason)}`;
	const isUnknownId = status === 404 && about.lists;
	return texts(
		isUnknownId ? `${message.replace(/\.$/, '')}; list the IDs with ${about.lists}` : message,
		isWebPage && status < 500
			? `The response is a web page. Check the credential. ${BASE_URL}.`
			: todo,
		status >= 500 ? 'unknown' : 'refused',
	);
}

function ofWrongAnswer(happening: Kind<'wrong answer'>, { baseUrl }: ErrorFacts): ErrorText {
	const { form, isForeign, isRaw } = happening;
	const show = isRaw
		? 'Set "Response" to "Unchanged" to return any JSON unchanged.'
		: `Use the node ${RAW} to see the full response.`;
	return texts(
		form === 'a web page'
			? `The response is a web page, not an API response. Check the Base URL of the credential (${baseUrl})`
			: `The response does not match the API: it is ${form}${clue(happening)}`,
		isForeign === false
			? `The service responded in a format that this node does not know. ${show}`
			: `A proxy between n8n and the service may have responded. ${BASE_URL}.`,
	);
}

function redirected({ to, baseUrl }: Kind<'redirect'>): string {
	const target = to ? `to ${to}` : 'without a target';
	const right = baseUrl ? `; the Base URL of the credential should be ${baseUrl}` : '';
	return `The service responded with a redirect ${target}, which the node does not follow${right}`;
}

function contradiction({ of, place, ...values }: Mismatch, short: Short): string {
	const [asked, came] = [short(values.asked), short(values.came)];
	switch (of) {
		case 'record':
			return `The response is about another record: ${asked} was requested, ${came} was returned`;
		case 'state':
			return `The response contradicts the request: ${place} is ${came}, not ${asked}`;
		case 'count':
			return `The response does not contain all records that were sent: ${came} of ${asked}`;
		case 'ids': {
			const parts = [came && `it also contains ${came}`, asked && `${asked} is missing`];
			return `The response is not about the requested IDs: ${parts.filter(Boolean).join(', and ')}`;
		}
	}
}

/** The IDs of records for a message, with their addresses: `7 (https://example.com)`. */
export const withAddresses = (records: IDataObject[]): string =>
	records
		.map(({ id, url, email }) => `${String(id)}${url || email ? ` (${String(url || email)})` : ''}`)
		.join(', ');
