import { urlFrom } from '../lib/texts';
import type { ApiResponse, CallContext } from '../n8n/context';
import { MAX_REQUEST_MS, wholeAnswer } from './body';

export const isRedirect = ({ statusCode }: ApiResponse) => statusCode >= 300 && statusCode < 400;

/** Target of a redirect, without the query, which may contain a token. */
export function pointsTo(
	{ headers }: ApiResponse,
	baseURL: string,
	path: string,
): { to?: string; baseUrl?: string } {
	const target = targetOf(headers.location, `${baseURL}${path}`);
	if (!target) return {};
	const to = `${target.origin}${target.pathname}`;
	const isSamePath = target.pathname.endsWith(path) && !to.startsWith(baseURL);
	return { to, ...(isSamePath && { baseUrl: to.slice(0, -path.length) }) };
}

const targetOf = (location: unknown, from: string): URL | undefined =>
	typeof location === 'string' && location !== '' ? urlFrom(location, from) : undefined;

/** Maximum redirects of a download. */
const MAX_HOPS = 5;

/**
 * Follows the redirects of a file. No other host gets the token, and only loopback may be unencrypted.
 * @param ask sends the request with the token to another URL of the service
 * @returns the last response, or the redirect that is not followed
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
		const target = targetOf(answer.headers.location, url.href);
		const isSafe =
			target?.protocol === 'https:' || (target?.protocol === 'http:' && url.protocol === 'http:');
		if (!target || !isSafe) return answer;
		// After a redirect to another host, the token is no longer sent.
		const isOwn = isBelow(target, baseURL) && url.origin === target.origin;
		answer = isOwn ? await ask(target.href) : await requestElsewhere(context, target.href);
		url = target;
	}
	return answer;
}

/** Whether a URL is below the base URL: other paths on the host do not get the token. */
const isBelow = (target: URL, baseURL: string) =>
	target.origin === new URL(baseURL).origin &&
	target.pathname.startsWith(`${new URL(baseURL).pathname.replace(/\/$/, '')}/`);

async function requestElsewhere(context: CallContext, url: string): Promise<ApiResponse> {
	const answering = context.helpers.httpRequest({
		method: 'GET',
		url,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	}) as Promise<ApiResponse>;
	return (await wholeAnswer(answering, MAX_REQUEST_MS, true)).answer;
}
