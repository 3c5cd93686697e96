import { checkFile } from '../receive/file';
import { hasRateLimit } from '../receive/answer';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { deadlineOf } from '../n8n/context';
import { clock } from './clock';
import { endAfter } from './body';
import { followed } from './redirect';
import { accountOf, read } from './request';

/** Maximum time of a download. */
const MAX_FILE_MS = 3_600_000;

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
