import type { IHttpRequestOptions } from 'n8n-workflow';
import { urlFrom } from '../lib';
import type { ApiResponse, CallContext } from '../n8n/context';
import { MAX_REQUEST_MS, wholeAnswer } from './exchange';

export const HTTP_OPTIONS = {
	arrayFormat: 'brackets',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} satisfies Partial<IHttpRequestOptions>;

const MAX_HOPS = 5;

export const isRedirect = ({ statusCode }: ApiResponse) => statusCode >= 300 && statusCode < 400;

function targetOf({ headers: { location } }: ApiResponse, from: string): URL | undefined {
	return typeof location === 'string' && location !== '' ? urlFrom(location, from) : undefined;
}

/** Target of a redirect, without the query, which may contain a token; `baseUrl` if only the base differs. */
export function pointsTo(redirect: ApiResponse, baseURL: string, path: string) {
	const target = targetOf(redirect, `${baseURL}${path}`);
	if (!target) return {};
	const to = `${target.origin}${target.pathname}`;
	const isSamePath = target.pathname.endsWith(path) && !to.startsWith(baseURL);
	return { to, ...(isSamePath && { baseUrl: to.slice(0, -path.length) }) };
}

/**
 * Follows the redirects of a file. No other host gets the token, and only loopback may be unencrypted.
 * @param ask sends the request with the token to another URL of the service
 * @returns the last response, with the rate-limit headers of the first; or the redirect that is not followed
 */
export async function followed(
	context: CallContext,
	first: ApiResponse,
	{ from, baseURL }: { from: string; baseURL: string },
	ask: (url: string) => Promise<ApiResponse>,
): Promise<ApiResponse> {
	let answer = first;
	let url = new URL(from);
	for (let hop = 0; hop < MAX_HOPS && isRedirect(answer); hop++) {
		const target = targetOf(answer, url.href);
		if (!target || !['https:', url.protocol].includes(target.protocol)) break;
		// Neither other paths of the host get the token, nor the service after a redirect to another host.
		const isBelow = target.href.startsWith(new URL(`${baseURL}/`).href);
		const isOwn = isBelow && url.origin === target.origin;
		answer = isOwn ? await ask(target.href) : await elsewhere(context, target.href, true);
		url = target;
	}
	if (answer.statusCode >= 300) return answer;
	// A file that the service redirects to counts as its response.
	const ofService = Object.entries(first.headers).filter(([name]) => /^x-ratelimit-/.test(name));
	return { ...answer, headers: { ...Object.fromEntries(ofService), ...answer.headers } };
}

/** Requests an address that is not the service's, without the token. */
export async function elsewhere(context: CallContext, url: string, isFile: boolean) {
	const options = { ...HTTP_OPTIONS, method: 'GET', url, encoding: 'stream' } as const;
	const answering = context.helpers.httpRequest(options) as Promise<ApiResponse>;
	return (await wholeAnswer(answering, MAX_REQUEST_MS, isFile)).answer;
}
