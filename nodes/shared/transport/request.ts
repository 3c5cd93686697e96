import type { IDataObject, IHttpRequestOptions, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { answerError, noAnswerError } from '../receive/errors';
import { checkBaseUrl } from './baseUrl';
import { clock } from './clock';
import type { ApiRequest, ApiResponse, Context, Credential } from './context';
import { cancelSignal, CREDENTIAL } from './context';
import { limiterOf } from './limiter';
import { retryAfter } from './retry';

/**
 * Sends one request to the service: paced per account, repeated only where that is safe.
 * All HTTP of nodes, triggers and list searches goes through here.
 * @returns the full response; its status is below 400
 * @throws NodeApiError that says what happened and what to do; an error of the credential when it is unusable
 */
export async function request(context: Context, options: ApiRequest): Promise<ApiResponse> {
	const credential = await context.getCredentials<Credential & JsonObject>(CREDENTIAL);
	const baseURL = checkBaseUrl(context.getNode(), credential.baseUrl);
	const cap = Number(credential.requestsPerMinute) || undefined;
	const limiter = limiterOf(baseURL, credential.apiToken, cap);
	const signal = cancelSignal(context);

	for (let number = 1; ; number++) {
		await limiter.acquire(signal);
		const outcome = await attempt(context, { ...options, baseURL });
		const answer = 'answer' in outcome ? outcome.answer : undefined;
		limiter.release(answer?.headers);
		if (answer && answer.statusCode < 400) return answer;

		const wait = signal?.aborted
			? undefined
			: retryAfter({
					method: options.method ?? 'GET',
					number,
					status: answer?.statusCode,
					headers: answer?.headers,
				});
		if (wait === undefined) {
			throw 'answer' in outcome
				? answerError(context.getNode(), outcome.answer, options)
				: noAnswerError(context.getNode(), outcome.failure, options);
		}
		await clock.sleep(wait, signal);
	}
}

type Outcome = { answer: ApiResponse } | { failure: NodeApiError };

async function attempt(context: Context, options: ApiRequest): Promise<Outcome> {
	const sent: IHttpRequestOptions = {
		...options,
		arrayFormat: 'brackets',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		sendCredentialsOnCrossOriginRedirect: false,
	};
	if (isEmpty(sent.body)) delete sent.body;
	try {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			sent,
		)) as ApiResponse;
		return { answer: await readable(answer) };
	} catch (error) {
		return { failure: new NodeApiError(context.getNode(), error as JsonObject) };
	}
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** The body of a refused download as JSON: it comes as a stream, like the file would have. */
async function readable(answer: ApiResponse): Promise<ApiResponse> {
	if (answer.statusCode < 400 || !isStream(answer.body)) return answer;
	const chunks: Buffer[] = [];
	for await (const chunk of answer.body) chunks.push(Buffer.from(chunk));
	try {
		return { ...answer, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as IDataObject };
	} catch {
		return { ...answer, body: '' };
	}
}

// n8n starts every declarative request with an empty object as its body.
const isEmpty = (body: unknown) =>
	body !== null && typeof body === 'object' && Object.keys(body).length === 0;
