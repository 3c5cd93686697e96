import type { IDataObject, IHttpRequestOptions, INode, JsonObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Deed, Rules, Vouched } from '../../access/check';
import { ACCESS_TODO, checkLimits, deedOf, missing, VOUCHED, whyNot } from '../../access/check';
import type { Effect } from '../../access/effects';
import type { Refused } from '../../access/target';
import type { Account, Credential } from '../../input/credential';
import { checkCredential } from '../../input/credential';
import { collectionOf, recordNameOf } from '../../operation';
import { dateOf, listIn, single, WrongAnswer } from '../../receive/answer';
import type { ErrorContext } from '../../receive/errors';
import type { Form } from '../../receive/origin';
import { keysReceived } from '../../receive/received';
import { withDetails } from '../../receive/outcome';
import { withoutSecrets } from '../../receive/withoutSecrets';
import { idIn, Mismatched, proveRecord } from '../../receive/proof';
import {
	apiError,
	failureError,
	mismatchError,
	rateLimited,
	statusError,
} from '../../receive/errors';
import { secretsIn } from '../../receive/secrets';
import { words } from '../../vocabulary/words';
import { clock } from '../pacing/clock';
import type { ApiRequest, ApiResponse, CallContext } from '../../n8n/context';
import { cancelSignal, CREDENTIAL, deadlineOf } from '../../n8n/context';
import { flowOf, priorityOf } from '../pacing/queue';
import { formFor } from './differences';
import { Endless, MAX_REQUEST_MS, wholeAnswer } from './body';
import type { AttemptOutcome } from './exchange';
import { exchange, NoRoom } from './exchange';
import type { Limiter } from '../pacing/limiter';
import { limiterOf } from '../pacing/limiter';
import type { Priority } from '../pacing/queue';
import { isRedirect, pointsTo } from './redirect';
import { refusalIn, vouchFor } from './vouch';

/**
 * Sends one request to the service: paced per account, repeated only where that is safe.
 * All HTTP of nodes, triggers and list searches goes through here.
 * @param accept makes of the answer what is wanted, and is told in which form it may come; its WrongAnswer or
 * Mismatched becomes an error of the request
 * @throws NodeApiError that says what happened and what to do; an error of the credential when it is unusable;
 * OutOfTime when the context has a deadline and the account has no room until then
 */
export async function read<T>(
	context: CallContext,
	options: ApiRequest,
	accept: (answer: ApiResponse, form: Form) => T | Promise<T>,
	priority?: Priority,
): Promise<T> {
	const { answer, errorContext } = await send(context, options, priority);
	const form = formFor(context, options, answer);
	try {
		return await accept(answer, form);
	} catch (error) {
		return wrongAnswer(context.getNode(), error, errorContext, { answer, form });
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
	{ answer, form }: { answer: ApiResponse; form: Form },
): never {
	if (error instanceof Mismatched) throw mismatchError(node, error.mismatch, errorContext);
	if (!(error instanceof WrongAnswer)) throw error;
	const about = {
		received: keysReceived(answer.body),
		isForeign: !form.isOfService,
		isRaw: node.type.endsWith('.api'),
	};
	throw apiError(node, { kind: 'wrong answer', form: error.message, ...about }, errorContext);
}

/** An answer in the form of the reference: `{ tag: {…} }` of `/tags/7`, or `{ sites: […] }` of `/sites`. */
const readRecord = async (context: CallContext, asked: ApiRequest, priority: Priority) =>
	await read(context, asked, ({ body }, form) => inReferenceForm(body, asked.url, form), priority);

function inReferenceForm(body: unknown, path: string, form: Form): IDataObject {
	const [, collection = '', id] = path.split('/');
	if (id === undefined) {
		const wrapper = collectionOf(path);
		return { [wrapper]: listIn(body, wrapper, { isRead: true }, form) };
	}
	const wrapper = recordNameOf(`/${collection}`);
	const lastId = idIn(path);
	const record = single({ wrapper }, body, { lastId, isRead: true }, form);
	proveRecord(record, lastId);
	return { [wrapper]: record };
}

/** A look at something that is waited for takes no longer; also the last one gets a little time. */
const MAX_LOOK_MS = 30_000;
const MIN_LOOK_MS = 5_000;

/** A request of a poll takes no longer: the next poll asks again. */
const MAX_POLL_REQUEST_MS = 60_000;

async function send(
	context: CallContext,
	{
		verifyAt: look,
		lists,
		settle,
		isLook,
		before,
		until = Infinity,
		around = alone,
		...options
	}: ApiRequest,
	priority: Priority = priorityOf(context),
): Promise<{ answer: ApiResponse; errorContext: ErrorContext }> {
	const account = await accountOf(context);
	const { baseURL, limiter, apiToken, limits } = account;
	const node = context.getNode();
	const { method = 'GET', url, qs, body } = options;
	const errorContext: ErrorContext = {
		isChange: method !== 'GET',
		path: url,
		verifyAt: look ?? url,
		lists,
		baseUrl: baseURL,
		secrets: [apiToken, ...secretsIn(qs), ...secretsIn(body)],
		sent: body,
	};
	const signal = cancelSignal(context);
	const giveUpAt = deadlineOf(context);
	const turn = {
		priority,
		flow: flowOf(context),
		signal,
		giveUpAt,
		until: Math.min(until, giveUpAt),
		what: `${method} ${url}`,
		log: (message: string) => context.logger?.info(message, { node: node.name }),
	};
	const sent = {
		timeout: MAX_REQUEST_MS,
		...options,
		...(giveUpAt < Infinity && { timeout: MAX_POLL_REQUEST_MS }),
		...(until < Infinity && {
			timeout: Math.max(MIN_LOOK_MS, Math.min(MAX_LOOK_MS, until - clock.now())),
		}),
		baseURL,
		arrayFormat: 'brackets',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
		abortSignal: signal,
	} satisfies IHttpRequestOptions;
	if (isEmpty(sent.body)) delete sent.body;
	let vouched: Vouched = {};
	const vouch = async () => {
		const read = async (asked: ApiRequest) =>
			await readRecord(context, { ...asked, isLook: true }, priority);
		vouched = await vouchFor(context, account, { ...sent, isLook }, read).catch((error: unknown) =>
			notAllowed(node, error),
		);
	};
	// Which sites a change is about is looked at directly before it, too.
	const looks = errorContext.isChange && !isLook && (limits.only || limits.maxHarmful < Infinity);
	const lookBefore = looks ? async () => void (await vouch(), await before?.()) : before;
	if (!looks) await vouch();

	// The signer sees what is really sent; all else here, and the answer, are in the words of the reference.
	const spoken = words.sent(sent);
	let attempts = 0;
	const ask = async (changed: Partial<IHttpRequestOptions> = {}): Promise<ApiResponse> => {
		const send = async () => {
			const marked = {
				...vouched,
				isFollowed: changed.url !== undefined,
				isRepeated: attempts++ > 0,
			};
			return await around(
				async () => await attempt(context, { ...spoken, ...changed, [VOUCHED]: marked }),
			);
		};
		const outcome = await exchange(limiter, method, turn, send, lookBefore);
		if ('failure' in outcome) throw failed(node, outcome.failure, errorContext);
		return outcome.answer;
	};
	let answer = await ask();
	if (isRedirect(answer) && settle) {
		answer = await settle(answer, async (to) => await ask({ url: to, baseURL: undefined, qs: {} }));
	}
	const { statusCode } = answer;
	if (isRedirect(answer)) {
		throw apiError(node, { kind: 'redirect', ...pointsTo(answer, baseURL, url) }, errorContext);
	}
	answer = inReferenceWords(answer);
	const time = dateOf(answer.headers);
	if (time !== undefined) limiter.clockOffset = time - clock.now();
	if (statusCode >= 200 && statusCode < 300) {
		const mayTell = limits.effects.has('givesAccess');
		return { answer: mayTell ? answer : withoutSecrets(answer), errorContext };
	}
	const error = statusError(node, answer, errorContext);
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
	what: string,
	effects: readonly Effect[],
): Promise<void> {
	// What only reads is always allowed, and n8n looks a credential up anew each time.
	if (effects.every((effect) => effect === 'reads')) return;
	const { limits } = await accountOf(context);
	const lacking = missing(limits, effects);
	if (!lacking) return;
	const why = `${what} is not allowed by ${limits.by}: ${whyNot(limits, lacking)}`;
	throw new NodeOperationError(context.getNode(), why, { description: ACCESS_TODO });
}

/**
 * Refuses what the signer would refuse: of a preview nothing is signed.
 * @returns what the request does
 * @throws NodeOperationError that names the credential
 */
export async function requireSignable(
	context: CallContext,
	asked: ApiRequest,
	rules: Rules,
): Promise<Deed> {
	const account = await accountOf(context);
	const sent = { ...asked, baseURL: account.baseURL };
	const look = async (url: ApiRequest) =>
		await readRecord(context, { ...url, isLook: true }, priorityOf(context));
	const judge = async () => {
		const deed = deedOf(sent, account.base, rules);
		const what = `${deed.verb} /${deed.path.segments.join('/')}`;
		checkLimits(account.limits, deed, what, await vouchFor(context, account, sent, look));
		return deed;
	};
	return await judge().catch((error: unknown) => notAllowed(context.getNode(), error));
}

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
	options: IHttpRequestOptions & { timeout: number; [VOUCHED]: Vouched },
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
