import type { IDataObject, IHttpRequestOptions, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Credential } from '../input/credential';
import { checkCredential } from '../input/credential';
import { answerError, noAnswerError } from '../receive/errors';
import { clock } from './clock';
import type { ApiRequest, ApiResponse, Context } from './context';
import { cancelSignal, CREDENTIAL, flowOf, priorityOf } from './context';
import type { Outcome } from './exchange';
import { exchange } from './exchange';
import type { Limiter } from './limiter';
import { limiterOf } from './limiter';
import type { Priority } from './queue';

/**
 * Sends one request to the service: paced per account, repeated only where that is safe.
 * All HTTP of nodes, triggers and list searches goes through here.
 * @returns the full response; its status is below 400
 * @throws NodeApiError that says what happened and what to do; an error of the credential when it is unusable
 */
export async function request(
	context: Context,
	options: ApiRequest,
	priority: Priority = priorityOf(context),
): Promise<ApiResponse> {
	const { baseURL, limiter } = await accountOf(context);
	const signal = cancelSignal(context);
	const turn = { priority, flow: flowOf(context), signal };
	const sent: IHttpRequestOptions = {
		...options,
		baseURL,
		arrayFormat: 'brackets',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		sendCredentialsOnCrossOriginRedirect: false,
		abortSignal: signal,
	};
	if (isEmpty(sent.body)) delete sent.body;

	const outcome = await exchange(
		limiter,
		options.method ?? 'GET',
		turn,
		async () => await attempt(context, sent),
	);
	if ('failure' in outcome) throw noAnswerError(context.getNode(), outcome.failure, options);
	const time = Date.parse(String(outcome.answer.headers.date ?? ''));
	if (!Number.isNaN(time)) limiter.clockOffset = time - clock.now();
	if (outcome.answer.statusCode < 400) return outcome.answer;
	throw answerError(context.getNode(), outcome.answer, options);
}

/**
 * The time by the service's clock as its last answer told it, in epoch milliseconds; whole seconds, rounded down.
 * @param url a list to ask when no answer has told it yet
 * @returns undefined when the service does not tell
 */
export async function serviceTime(context: Context, url?: string): Promise<number | undefined> {
	const { limiter } = await accountOf(context);
	if (limiter.clockOffset === undefined && url !== undefined) {
		await request(context, { method: 'GET', url, qs: { page: 1, perPage: 1 } });
	}
	return limiter.clockOffset === undefined ? undefined : clock.now() + limiter.clockOffset;
}

/** The account that the node's credential gives access to. */
export async function accountOf(context: Context): Promise<{ baseURL: string; limiter: Limiter }> {
	const credential = await context.getCredentials<Credential & JsonObject>(CREDENTIAL);
	const { baseURL, apiToken, cap } = checkCredential(context.getNode(), credential);
	return { baseURL, limiter: limiterOf(baseURL, apiToken, cap) };
}

async function attempt(
	context: Context,
	options: IHttpRequestOptions,
): Promise<Outcome<ApiResponse>> {
	try {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			options,
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
