import type { IDataObject, IHttpRequestOptions, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { type Deed, DEED, uncount } from '../access/deed';
import type { CredentialFields, Limits } from '../access/credential';
import { accountIn, CredentialProblem, countsChanges, isLimited } from '../access/credential';
import { clock } from '../lib';
import { collectionOf, singular, words } from '../vocabulary/words';
import { dateOf, listIn, single, WrongAnswer } from '../receive/answer';
import {
	apiError,
	failureError,
	isUntrusted,
	statusError,
	wasNeverConnected,
} from '../receive/errors';
import { checkFile } from '../receive/file';
import { failures, type ErrorContext } from '../receive/messages';
import { Mismatched, proveRecord } from '../receive/proof';
import { secretsIn, withoutSecrets } from '../receive/output';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { cancelSignal, CREDENTIAL, deadlineOf } from '../n8n/context';
import { flowOf, priorityOf, type Priority } from './queue';
import type { AttemptOutcome } from './exchange';
import { endAfter, Endless, exchange, MAX_REQUEST_MS, wholeAnswer } from './exchange';
import { limiterOf } from './limiter';
import { judge, refusalIn, refusedBy, type Look } from './judge';
import { followed, HTTP_OPTIONS, isRedirect, pointsTo } from './redirect';

/**
 * Sends one request of a node, trigger or list search, paced per account and retried only where that is safe.
 * @param accept converts the response. Its WrongAnswer or Mismatched becomes an error of the request.
 * @throws NodeApiError; NodeOperationError for an unusable credential; OutOfTime at the deadline of the context
 */
export async function read<T>(
	context: CallContext,
	options: ApiRequest,
	accept: (answer: ApiResponse, limits: Limits) => T | Promise<T>,
	priority?: Priority,
): Promise<T> {
	const { answer, errorContext, limits } = await send(context, options, priority);
	const node = context.getNode();
	const accepted = async () => await accept(answer, limits);
	return await accepted().catch((error: unknown) => {
		if (error instanceof Mismatched) {
			throw apiError(node, failures.mismatch(error.mismatch, errorContext), errorContext);
		}
		if (!(error instanceof WrongAnswer)) throw error;
		const isRaw = node.type.endsWith('.api');
		const failed = failures.wrongAnswer(error.message, answer, isRaw, errorContext);
		throw apiError(node, failed, errorContext);
	});
}

const MAX_FILE_MS = 3_600_000;

/** Requests a file as a stream. @throws NodeApiError also for a response that is not such a file */
export async function download(context: CallContext, options: ApiRequest, mediaType?: string) {
	// A truncated compressed response would go unnoticed.
	const headers = { ...options.headers, 'Accept-Encoding': 'identity' };
	return await read(context, { ...options, headers, encoding: 'stream' }, (answer) => {
		endAfter(answer.body, Math.min(MAX_FILE_MS, deadlineOf(context) - clock.now()));
		return checkFile(answer, mediaType);
	});
}

/** The record of a path such as `/tags/7`. @throws WrongAnswer; Mismatched for another record */
export function recordIn(answer: ApiResponse, path: string, alsoBy?: string): IDataObject {
	const wrapper = singular(collectionOf(path.replace(/\/[^/]*$/, '')));
	const lastId = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
	const record = single({ wrapper }, answer, { lastId, isRead: true });
	proveRecord(record, lastId, { alsoBy });
	return record;
}

/** Reads a record, or a page of a list, only to check the limits of the credential. */
export const lookIn =
	(context: CallContext): Look =>
	async (url, qs) =>
		await read(context, { url, qs, isLook: true }, (answer) =>
			qs ? listIn(answer, collectionOf(url)) : recordIn(answer, url),
		);

/** Timeouts of a request with `until`; the last one before the deadline gets the minimum. */
const MAX_LOOK_MS = 30_000;
const MIN_LOOK_MS = 5_000;

/** Timeout of a request in a poll; the next poll tries again. */
const MAX_POLL_REQUEST_MS = 60_000;

/** Timeout between two bytes, in milliseconds. */
function timeoutOf(context: CallContext, timeout = MAX_REQUEST_MS, until = Infinity): number {
	if (until < Infinity) {
		return Math.max(MIN_LOOK_MS, Math.min(MAX_LOOK_MS, until - clock.now()));
	}
	return deadlineOf(context) < Infinity ? MAX_POLL_REQUEST_MS : timeout;
}

function turnOf(context: CallContext, asked: ApiRequest, priority: Priority) {
	const giveUpAt = deadlineOf(context);
	const node = context.getNode().name;
	return {
		priority,
		flow: flowOf(context),
		signal: cancelSignal(context),
		giveUpAt,
		until: Math.min(asked.until ?? Infinity, giveUpAt),
		what: `${asked.method ?? 'GET'} ${asked.url}`,
		log: (message: string) => context.logger?.info(message, { node }),
	};
}

async function send(
	context: CallContext,
	apiRequest: ApiRequest,
	priority: Priority = priorityOf(context),
): Promise<{ answer: ApiResponse; errorContext: ErrorContext; limits: Limits }> {
	const account = await accountOf(context);
	const { baseURL, limiter, apiToken, limits } = account;
	const node = context.getNode();
	const { verifyAt, lists, labels, does, isLook, before, around, until, ...rest } = apiRequest;
	const timeout = timeoutOf(context, rest.timeout, until);
	const turn = turnOf(context, apiRequest, priority);
	// Copy first: an object from an expression could return different values when judged and when sent.
	const qs = plain(rest.qs);
	const body = isEmpty(rest.body) ? undefined : plain(rest.body);
	const { method = 'GET', url } = rest;
	const options = { ...rest, method, qs, body, timeout };
	const errorContext: ErrorContext = {
		isChange: method !== 'GET',
		path: url,
		verifyAt: verifyAt ?? url,
		lists,
		labels,
		baseUrl: baseURL,
		secrets: [apiToken, ...secretsIn(qs), ...secretsIn(body)],
	};
	let deed: Deed | undefined;
	const judgeNow = async () => {
		deed = await judge(context, limits, { ...options, does, isLook }, lookIn(context));
	};
	// The sites of a record may change before it is sent.
	const isLate = method !== 'GET' && (limits.only !== undefined || countsChanges(limits));
	if (isLimited(limits) && !isLate) await judgeNow();
	const judgeAndCheck = async () => {
		await judgeNow();
		await before?.();
	};

	// The signer gets the request as it is sent; other code uses the words of the reference.
	const { arrayFormat = HTTP_OPTIONS.arrayFormat } = options;
	const own = { ...HTTP_OPTIONS, arrayFormat, baseURL, abortSignal: turn.signal };
	const sent = words.sent({ ...options, ...own });
	const ask = async (changed: Partial<IHttpRequestOptions> = {}): Promise<ApiResponse> => {
		const once = async () => await attempt(context, { ...sent, ...changed }, deed);
		const sendOnce = async () => await (around ? around(once) : once());
		const check = isLate ? judgeAndCheck : before;
		const outcome = await exchange(limiter, method, turn, sendOnce, check);
		if ('failure' in outcome) throw errorWithoutAnswer(node, outcome.failure, errorContext);
		return outcome.answer;
	};
	let answer = await ask();
	if (isRedirect(answer) && options.encoding === 'stream') {
		const askAt = async (to: string) => await ask({ url: to, baseURL: undefined, qs: {} });
		answer = await followed(context, answer, { from: `${baseURL}${url}`, baseURL }, askAt);
	}
	if (isRedirect(answer)) {
		throw apiError(node, failures.redirect(pointsTo(answer, baseURL, url)), errorContext);
	}
	return { answer: checkedAnswer(node, answer, account, errorContext), errorContext, limits };
}

/** A successful response in the words of the reference, without secrets that the credential hides. @throws NodeApiError */
function checkedAnswer(
	node: INode,
	received: ApiResponse,
	{ limiter, limits }: Awaited<ReturnType<typeof accountOf>>,
	errorContext: ErrorContext,
): ApiResponse {
	const { statusCode } = received;
	const answer = { ...received, body: words.received(received.body, statusCode >= 300) };
	const time = dateOf(answer.headers);
	if (time !== undefined) limiter.clockOffset = time - clock.now();
	if (statusCode >= 200 && statusCode < 300) {
		return limits.effects.has('givesAccess') ? answer : withoutSecrets(answer);
	}
	const error = statusError(node, answer, errorContext);
	if (statusCode !== 429) throw error;
	// Some versions of n8n read when the rate limit ends.
	const failure = { cause: 'rate-limited', retryAfterMs: limiter.resetsIn() };
	throw Object.assign(error, { failure });
}

/** Epoch milliseconds by the service's clock; undefined if its responses have no date. @param url asked first if needed */
export async function serviceTime(context: CallContext, url: string): Promise<number | undefined> {
	const { limiter } = await accountOf(context);
	if (limiter.clockOffset === undefined) {
		await read(context, { url, qs: { page: 1, perPage: 1 } }, () => undefined);
	}
	return limiter.clockOffset === undefined ? undefined : limiter.now();
}

/** A plain copy, as JSON would send it. */
export const plain = <T>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/** The error for a request without a response; if it was not signed, with the reason. */
function errorWithoutAnswer(node: INode, failure: Error, errorContext: ErrorContext) {
	if (failure instanceof Endless) {
		return apiError(node, failures.endless(failure.message), errorContext);
	}
	const refusal = refusalIn(failure);
	return refusal ? refusedBy(node, refusal) : failureError(node, failure, errorContext);
}

/** @throws NodeOperationError that names the field, and never repeats what is in it: that may be a password */
export function checkCredential(node: INode, credential: CredentialFields) {
	const name = node.credentials?.siteManagementApi?.name;
	try {
		return accountIn(credential, name ? `the credential "${name}"` : 'the credential');
	} catch (error) {
		const { brief, todo } = error instanceof CredentialProblem ? error : unreadable(error);
		throw new NodeOperationError(node, brief, {
			description: `Open the node's credential and ${todo}. Nothing was sent.`,
		});
	}
}

/** Leave out the error's own message: it may contain a secret. */
const unreadable = (error: unknown) => ({
	brief: `The credential cannot be read (${error instanceof Error ? error.name : typeof error})`,
	todo: 'save it again. If it has expressions, check what they return',
});

export async function accountOf(context: CallContext) {
	const credential = await context.getCredentials(CREDENTIAL);
	const account = checkCredential(context.getNode(), credential);
	const { baseURL, apiToken, cap } = account;
	const id = context.getNode().credentials?.[CREDENTIAL]?.id ?? undefined;
	return { ...account, limiter: limiterOf(baseURL, apiToken, cap, id) };
}

async function attempt(
	context: CallContext,
	options: IHttpRequestOptions & { timeout: number },
	deed: Deed | undefined,
): Promise<AttemptOutcome> {
	const answering = context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
		...options,
		...(deed && { [DEED]: deed }),
		encoding: 'stream',
	}) as Promise<ApiResponse>;
	try {
		const outcome = await wholeAnswer(answering, options.timeout, options.encoding === 'stream');
		const { statusCode } = outcome.answer;
		if (deed && statusCode >= 400 && statusCode < 500) uncount(deed);
		return outcome;
	} catch (error) {
		if (deed && wasNeverConnected(error)) uncount(deed);
		const isFinal =
			refusalIn(error) !== undefined || error instanceof Endless || isUntrusted(error);
		return { failure: error as Error, isFinal };
	}
}

// n8n gives every declarative request an empty object as its body.
const isEmpty = (body: unknown) =>
	body !== null && typeof body === 'object' && Object.keys(body).length === 0;
