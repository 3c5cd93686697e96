import { checkFile } from '../receive/file';
import { hasRateLimit } from '../receive/answer';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { deadlineOf } from '../n8n/context';
import { clock } from '../lib';
import { endAfter, MAX_REQUEST_MS, wholeAnswer } from './exchange';
import { accountOf, HTTP_OPTIONS, isRedirect, read, targetOf } from './request';

/** Maximum time of a download. */
const MAX_FILE_MS = 3_600_000;

/** Maximum redirects of a download. */
const MAX_HOPS = 5;

/**
 * Requests a file as a stream. Redirects are followed; only the service's own host gets the token.
 * @throws NodeApiError also for a response that is not such a file
 */
export async function download(
	context: CallContext,
	options: ApiRequest,
	mediaType?: string,
): Promise<ApiResponse> {
	const { baseURL } = await accountOf(context);
	// A redirect of the service counts as its response.
	let isSent = false;
	const asked: ApiRequest = {
		...options,
		// A truncated compressed response would go unnoticed.
		headers: { ...options.headers, 'Accept-Encoding': 'identity' },
		encoding: 'stream',
		settle: async (answer, ask) => {
			isSent = hasRateLimit(answer);
			return await followed(context, answer, { from: `${baseURL}${options.url}`, baseURL }, ask);
		},
	};
	return await read(context, asked, (answer) => {
		endAfter(answer.body, Math.min(MAX_FILE_MS, deadlineOf(context) - clock.now()));
		return checkFile(answer, mediaType, isSent);
	});
}

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
		const target = targetOf(answer, url.href);
		if (!target || !['https:', url.protocol].includes(target.protocol)) return answer;
		// Neither other paths of the host get the token, nor the service after a redirect to another host.
		const isBelow = target.href.startsWith(new URL(`${baseURL}/`).href);
		const isOwn = isBelow && url.origin === target.origin;
		answer = isOwn ? await ask(target.href) : await requestElsewhere(context, target.href);
		url = target;
	}
	return answer;
}

async function requestElsewhere(context: CallContext, url: string): Promise<ApiResponse> {
	const options = { ...HTTP_OPTIONS, method: 'GET', url, encoding: 'stream' } as const;
	const answering = context.helpers.httpRequest(options) as Promise<ApiResponse>;
	return (await wholeAnswer(answering, MAX_REQUEST_MS, true)).answer;
}
