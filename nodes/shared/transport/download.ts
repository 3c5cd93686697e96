import type { FileAnswer } from '../operation';
import { checkFile } from '../receive/file';
import type { ApiRequest, ApiResponse, Context } from './context';
import { followed } from './redirect';
import { accountOf, read } from './request';

/**
 * Asks for a file, whose body comes as a stream; redirects are followed, the token stays with the service.
 * @throws NodeApiError also for an answer that is no such file
 */
export async function download(
	context: Context,
	options: ApiRequest,
	file: FileAnswer,
): Promise<ApiResponse> {
	const { baseURL } = await accountOf(context);
	const asked: ApiRequest = {
		...options,
		// What is compressed on the way can be cut off without anyone noticing.
		headers: { ...options.headers, 'Accept-Encoding': 'identity' },
		encoding: 'stream',
		settle: async (answer, ask) =>
			await followed(context, answer, { from: `${baseURL}${options.url}`, baseURL }, ask),
	};
	return await read(context, asked, (answer) => {
		checkFile(answer, file);
		return answer;
	});
}
