import type { IDataObject } from 'n8n-workflow';

/** The texts of all errors of a request. The decisive clause is in the message, which is all that agents see. */

/**
 * What is known of a failure.
 * - `refused`: the service refused the request; nothing was changed.
 * - `notSent`: the request was not sent; nothing was changed.
 * - `unknown`: there is no valid response. A change may have been applied; a read changes nothing.
 * - `started`: the service started the work, which failed or whose end was not seen.
 */
export type Outcome = 'refused' | 'notSent' | 'unknown' | 'started';

/** What has happened to a request. */
export type Happening =
	/** The service refused or failed; `reason` is empty where it gives none. */
	| { kind: 'status'; status: number; reason: string; isWebPage?: boolean }
	/**
	 * A response that is not what the reference promises. `form` is what it is: `a web page`; `received` names its keys.
	 * `isForeign`: whether the service itself sent it; `isRaw`: whether the node is the one that shows any response.
	 */
	| { kind: 'wrong answer'; form: string; received?: string; isForeign?: boolean; isRaw?: boolean }
	/** A response about something else than what was asked. */
	| { kind: 'mismatch'; mismatch: Mismatch }
	/** `to` is its target without a query, and `baseUrl` the base URL that would be right, where that is known. */
	| { kind: 'redirect'; to?: string; baseUrl?: string }
	/** No connection was made, so the request was not sent. */
	| { kind: 'not reached'; cause: string }
	/** The connection broke, or the request timed out. */
	| { kind: 'no answer'; cause: string }
	/** `limit` is how the response exceeds a limit: `is larger than 16 MB`. */
	| { kind: 'endless'; limit: string }
	/** It failed in the node or in n8n, before or while it was sent. */
	| { kind: 'not sent'; cause: string };

type Kind<K extends Happening['kind']> = Extract<Happening, { kind: K }>;

/** What was asked, and what was returned: only ids and states. */
export type Mismatch =
	| { of: 'record'; asked: string; came: string }
	/** `place` is where the record has the state: `status`. */
	| { of: 'state'; place: string; asked: string; came: string }
	/** The ids that a bulk result has besides those that were asked for, and those that it lacks. */
	| { of: 'ids'; added: string; lacking: string }
	/** How many records were sent, and how many were returned. */
	| { of: 'count'; asked: string; came: string };

/** What the texts say about the request. */
export interface ErrorFacts {
	/** Whether it changes something. */
	isChange: boolean;
	/** The path below the base URL, such as `/tags/7`. */
	path: string;
	/** Where to check whether a change was made: `/tags (Tag: Get Many)`. */
	verifyAt: string;
	/** The operations that list the IDs of its path: `Site: Get Many and Note: Get Many`. */
	lists?: string;
	baseUrl: string;
}

export interface ErrorText {
	message: string;
	description: string;
	outcome: Outcome;
}

/** The most characters of a reason that a message repeats. */
export const MAX_REASON = 500;

/** What to check in the credential after a wrong address. */
const BASE_URL =
	'The Base URL must be the address of the API with its version, such as https://api.example.com/api/v6';

const after = (reason: string) => (reason ? `: ${reason}` : '');

/** The node that shows a response unchanged. */
const RAW = '"Site Management API"';

/** What helps to find out why a response is refused. */
function clue({ received, isForeign, isRaw }: Kind<'wrong answer'>): string {
	if (isForeign) {
		return ' (the rate-limit headers of the service are missing, so a proxy between n8n and the service may have responded)';
	}
	if (!received) return '';
	return ` (received: ${received}${isRaw ? '' : `; the node ${RAW} shows the full response`})`;
}

/** A title and what to do about it. `{path}` stands for the path of the request. */
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

const otherStatus = (status: number): Row =>
	status >= 500
		? [`The service failed (${status})`, 'Try again later.']
		: [
				`The service rejected the request (${status})`,
				'If the service gave a reason, it is in the message.',
			];

type Short = (text: string) => string;

/**
 * The texts for what has happened to a request.
 * @param short makes an id or a state fit for a message
 */
export function tell(
	happening: Happening,
	about: ErrorFacts,
	short: Short = (text) => text,
): ErrorText {
	const told = textsOf(happening, about, short);
	if (!about.isChange || told.outcome !== 'unknown') return told;
	const look = `check ${about.verifyAt} before you repeat it`;
	return {
		message: `${told.message}; the change may have been applied: ${look}`,
		description: `The request was not sent again because the change may have been applied: ${look}. ${told.description}`,
		outcome: told.outcome,
	};
}

const unknown = (message: string, description: string): ErrorText => ({
	message,
	description,
	outcome: 'unknown',
});

function textsOf(happening: Happening, about: ErrorFacts, short: Short): ErrorText {
	switch (happening.kind) {
		case 'status':
			return ofStatus(happening, about);
		case 'wrong answer':
			return ofWrongAnswer(happening, about);
		case 'mismatch':
			return unknown(
				contradiction(happening.mismatch, short),
				'A cache between n8n and the service may have responded.',
			);
		case 'redirect':
			return ofRedirect(happening);
		case 'not reached':
			return {
				message: `The service could not be reached${about.isChange ? ': this change was not sent' : ''}`,
				description: `${happening.cause}. Check the Base URL and the network.`,
				outcome: 'notSent',
			};
		case 'no answer':
			return unknown(
				'The service did not answer',
				`${happening.cause}. Check the Base URL and the network.`,
			);
		case 'endless':
			return unknown(
				`The response ${happening.limit}. The node stopped reading it`,
				`If you read a list, set a lower Limit. Otherwise a proxy between n8n and the service may have responded. ${BASE_URL}.`,
			);
		case 'not sent':
			return unknown(
				`The request failed before it was sent${after(happening.cause)}`,
				'The cause is in the node or in n8n, not in the service.',
			);
	}
}

function ofStatus(
	{ status, reason, isWebPage }: Kind<'status'>,
	{ path, lists }: ErrorFacts,
): ErrorText {
	const [title, todo] = STATUSES[status] ?? otherStatus(status);
	const message = `${title.replace('{path}', () => path)}${after(reason)}`;
	const isUnknownId = status === 404 && lists;
	return {
		message: isUnknownId ? `${message.replace(/\.$/, '')}; list the IDs with ${lists}` : message,
		description:
			isWebPage && status < 500
				? `The response is a web page. Check the credential. ${BASE_URL}.`
				: todo,
		outcome: status >= 500 ? 'unknown' : 'refused',
	};
}

function ofWrongAnswer(happening: Kind<'wrong answer'>, { baseUrl }: ErrorFacts): ErrorText {
	const { form, isForeign, isRaw } = happening;
	const show = isRaw
		? 'Set "Response" to "Unchanged" to return any JSON unchanged.'
		: `Use the node ${RAW} to see the full response.`;
	return unknown(
		form === 'a web page'
			? `The response is a web page, not an API response. Check the Base URL of the credential (${baseUrl})`
			: `The response does not match the API: it is ${form}${clue(happening)}`,
		isForeign === false
			? `The service responded in a format that this node does not know. ${show}`
			: `A proxy between n8n and the service may have responded. ${BASE_URL}.`,
	);
}

function ofRedirect({ to, baseUrl }: Kind<'redirect'>): ErrorText {
	const target = to ? ` to ${to}` : ' without a target';
	const right = baseUrl ? `; the Base URL of the credential should be ${baseUrl}` : '';
	return unknown(
		`The service responded with a redirect${target}, which the node does not follow${right}`,
		`Check the credential. ${BASE_URL}.`,
	);
}

function contradiction(found: Mismatch, short: Short): string {
	if (found.of === 'ids') {
		const { added, lacking } = found;
		const parts = [
			...(added ? [`it also contains ${short(added)}`] : []),
			...(lacking ? [`${short(lacking)} is missing`] : []),
		];
		return `The response is not about the requested IDs: ${parts.join(', and ')}`;
	}
	const [asked, came] = [short(found.asked), short(found.came)];
	switch (found.of) {
		case 'record':
			return `The response is about another record: ${asked} was requested, ${came} was returned`;
		case 'state':
			return `The response contradicts the request: ${found.place} is ${came}, not ${asked}`;
		case 'count':
			return `The response does not contain all records that were sent: ${came} of ${asked}`;
	}
}

/** The IDs of records for a message, each with its address where it has one: `7 (https://example.com)`. */
export const withAddresses = (records: IDataObject[]): string =>
	records
		.map(({ id, url, email }) => {
			const address = [url, email].find((each) => typeof each === 'string' && each !== '');
			return address === undefined ? String(id) : `${String(id)} (${String(address)})`;
		})
		.join(', ');
