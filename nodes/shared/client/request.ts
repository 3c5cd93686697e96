import type { IDataObject, IHttpRequestOptions, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { uncount } from '../access/counts';
import type { Deed } from '../access/deed';
import { DEED } from '../access/deed';
import type { CredentialFields, Limits } from '../access/credential';
import { accountIn, CredentialProblem, isLimited, maximumOf } from '../access/credential';
import { isBlank } from '../input/field';
import { clock, urlFrom } from '../lib';
import { collectionOf, singular, words } from '../vocabulary/words';
import { dateOf, isOfService, keysReceived, listIn, single, WrongAnswer } from '../receive/answer';
import { apiError, failureError, statusError } from '../receive/errors';
import type { ErrorContext } from '../receive/messages';
import { failures } from '../receive/messages';
import { Mismatched, proveRecord } from '../receive/proof';
import { secretsIn, withoutSecrets } from '../receive/output';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { cancelSignal, CREDENTIAL, deadlineOf } from '../n8n/context';
import type { Priority } from './queue';
import { flowOf, priorityOf } from './queue';
import type { AttemptOutcome } from './exchange';
import { Endless, exchange, MAX_REQUEST_MS, NoRoom, wholeAnswer } from './exchange';
import type { Limiter } from './limiter';
import { limiterOf } from './limiter';
import type { Look } from './judge';
import { judge, refusalIn, refusedBy } from './judge';

/**
 * Sends one request to the service, paced per account and retried only where that is safe.
 * All HTTP of nodes, triggers and list searches goes through here.
 * @param accept converts the response; gets the limits of the credential. Its WrongAnswer or Mismatched becomes an
 * error of the request.
 * @throws NodeApiError that says what happened and what to do; an error of an unusable credential;
 * OutOfTime if the rate limit does not allow the request before the deadline of the context
 */
export async function read<T>(
	context: CallContext,
	options: ApiRequest,
	accept: (answer: ApiResponse, limits: Limits) => T | Promise<T>,
	priority?: Priority,
): Promise<T> {
	const { answer, errorContext, limits } = await send(context, options, priority);
	try {
		return await accept(answer, limits);
	} catch (error) {
		return wrongAnswer(context.getNode(), error, errorContext, answer);
	}
}

/** A function, because n8n's lint rules let a catch clause throw only errors of nodes. */
function wrongAnswer(
	node: INode,
	error: unknown,
	errorContext: ErrorContext,
	answer: ApiResponse,
): never {
	if (error instanceof Mismatched) {
		throw apiError(node, failures.mismatch(error.mismatch, errorContext), errorContext);
	}
	if (!(error instanceof WrongAnswer)) throw error;
	const wrong = {
		form: error.message,
		received: keysReceived(answer.body),
		isForeign: !isOfService(answer),
		isRaw: node.type.endsWith('.api'),
	};
	throw apiError(node, failures.wrongAnswer(wrong, errorContext), errorContext);
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
		await read(context, { method: 'GET', url, qs, isLook: true }, (answer) =>
			qs ? listIn(answer, collectionOf(url), { isRead: true }) : recordIn(answer, url),
		);

/** Timeouts of a request with `until`; the last one before the deadline gets the minimum. */
const MAX_LOOK_MS = 30_000;
const MIN_LOOK_MS = 5_000;

/** Timeout of a request in a poll; the next poll tries again. */
const MAX_POLL_REQUEST_MS = 60_000;

/** Options for n8n's HTTP client in every request. */
export const HTTP_OPTIONS = {
	arrayFormat: 'brackets',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
} satisfies Partial<IHttpRequestOptions>;

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
	const { verifyAt, lists, settle, does, isLook, before, around, until, ...rest } = apiRequest;
	const timeout = timeoutOf(context, rest.timeout, until);
	const turn = turnOf(context, apiRequest, priority);
	// Copy first: an object from an expression could return different values when judged and when sent.
	const qs = plain(rest.qs);
	const body = isEmpty(rest.body) ? undefined : plain(rest.body);
	const options = { ...rest, qs, body, timeout };
	const { method = 'GET', url } = options;
	const errorContext: ErrorContext = {
		isChange: method !== 'GET',
		path: url,
		verifyAt: verifyAt ?? url,
		lists,
		baseUrl: baseURL,
		secrets: [apiToken, ...secretsIn(qs), ...secretsIn(body)],
	};
	let deed: Deed | undefined;
	const judgeNow = async () => {
		deed = await judge(context, limits, { ...options, does, isLook }, lookIn(context));
	};
	// The sites of a record may change before it is sent.
	const isLate = method !== 'GET' && !isLook && (limits.only || limits.maxHarmful < Infinity);
	if (isLimited(limits) && !isLate) await judgeNow();
	const judgeAndCheck = async () => {
		await judgeNow();
		await before?.();
	};

	// The signer gets the request as it is sent; other code uses the words of the reference.
	const sent = words.sent({ ...options, ...HTTP_OPTIONS, baseURL, abortSignal: turn.signal });
	const ask = async (changed: Partial<IHttpRequestOptions> = {}): Promise<ApiResponse> => {
		const sendOnce = async () => {
			const once = async () => await attempt(context, { ...sent, ...changed }, deed);
			return await (around ? around(once) : once());
		};
		const check = isLate ? judgeAndCheck : before;
		const outcome = await exchange(limiter, method, turn, sendOnce, check);
		if ('failure' in outcome) throw errorWithoutAnswer(node, outcome.failure, errorContext);
		return outcome.answer;
	};
	let answer = await ask();
	if (isRedirect(answer) && settle) {
		answer = await settle(answer, async (to) => await ask({ url: to, baseURL: undefined, qs: {} }));
	}
	if (isRedirect(answer)) {
		throw apiError(node, failures.redirect(pointsTo(answer, baseURL, url)), errorContext);
	}
	return { answer: checkedAnswer(node, answer, account, errorContext), errorContext, limits };
}

export const isRedirect = ({ statusCode }: ApiResponse) => statusCode >= 300 && statusCode < 400;

/** Where a redirect points. */
export function targetOf({ headers: { location } }: ApiResponse, from: string): URL | undefined {
	return typeof location === 'string' && location !== '' ? urlFrom(location, from) : undefined;
}

/** Target of a redirect, without the query, which may contain a token. */
export function pointsTo(
	redirect: ApiResponse,
	baseURL: string,
	path: string,
): { to?: string; baseUrl?: string } {
	const target = targetOf(redirect, `${baseURL}${path}`);
	if (!target) return {};
	const to = `${target.origin}${target.pathname}`;
	const isSamePath = target.pathname.endsWith(path) && !to.startsWith(baseURL);
	return { to, ...(isSamePath && { baseUrl: to.slice(0, -path.length) }) };
}

/** A successful response in the words of the reference, without secrets that the credential hides. @throws NodeApiError */
function checkedAnswer(
	node: INode,
	received: ApiResponse,
	{ limiter, limits }: Account & { limiter: Limiter },
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

/**
 * The time by the service's clock in epoch milliseconds, from its last response; whole seconds, rounded down.
 * @param url list to request if there was no response yet
 * @returns undefined if the responses have no date
 */
export async function serviceTime(context: CallContext, url?: string): Promise<number | undefined> {
	const { limiter } = await accountOf(context);
	if (limiter.clockOffset === undefined && url !== undefined) {
		await read(context, { method: 'GET', url, qs: { page: 1, perPage: 1 } }, () => undefined);
	}
	return limiter.clockOffset === undefined ? undefined : limiter.now();
}

/** A plain copy, as JSON would send it. */
export const plain = <T>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/** The error for a request without a response; if it was not signed, with the reason. */
function errorWithoutAnswer(node: INode, failure: Error, errorContext: ErrorContext) {
	if (failure instanceof NoRoom) {
		return refusedBy(node, {
			why: `${failure.message}: nothing was changed by this item`,
			todo: 'Other work uses up the rate limit of the account, or "Requests per Minute" of the credential is 1. Run it again when less is running.',
		});
	}
	if (failure instanceof Endless) {
		return apiError(node, failures.endless(failure.message), errorContext);
	}
	const refusal = refusalIn(failure);
	return refusal ? refusedBy(node, refusal) : failureError(node, failure, errorContext);
}

export interface Account extends ReturnType<typeof accountIn> {
	/** Without slashes at the end. */
	baseURL: string;
	/** Requests per minute. */
	cap: number;
}

/** @throws NodeOperationError that names the field, and never repeats what is in it: that may be a password */
export function checkCredential(node: INode, credential: CredentialFields): Account {
	const name = node.credentials?.siteManagementApi?.name;
	try {
		const { requestsPerMinute } = credential;
		const account = accountIn(credential, name ? `the credential "${name}"` : 'the credential');
		return {
			...account,
			baseURL: String(credential.baseUrl).trim().replace(/\/+$/, ''),
			cap: isBlank(requestsPerMinute)
				? Infinity
				: maximumOf('Requests per Minute', requestsPerMinute, 'as many as the service allows'),
		};
	} catch (error) {
		const { brief, todo } = error instanceof CredentialProblem ? error : unreadable(error);
		throw new NodeOperationError(node, `The ${brief}`, {
			description: `Open the node's credential and ${todo}. Nothing was sent.`,
		});
	}
}

/** Leave out the error's own message: it may contain a secret. */
const unreadable = (error: unknown) => ({
	brief: `credential cannot be read (${error instanceof Error ? error.name : typeof error})`,
	todo: 'save it again. If it has expressions, check what they return',
});

export async function accountOf(context: CallContext): Promise<Account & { limiter: Limiter }> {
	const credential = await context.getCredentials(CREDENTIAL);
	const account = checkCredential(context.getNode(), credential);
	const { baseURL, apiToken, cap } = account;
	return { ...account, limiter: limiterOf(baseURL, apiToken, cap) };
}

async function attempt(
	context: CallContext,
	options: IHttpRequestOptions & { timeout: number },
	deed: Deed | undefined,
): Promise<AttemptOutcome<ApiResponse>> {
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
		const isFinal = refusalIn(error) !== undefined || error instanceof Endless;
		return { failure: error as Error, isFinal };
	}
}

// n8n gives every declarative request an empty object as its body.
const isEmpty = (body: unknown) =>
	body !== null && typeof body === 'object' && Object.keys(body).length === 0;
