import type { FileAnswer } from '../vocabulary/fileAnswer';
import { checkFile } from '../receive/file';
import { hasRateLimit } from '../receive/answer';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { deadlineOf } from '../n8n/context';
import { clock } from './clock';
import { endAfter } from './body';
import { followed } from './redirect';
import { accountOf, read } from './request';

/** A file takes no longer. */
const MAX_FILE_MS = 3_600_000;

/**
 * Asks for a file, whose body comes as a stream; redirects are followed, the token stays with the service.
 * @throws NodeApiError also for an answer that is no such file
 */
export async function download(
	context: CallContext,
	options: ApiRequest,
	file: FileAnswer,
): Promise<ApiResponse> {
	const { baseURL } = await accountOf(context);
	// Where the service has sent it elsewhere, that is the service's word.
	let isSent = false;
	const asked: ApiRequest = {
		...options,
		// What is compressed on the way can be cut off without anyone noticing.
		headers: { ...options.headers, 'Accept-Encoding': 'identity' },
		encoding: 'stream',
		settle: async (answer, ask) => {
			isSent = hasRateLimit(answer);
			return await followed(context, answer, { from: `${baseURL}${options.url}`, baseURL }, ask);
		},
	};
	return await read(context, asked, (answer) => {
		endAfter(answer.body, Math.min(MAX_FILE_MS, deadlineOf(context) - clock.now()));
		return checkFile(answer, file, isSent);
	});
}
