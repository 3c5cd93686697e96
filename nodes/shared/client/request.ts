import type { IHttpRequestOptions, INode, JsonObject } from 'n8n-workflow';
import { uncount } from '../access/counts';
import type { Deed, Refused } from '../access/deed';
import { DEED } from '../access/deed';
import type { Limits } from '../access/limits';
import { isLimited } from '../access/limits';
import type { Account, Credential } from '../input/credential';
import { checkCredential } from '../input/credential';
import { collectionOf, recordNameOf, words } from '../vocabulary/words';
import { dateOf, isOfService, keysReceived, listIn, single, WrongAnswer } from '../receive/answer';
import { apiError, failureError, knownError, statusError } from '../receive/errors';
import type { ErrorContext } from '../receive/messages';
import { failures } from '../receive/messages';
import { idIn, Mismatched, proveRecord } from '../receive/proof';
import { secretsIn, withoutSecrets } from '../receive/secrets';
import { omit } from '../lib/records';
import { clock } from './clock';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { cancelSignal, CREDENTIAL, deadlineOf } from '../n8n/context';
import { flowOf, priorityOf } from './queue';
import { Endless, MAX_REQUEST_MS, wholeAnswer } from './body';
import type { AttemptOutcome } from './exchange';
import { exchange, NoRoom } from './exchange';
import type { Limiter } from './limiter';
import { limiterOf } from './limiter';
import type { Priority } from './queue';
import { isRedirect, pointsTo } from './redirect';
import type { Look } from './judge';
import { judge, refusalIn } from './judge';

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

/** As `read`, but returns the response itself. */
export async function request(
	context: CallContext,
	options: ApiRequest,
	priority?: Priority,
): Promise<ApiResponse> {
	return await read(context, options, (answer) => answer, priority);
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

/** Reads a path only to check the limits of the credential. */
export const lookIn =
	(context: CallContext, priority: Priority): Look =>
	async (url, qs = {}) =>
		await read(
			context,
			{ method: 'GET', url, qs, isLook: true },
			(answer) => {
				const [, collection = '', id] = url.split('/');
				if (id === undefined) return listIn(answer, collectionOf(url), { isRead: true });
				const wanted = { lastId: idIn(url), isRead: true };
				const record = single({ wrapper: recordNameOf(`/${collection}`) }, answer, wanted);
				proveRecord(record, wanted.lastId);
				return record;
			},
			priority,
		);

/** Timeouts of a request with `until`; the last one before the deadline gets the minimum. */
const MAX_LOOK_MS = 30_000;
const MIN_LOOK_MS = 5_000;

/** Timeout of a request in a poll; the next poll tries again. */
const MAX_POLL_REQUEST_MS = 60_000;

/** Options for n8n's HTTP client in every request. */
const HTTP_OPTIONS = {
	arrayFormat: 'brackets',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
} satisfies Partial<IHttpRequestOptions>;

/** Timeout between two bytes, in milliseconds. */
function timeoutOf(context: CallContext, { timeout, until = Infinity }: ApiRequest): number {
	if (until < Infinity) {
		return Math.max(MIN_LOOK_MS, Math.min(MAX_LOOK_MS, until - clock.now()));
	}
	if (deadlineOf(context) < Infinity) return MAX_POLL_REQUEST_MS;
	return timeout ?? MAX_REQUEST_MS;
}

/** The turn of a request, with its deadline. */
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

/** Judges a request if the credential has limits; a change directly before it is sent. */
function judging(context: CallContext, account: Account, asked: ApiRequest, priority: Priority) {
	const { limits } = account;
	const { method = 'GET', isLook, before } = asked;
	let deed: Deed | undefined;
	const judgeNow = async () => {
		deed = await judge(context, account, asked, lookIn(context, priority)).catch((error: unknown) =>
			notAllowed(context.getNode(), error),
		);
	};
	// The sites of a record may have changed meanwhile.
	const isLate = method !== 'GET' && !isLook && (limits.only || limits.maxHarmful < Infinity);
	return {
		first: async () => void (isLimited(limits) && !isLate && (await judgeNow())),
		before: isLate ? async () => void (await judgeNow(), await before?.()) : before,
		deed: () => deed,
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
	const { verifyAt, lists, settle, does, isLook, before, around = callOnce, ...own } = apiRequest;
	const rest = omit(own, 'until');
	// Copy first: an object from an expression could return different values when judged and when sent.
	const options = { ...rest, qs: plain(rest.qs), body: plain(rest.body) };
	const { method = 'GET', url, qs, body } = options;
	const errorContext: ErrorContext = {
		isChange: method !== 'GET',
		path: url,
		verifyAt: verifyAt ?? url,
		lists,
		baseUrl: baseURL,
		secrets: [apiToken, ...secretsIn(qs), ...secretsIn(body)],
	};
	const turn = turnOf(context, apiRequest, priority);
	const timeout = timeoutOf(context, apiRequest);
	const sent = { ...options, ...HTTP_OPTIONS, timeout, baseURL, abortSignal: turn.signal };
	if (isEmpty(sent.body)) delete sent.body;
	const asked = { ...options, does, isLook, before };
	const judgement = judging(context, account, asked, priority);
	await judgement.first();

	// The signer gets the request as it is sent; other code uses the words of the reference.
	const wireRequest = words.sent(sent);
	const ask = async (changed: Partial<IHttpRequestOptions> = {}): Promise<ApiResponse> => {
		const sendOnce = async () => {
			const deed = judgement.deed();
			const signed = { ...wireRequest, ...changed, ...(deed && { [DEED]: deed }) };
			const outcome = await around(async () => await attempt(context, signed));
			const { statusCode = 0 } = 'answer' in outcome ? outcome.answer : {};
			if (deed && statusCode >= 400 && statusCode < 500) uncount(deed);
			return outcome;
		};
		const outcome = await exchange(limiter, method, turn, sendOnce, judgement.before);
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
	return { answer: checkedAnswer(node, answer, { account, errorContext }), errorContext, limits };
}

/** A successful response in the words of the reference, without secrets that the credential hides. @throws NodeApiError */
function checkedAnswer(
	node: INode,
	received: ApiResponse,
	about: { account: Account & { limiter: Limiter }; errorContext: ErrorContext },
): ApiResponse {
	const { limiter, limits } = about.account;
	const answer = inReferenceWords(received);
	const { statusCode } = answer;
	const time = dateOf(answer.headers);
	if (time !== undefined) limiter.clockOffset = time - clock.now();
	if (statusCode >= 200 && statusCode < 300) {
		return limits.effects.has('givesAccess') ? answer : withoutSecrets(answer);
	}
	const error = statusError(node, answer, about.errorContext);
	if (statusCode !== 429) throw error;
	// Some versions of n8n read when the rate limit ends.
	const failure = { cause: 'rate-limited', retryAfterMs: limiter.resetsIn() };
	throw Object.assign(error, { failure });
}

function inReferenceWords(answer: ApiResponse): ApiResponse {
	const body = words.received(answer.body, answer.statusCode >= 300);
	return body === answer.body ? answer : { ...answer, body };
}

const noRoom = (node: INode, { message }: NoRoom) =>
	knownError(
		node,
		{ outcome: 'notSent' },
		`${message}: nothing was changed by this item`,
		'Other work uses up the rate limit of the account, or "Requests per Minute" of the credential is 1. Run it again when less is running.',
	);

/**
 * The time by the service's clock in epoch milliseconds, from its last response; whole seconds, rounded down.
 * @param url list to request if there was no response yet
 * @returns undefined if the responses have no date
 */
export async function serviceTime(context: CallContext, url?: string): Promise<number | undefined> {
	const { limiter } = await accountOf(context);
	if (limiter.clockOffset === undefined && url !== undefined) {
		await request(context, { method: 'GET', url, qs: { page: 1, perPage: 1 } });
	}
	return limiter.clockOffset === undefined ? undefined : clock.now() + limiter.clockOffset;
}

/** A plain copy, as JSON would send it. */
export const plain = <T>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/** The error for a request without a response; if it was not signed, with the reason. */
function errorWithoutAnswer(node: INode, failure: Error, errorContext: ErrorContext) {
	if (failure instanceof NoRoom) return noRoom(node, failure);
	if (failure instanceof Endless) {
		return apiError(node, failures.endless(failure.message), errorContext);
	}
	const refusal = refusalIn(failure);
	return refusal ? refusedBy(node, refusal) : failureError(node, failure, errorContext);
}

const refusedBy = (node: INode, { why, todo }: Refused) =>
	knownError(node, { outcome: 'notSent' }, why, todo);

/** A function, because n8n's lint rules let a catch clause throw only errors of nodes. */
export function notAllowed(node: INode, error: unknown): never {
	const refusal = refusalIn(error);
	throw refusal ? refusedBy(node, refusal) : error;
}

/** The account of the node's credential. */
export async function accountOf(context: CallContext): Promise<Account & { limiter: Limiter }> {
	const credential = await context.getCredentials<Credential & JsonObject>(CREDENTIAL);
	const account = checkCredential(context.getNode(), credential);
	const { baseURL, apiToken, cap } = account;
	return { ...account, limiter: limiterOf(baseURL, apiToken, cap) };
}

const callOnce = async <T>(send: () => Promise<T>): Promise<T> => await send();

async function attempt(
	context: CallContext,
	options: IHttpRequestOptions & { timeout: number; [DEED]?: Deed },
): Promise<AttemptOutcome<ApiResponse>> {
	const answering = context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
		...options,
		encoding: 'stream',
	}) as Promise<ApiResponse>;
	try {
		return await wholeAnswer(answering, options.timeout, options.encoding === 'stream');
	} catch (error) {
		const isFinal = refusalIn(error) !== undefined || error instanceof Endless;
		return { failure: error as Error, isFinal };
	}
}

// n8n gives every declarative request an empty object as its body.
const isEmpty = (body: unknown) =>
	body !== null && typeof body === 'object' && Object.keys(body).length === 0;
