import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Access } from '../access';
import { ACCESS_NAMES, isAccess, LOOPBACK } from '../access';
import { isBlank } from './blank';
import { limit } from './controls';
import { convertOf } from './types';

/** The fields of the credential, as the user filled them in or an expression gives them. */
export interface Credential {
	baseUrl: string;
	apiToken: string;
	/** Own cap in requests per minute; 0 or empty means none. */
	requestsPerMinute?: number;
	/** Missing in credentials that were saved before there was a choice. */
	access?: string;
}

/** Characters that a header can carry; a copied token often ends with a line break. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * The credential with its base URL without slashes at the end, and its cap, if it has one.
 * @throws NodeOperationError that names the field, and never repeats what is in it: that may be a password
 */
export function checkCredential(
	node: INode,
	{ baseUrl, apiToken, requestsPerMinute, access = 'everything' }: Credential,
): { baseURL: string; apiToken: string; access: Access; cap?: number } {
	const fail = (problem: string, todo: string) =>
		new NodeOperationError(node, `The ${problem}`, {
			description: `Open the node's credential and ${todo}. Nothing was sent.`,
		});
	const badUrl = (problem: string) =>
		fail(
			`Base URL of the credential ${problem}`,
			'set Base URL to the address of the service with its version segment, such as https://api.example.com/api/v6',
		);
	const badToken = (problem: string) =>
		fail(`API Token of the credential ${problem}`, 'enter the token as the dashboard shows it');

	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (!text) throw badUrl('is empty');
	const url = parsed(text);
	if (!url) throw badUrl('is not a URL');
	const isLoopback = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
	if (url.protocol !== 'https:' && !isLoopback) throw badUrl('must start with https://');
	if (/[?#]/.test(text) || url.username || url.password) {
		throw badUrl('must be a plain address without ?, # or user name');
	}
	if (isBlank(apiToken)) throw badToken('is empty');
	if (typeof apiToken !== 'string' || !TOKEN.test(apiToken)) {
		throw badToken('has a space, a line break or another character that no token has');
	}
	if (!isAccess(access)) {
		throw fail(
			'Access of the credential is none of its choices',
			`choose ${Object.values(ACCESS_NAMES)
				.join(', ')
				.replace(/, ([^,]*)$/, ' or $1')}`,
		);
	}
	return {
		baseURL: text.replace(/\/+$/, ''),
		apiToken,
		access,
		cap: capOf(requestsPerMinute, fail),
	};
}

function parsed(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

function capOf(value: unknown, fail: (problem: string, todo: string) => Error): number | undefined {
	if (isBlank(value)) return undefined;
	try {
		const cap = convertOf({ ...limit, typeOptions: { minValue: 0, numberPrecision: 0 } });
		return (cap(value, { getTimezone: () => 'utc' }) as number) || undefined;
	} catch {
		throw fail(
			'Requests per Minute of the credential is not a whole number from 0 on',
			'set it to such a number; 0 means as many as the service allows',
		);
	}
}
