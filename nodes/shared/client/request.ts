import type { IDataObject, IHttpRequestOptions, INode, JsonObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { uncount } from '../access/counts';
import type { Deed, Refused } from '../access/deed';
import { ACCESS_TODO, DEED, isAlsoAllowed, missing, permit, whyNot } from '../access/deed';
import type { Effect } from '../access/effects';
import type { Limits } from '../access/limits';
import { isLimited } from '../access/limits';
import type { Account, Credential } from '../input/credential';
import { checkCredential } from '../input/credential';
import { collectionOf, recordNameOf, words } from '../vocabulary/words';
import { dateOf, keysReceived, listIn, single, WrongAnswer } from '../receive/answer';
import type { ErrorContext } from '../receive/errors';
import { isOfService } from '../receive/rateHeaders';
import { apiError, failureError, rateLimited, statusError, withDetails } from '../receive/errors';
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
import { leaveTrace, TRACES } from '../n8n/trace';
import { isShown, judge, refusalIn, sitesAllowed } from './judge';

/**
 * Sends one request to the service: paced per account, repeated only where that is safe.
 * All HTTP of nodes, triggers and list searches goes through here.
 * @param accept makes of the answer what is wanted, and gets what the credential allows; its WrongAnswer or
 * Mismatched becomes an error of the request
 * @throws NodeApiError that says what happened and what to do; an error of the credential when it is unusable;
 * OutOfTime when the context has a deadline and the account has no room until then
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

/** As `read`, for what looks at the answer itself, such as a file. */
export async function request(
	context: CallContext,
	options: ApiRequest,
	priority?: Priority,
): Promise<ApiResponse> {
	return await read(context, options, (answer) => answer, priority);
}

/** Apart, since n8n's lint rules let a catch clause throw nothing but errors of nodes. */
function wrongAnswer(
	node: INode,
	error: unknown,
	errorContext: ErrorContext,
	answer: ApiResponse,
): never {
	if (error instanceof Mismatched) {
		throw apiError(node, { kind: 'mismatch', mismatch: error.mismatch }, errorContext);
	}
	if (!(error instanceof WrongAnswer)) throw error;
	const about = {
		received: keysReceived(answer.body),
		isForeign: !isOfService(answer),
		isRaw: node.type.endsWith('.api'),
	};
	throw apiError(node, { kind: 'wrong answer', form: error.message, ...about }, errorContext);
}

/** What a path gives, for nothing but the limits of the credential. */
const lookBy =
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

/** A look at something that is waited for takes no longer; also the last one gets a little time. */
const MAX_LOOK_MS = 30_000;
const MIN_LOOK_MS = 5_000;

/** A request of a poll takes no longer: the next poll asks again. */
const MAX_POLL_REQUEST_MS = 60_000;

/** Options of a request that go to n8n's HTTP client as they are. */
const ALWAYS = {
	arrayFormat: 'brackets',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
} satisfies Partial<IHttpRequestOptions>;

/** How long n8n waits between two bytes, in milliseconds. */
function timeoutOf(context: CallContext, { timeout, until = Infinity }: ApiRequest): number {
	if (until < Infinity) {
		return Math.max(MIN_LOOK_MS, Math.min(MAX_LOOK_MS, until - clock.now()));
	}
	if (deadlineOf(context) < Infinity) return MAX_POLL_REQUEST_MS;
	return timeout ?? MAX_REQUEST_MS;
}

/** Whose turn a request takes, and until when it waits for it. */
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

/** Judges a request for a credential with limits: for a change directly before it is sent. */
function judging(context: CallContext, account: Account, asked: ApiRequest, priority: Priority) {
	const { limits } = account;
	const { method = 'GET', isLook, before } = asked;
	let deed: Deed | undefined;
	const judgeNow = async () => {
		deed = await judge(context, account, asked, lookBy(context, priority)).catch((error: unknown) =>
			notAllowed(context.getNode(), error),
		);
	};
	// Which sites a change is about may have changed meanwhile.
	const isLate = method !== 'GET' && !isLook && (limits.only || limits.maxHarmful < Infinity);
	return {
		first: async () => void (isLimited(limits) && !isLate && (await judgeNow())),
		before: isLate ? async () => void (await judgeNow(), await before?.()) : before,
		deed: () => deed,
	};
}

async function send(
	context: CallContext,
	given: ApiRequest,
	priority: Priority = priorityOf(context),
): Promise<{ answer: ApiResponse; errorContext: ErrorContext; limits: Limits }> {
	const account = await accountOf(context);
	const { baseURL, limiter, apiToken, limits } = account;
	const node = context.getNode();
	const { verifyAt, lists, settle, does, isLook, before, around = alone, ...own } = given;
	const rest = omit(own, 'until');
	// What is judged is what is sent: an object of an expression could say another thing each time it is asked.
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
	const turn = turnOf(context, given, priority);
	const timeout = timeoutOf(context, given);
	const sent = { ...options, ...ALWAYS, timeout, baseURL, abortSignal: turn.signal };
	if (isEmpty(sent.body)) delete sent.body;
	const asked = { ...options, does, isLook, before };
	const judged = judging(context, account, asked, priority);
	await judged.first();

	// The signer sees what is really sent; all else here, and the answer, are in the words of the reference.
	const spoken = words.sent(sent);
	const ask = async (changed: Partial<IHttpRequestOptions> = {}): Promise<ApiResponse> => {
		const sendOnce = async () => {
			const deed = judged.deed();
			const signed = { ...spoken, ...changed, ...(deed && { [DEED]: deed }) };
			const outcome = await around(async () => await attempt(context, signed));
			const { statusCode = 0 } = 'answer' in outcome ? outcome.answer : {};
			if (deed && statusCode >= 400 && statusCode < 500) uncount(deed);
			return outcome;
		};
		const outcome = await exchange(limiter, method, turn, sendOnce, judged.before);
		if ('failure' in outcome) throw failed(node, outcome.failure, errorContext);
		return outcome.answer;
	};
	let answer = await ask();
	if (isRedirect(answer) && settle) {
		answer = await settle(answer, async (to) => await ask({ url: to, baseURL: undefined, qs: {} }));
	}
	if (isRedirect(answer)) {
		throw apiError(node, { kind: 'redirect', ...pointsTo(answer, baseURL, url) }, errorContext);
	}
	return { answer: taken(node, answer, { account, errorContext }), errorContext, limits };
}

/** A good answer in the words of the reference, without what the credential keeps secret. @throws NodeApiError */
function taken(
	node: INode,
	given: ApiResponse,
	about: { account: Account & { limiter: Limiter }; errorContext: ErrorContext },
): ApiResponse {
	const { limiter, limits } = about.account;
	const answer = inReferenceWords(given);
	const { statusCode } = answer;
	const time = dateOf(answer.headers);
	if (time !== undefined) limiter.clockOffset = time - clock.now();
	if (statusCode >= 200 && statusCode < 300) {
		return limits.effects.has('givesAccess') ? answer : withoutSecrets(answer);
	}
	const error = statusError(node, answer, about.errorContext);
	throw statusCode === 429 ? rateLimited(error, limiter.resetsIn()) : error;
}

function inReferenceWords(answer: ApiResponse): ApiResponse {
	const body = words.received(answer.body, answer.statusCode >= 300);
	return body === answer.body ? answer : { ...answer, body };
}

const noRoom = (node: INode, { message }: NoRoom) =>
	withDetails(
		new NodeOperationError(node, `${message}: nothing was changed by this item`, {
			description:
				'Other work uses up the rate limit of the account, or "Requests per Minute" of the credential is 1. Run it again when less is running.',
		}),
		{ outcome: 'notSent' },
	);

/**
 * The time by the service's clock as its last answer told it, in epoch milliseconds; whole seconds, rounded down.
 * @param url a list to ask when no answer has told it yet
 * @returns undefined when the service does not tell
 */
export async function serviceTime(context: CallContext, url?: string): Promise<number | undefined> {
	const { limiter } = await accountOf(context);
	if (limiter.clockOffset === undefined && url !== undefined) {
		await request(context, { method: 'GET', url, qs: { page: 1, perPage: 1 } });
	}
	return limiter.clockOffset === undefined ? undefined : clock.now() + limiter.clockOffset;
}

/**
 * Refuses what the credential does not allow.
 * @param what the operation, as the sentence begins
 * @throws NodeOperationError that names the credential
 */
export async function requireAccess(
	context: CallContext,
	{ what, route }: { what: string; route: string },
	effects: readonly Effect[],
): Promise<void> {
	// What only reads is always allowed, and n8n looks a credential up anew each time.
	if (effects.every((effect) => effect === 'reads')) return;
	const { limits } = await accountOf(context);
	const lacking = missing(limits, effects);
	const [method, path] = route.split(' ') as [string, string];
	if (!lacking || isAlsoAllowed(limits, method, path)) return;
	const why = `${what} is not allowed by ${limits.by}: ${whyNot(limits, lacking)}`;
	throw new NodeOperationError(context.getNode(), why, { description: ACCESS_TODO });
}

/**
 * Refuses what the signer would refuse: of a preview nothing is signed.
 * @throws NodeOperationError that names the credential
 */
export async function requirePermitted(context: CallContext, asked: ApiRequest): Promise<void> {
	const account = await accountOf(context);
	if (!isLimited(account.limits)) return;
	await judge(
		context,
		account,
		{ ...asked, body: plain(asked.body) },
		lookBy(context, priorityOf(context)),
	)
		.then((deed) => permit(account.limits, deed))
		.catch((error: unknown) => notAllowed(context.getNode(), error));
}

/** The sites that the credential allows; undefined where it allows all. */
export async function allowedSites(context: CallContext): Promise<Set<string> | undefined> {
	const account = await accountOf(context);
	return await sitesAllowed(context, account, lookBy(context, priorityOf(context))).catch(
		(error: unknown) => notAllowed(context.getNode(), error),
	);
}

/** Whether a record may be shown; `query` asks for no more than needed, where the service can tell. */
export type Shown = ((record: IDataObject) => boolean) & { query: IDataObject };

/** Which records of a list may be shown; undefined where all of them may. @param path of the list or the record */
export async function shownAt(context: CallContext, path: string): Promise<Shown | undefined> {
	const { only } = (await accountOf(context)).limits;
	const allowed = only && (await allowedSites(context));
	if (!allowed) return undefined;
	const isTold = path === '/sites' && only.sites.length === 0;
	const isAllowed = (record: IDataObject) => {
		const shown = isShown(allowed, path, record);
		if (!shown) leaveWord(context, path);
		return shown;
	};
	return Object.assign(isAllowed, { query: isTold ? { 'filters[tags:in]': [...only.tags] } : {} });
}

/** @throws NodeOperationError where a record belongs to other sites than the credential allows */
export async function requireShown(
	context: CallContext,
	path: string,
	records: IDataObject[],
): Promise<void> {
	const account = await accountOf(context);
	if (!account.limits.only) return;
	const isAllowed = await shownAt(context, path);
	if (!isAllowed || records.every(isAllowed)) return;
	const why = `GET ${path} is not allowed by ${account.limits.by}: the record is not of its Only Sites`;
	throw new NodeOperationError(context.getNode(), why, { description: ACCESS_TODO });
}

/** The shortened lists that were reported, by the run of a node or the poll. */
const reported = new WeakMap<object, Set<string>>();

/** Reports once that a list is shortened: nobody looks for records that they do not know of. */
function leaveWord(context: CallContext, path: string): void {
	const run = 'getExecuteData' in context ? context.getExecuteData() : context;
	const paths = reported.get(run) ?? new Set();
	if (paths.has(path)) return;
	reported.set(run, paths.add(path));
	const { name } = context.getNode();
	const line = `Records of ${path} that belong to other sites than the credential allows were left out`;
	if (!('getItemIndex' in context)) context.logger?.info(line, { node: name });
	else leaveTrace(context, { key: TRACES.limited, value: `${name}: ${path}`, line });
}

/** A plain copy of what can be sent as JSON. */
const plain = <T>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/** The error for a request that failed before an answer; one that was not signed says why. */
function failed(node: INode, failure: Error, errorContext: ErrorContext) {
	if (failure instanceof NoRoom) return noRoom(node, failure);
	if (failure instanceof Endless) {
		return apiError(node, { kind: 'endless', limit: failure.message }, errorContext);
	}
	const refusal = refusalIn(failure);
	return refusal ? refusedBy(node, refusal) : failureError(node, failure, errorContext);
}

const refusedBy = (node: INode, { why, todo }: Refused) =>
	withDetails(new NodeOperationError(node, why, { description: todo }), { outcome: 'notSent' });

/** Apart, since n8n's lint rules let a catch clause throw nothing but errors of nodes. */
function notAllowed(node: INode, error: unknown): never {
	const refusal = refusalIn(error);
	throw refusal ? refusedBy(node, refusal) : error;
}

/** The account that the node's credential gives access to. */
export async function accountOf(context: CallContext): Promise<Account & { limiter: Limiter }> {
	const credential = await context.getCredentials<Credential & JsonObject>(CREDENTIAL);
	const account = checkCredential(context.getNode(), credential);
	const { baseURL, apiToken, cap } = account;
	return { ...account, limiter: limiterOf(baseURL, apiToken, cap) };
}

const alone = async <T>(send: () => Promise<T>): Promise<T> => await send();

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

// n8n starts every declarative request with an empty object as its body.
const isEmpty = (body: unknown) =>
	body !== null && typeof body === 'object' && Object.keys(body).length === 0;
