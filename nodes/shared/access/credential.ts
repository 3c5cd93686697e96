import type { IHttpRequestOptions } from 'n8n-workflow';
import { urlFrom } from '../lib/texts';
import { Refused } from './deed';
import type { CredentialFields } from './limits';
import { CredentialProblem, limitsOf } from './limits';

/** Characters allowed in a header; a copied token often ends with a line break. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * @param by name of the credential in messages
 * @throws CredentialProblem
 */
export const accountIn = (fields: CredentialFields, by?: string) => ({
	base: serviceAt(fields.baseUrl),
	apiToken: tokenOf(fields.apiToken),
	limits: limitsOf(fields, by),
});

function tokenOf(fromField: unknown): string {
	const token = fromField ?? '';
	if (typeof token === 'string' && TOKEN.test(token)) return token;
	throw new CredentialProblem(
		'API Token',
		typeof token === 'string' && token.trim() === ''
			? 'is empty'
			: 'contains a space, a line break or another character that is not allowed in a token',
		'enter the token exactly as shown in the dashboard',
	);
}

/** Loopback hosts, which may be reached unencrypted. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

interface RequestToSign extends Omit<Partial<IHttpRequestOptions>, 'agentOptions'> {
	/** URL in n8n's older request format, such as that of its HTTP Request node. */
	uri?: unknown;
	rejectUnauthorized?: unknown;
	agentOptions?: unknown;
}

/**
 * Parses and checks the base URL of a credential.
 * @throws CredentialProblem
 */
export function serviceAt(baseUrl: unknown): URL {
	const bad = (problem: string) =>
		new CredentialProblem(
			'Base URL',
			problem,
			'set Base URL to the address of the service with its version segment, such as https://api.example.com/api/v6',
		);
	const text = typeof (baseUrl ?? '') === 'string' ? String(baseUrl ?? '').trim() : undefined;
	if (text === '') throw bad('is empty');
	const url = urlFrom(text ?? '');
	if (text === undefined || !url) throw bad('is not a URL');
	const isLoopback = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
	if (url.protocol !== 'https:' && !isLoopback) throw bad('must start with https://');
	if (/[?#]/.test(text) || url.username || url.password) {
		throw bad('must be a plain URL without ?, # or a username');
	}
	return url;
}

/** URL to which n8n's HTTP client sends a request; joins base and URL as that client does. */
function urlOf({ baseURL = '', url, uri }: RequestToSign): URL {
	const asked = String(url ?? uri ?? '');
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(asked);
	const base = String(baseURL).replace(/\/?\/$/, '');
	const full = isAbsolute || base === '' ? asked : `${base}/${asked.replace(/^\/+/, '')}`;
	const sentTo = urlFrom(full);
	if (!sentTo) throw new Refused('The request does not have a valid URL');
	return sentTo;
}

/** Parts of a path as a server may read them; some servers decode more than once. */
function segmentsOf(pathname: string): string[] {
	let text = pathname;
	try {
		for (let round = 0; round < 3 && text.includes('%'); round++) text = decodeURIComponent(text);
	} catch {
		// Keep a path that cannot be decoded.
	}
	return text.split('/').filter(Boolean);
}

/**
 * Refuses a request that would send the token anywhere else.
 * @throws Refused
 */
export function checkTarget(asked: RequestToSign, base: URL): void {
	const { proxy, rejectUnauthorized, skipSslCertificateValidation, agentOptions, headers } = asked;
	if (proxy) throw new Refused('The token is not sent through a proxy set in a node');
	const agent = agentOptions as { rejectUnauthorized?: unknown } | undefined;
	const isUnchecked =
		skipSslCertificateValidation || [rejectUnauthorized, agent?.rejectUnauthorized].includes(false);
	if (isUnchecked) throw new Refused('The token is not sent with "Ignore SSL Issues"');
	if (Object.keys(headers ?? {}).some((name) => name.trim().toLowerCase() === 'host')) {
		throw new Refused('The token is not sent with a "Host" header set in a node');
	}
	const target = urlOf(asked);
	if (target.origin !== base.origin || target.username || target.password) {
		throw new Refused(
			`This credential sends its token only to ${base.origin}, not to ${target.origin}`,
		);
	}
	const segments = segmentsOf(target.pathname);
	const leaves = segments.some((part) => /^\.\.?$|\\/.test(part.trim()));
	if (leaves || segmentsOf(base.pathname).some((part, index) => part !== segments[index])) {
		throw new Refused(
			`This credential sends its token only to paths under ${base.href}, not to ${target.pathname}`,
		);
	}
}
