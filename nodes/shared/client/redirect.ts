import { urlFrom } from '../lib/texts';
import type { ApiResponse, CallContext } from '../n8n/context';
import { MAX_REQUEST_MS, wholeAnswer } from './body';

export const isRedirect = ({ statusCode }: ApiResponse) => statusCode >= 300 && statusCode < 400;

/** Where a redirect points, without a query, in which there may be a token. */
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

/** A file may be kept elsewhere; from one place to the next, but not for ever. */
const MAX_HOPS = 5;

/**
 * Follows the redirects of a file. The token goes to no other host, and only loopback is asked without encryption.
 * @param ask sends the request again to a URL of the service's own host, with the token
 * @returns the answer at the end, or the redirect that is not followed
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
		// Once it has left the service, it stays without the token.
		const isOwn = isBelow(target, baseURL) && url.origin === target.origin;
		answer = isOwn ? await ask(target.href) : await elsewhere(context, target.href);
		url = target;
	}
	return answer;
}

/** The token is for the API, not for all that is on its host. */
const isBelow = (target: URL, baseURL: string) =>
	target.origin === new URL(baseURL).origin &&
	target.pathname.startsWith(`${new URL(baseURL).pathname.replace(/\/$/, '')}/`);

async function elsewhere(context: CallContext, url: string): Promise<ApiResponse> {
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
