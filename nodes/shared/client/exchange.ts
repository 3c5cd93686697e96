import { clock } from '../lib';
import type { ApiResponse } from '../n8n/context';
import type { Limiter, Ticket, AcquireOptions } from './limiter';
import { rateHeaders } from '../receive/answer';

export interface AttemptAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
}

/** Final outcome of a request: a response of any status, or the failure to get one. */
export type AttemptOutcome<A extends AttemptAnswer> =
	/** `isFinal`: a retry would have the same outcome. */
	{ isFinal?: boolean } & ({ answer: A } | { failure: Error });

/** A request's turn and its name. */
export interface ExchangeOptions extends AcquireOptions {
	/** For the log, such as `GET /tags`. */
	what?: string;
	/** Deadline in epoch milliseconds; no retry starts after it. */
	until?: number;
}

/** Time that a check before a change stays valid, in milliseconds. */
export const FRESH_MS = 2_000;

/** Maximum checks before one attempt; with one request per minute a check never stays valid. */
const MAX_CHECKS = 10;

/** The rate limit never allowed a check and the change directly after it; the change was not sent. */
export class NoRoom extends Error {
	constructor() {
		super('The rate limit leaves no room to check the record and change it right after');
	}
}

/**
 * Sends a request when the rate limit allows it, and retries it where that is safe.
 * @param send makes one attempt; does not throw
 * @param before check directly before each attempt; its requests take their own turns
 * @throws the signal's reason when it aborts while the request waits; the errors of `before`
 */
export async function exchange<A extends AttemptAnswer>(
	limiter: Limiter,
	method: string,
	turn: ExchangeOptions,
	send: () => Promise<AttemptOutcome<A>>,
	before?: () => Promise<void>,
): Promise<AttemptOutcome<A>> {
	for (let number = 1; ; number++) {
		const ticket = await turnAfterCheck(limiter, { ...turn, again: number > 1 }, before);
		if (!ticket) return { failure: new NoRoom() };
		const outcome = await send();
		const answer = 'answer' in outcome ? outcome.answer : undefined;
		limiter.release(ticket, answer && rateHeaders(answer.statusCode, answer.headers));
		if (turn.signal?.aborted || outcome.isFinal) return outcome;

		const wait = waitBeforeRetry(method, number, answer);
		if (wait === undefined || clock.now() + wait > (turn.until ?? Infinity)) return outcome;
		const why = answer
			? `the service responded with ${answer.statusCode}`
			: 'there was no response';
		turn.log?.(
			`${turn.what ?? method} is sent again${inSeconds(wait)} because ${why} (attempt ${number})`,
		);
		if (wait > 0) await clock.sleep(wait, turn.signal);
	}
}

/**
 * Takes a turn directly after the check. If the turn came too late, it is given back and the check repeated.
 * The check runs before the turn is taken, to avoid a deadlock.
 * @returns undefined if the rate limit never allowed both
 */
async function turnAfterCheck(
	limiter: Limiter,
	turn: AcquireOptions,
	before?: () => Promise<void>,
): Promise<Ticket | undefined> {
	if (!before) return await limiter.acquire(turn);
	return await limiter.checks.run(async () => {
		for (let checks = 1; checks <= MAX_CHECKS; checks++) {
			await before();
			const checkedAt = clock.now();
			const ticket = await limiter.acquire({ ...turn, again: turn.again || checks > 1 });
			if (clock.now() - checkedAt <= FRESH_MS) return ticket;
			limiter.giveBack(ticket);
		}
		return undefined;
	});
}

const inSeconds = (ms: number) => (ms > 0 ? ` in ${Math.round(ms / 100) / 10} s` : '');

/** Maximum attempts while the rate limit refuses a request, and while a read fails. */
const MAX_ATTEMPTS = { refused: 10, failed: 4 };

/** Maximum of `Retry-After` in seconds. */
const MAX_RETRY_AFTER = 60;

/**
 * Milliseconds before a request is sent again and takes its turn; undefined if it must not be sent again.
 * @param number of the attempt, from 1
 */
export function waitBeforeRetry(
	method: string,
	number: number,
	answer?: AttemptAnswer,
): number | undefined {
	const { statusCode: status, headers = {} } = answer ?? {};
	if (status === 429) {
		// The rate limit refused it, so nothing has happened yet; the limiter waits for the reset.
		if (number >= MAX_ATTEMPTS.refused) return undefined;
		// Back off if the reset time of the service was wrong.
		return number < 3 ? 0 : Math.min(15_000, 250 * 2 ** number);
	}
	const hasFailed = status === undefined || status >= 500;
	// Only reading again changes nothing.
	if (method !== 'GET' || !hasFailed || number >= MAX_ATTEMPTS.failed) return undefined;
	const backoff = 500 * 2 ** (number - 1) + Math.round(Math.random() * 250);
	// A date in the header is ignored.
	const asked = Math.min(Number(headers['retry-after']) || 0, MAX_RETRY_AFTER);
	return Math.max(backoff, asked * 1000);
}

/** Time for a whole response. n8n's own timeout has the same length but restarts with each byte. */
export const MAX_REQUEST_MS = 300_000;

/** Maximum bytes of a response after decompression; a page of 100 sites has a few MB. Files are streamed. */
const MAX_BYTES = 16 * 1024 ** 2;

/** Maximum bytes to read from an error response. */
const MAX_REFUSAL_BYTES = 100_000;

/** Maximum nesting of lists and objects; the reference has fewer than ten levels. */
const MAX_DEPTH = 100;

/** Grace period so that n8n's own timeout fires first if no byte arrives; such a read is retried. */
const GRACE_MS = 1_000;

/** The response exceeds a limit of time, size or depth; a retry would not help. */
export class Endless extends Error {
	override readonly name = 'Endless';
}

/** `over` rejects with Endless after `ms`, unless `end` is called before. */
function timeLimit(ms: number): { over: Promise<never>; end: () => void } {
	const timer = new AbortController();
	const over = new Promise<never>((_, reject) => {
		clock.guard(ms + GRACE_MS, timer.signal).then(
			() => reject(new Endless(`takes longer than ${Math.round(ms / 1000)} seconds`)),
			() => undefined,
		);
	});
	return { over, end: () => timer.abort() };
}

type Body = AsyncIterable<Uint8Array> & {
	destroy(error?: Error): void;
	once(event: 'close', listener: () => void): void;
};

const isStream = (body: unknown): body is Body =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

const discard = ({ body }: ApiResponse) => isStream(body) && body.destroy();

/**
 * Reads a response body as JSON or text; a file stays a stream. An error response is cut at the limits.
 * @param ms time for the whole response
 * @returns `isFinal`: whether a retry would give the same response
 * @throws Endless; what the request throws
 */
export async function wholeAnswer(
	answering: Promise<ApiResponse>,
	ms: number,
	isFile: boolean,
): Promise<{ answer: ApiResponse; isFinal: boolean }> {
	const { over, end } = timeLimit(ms);
	over.catch(() => answering.then(discard, () => undefined));
	try {
		const answer = await Promise.race([answering, over]);
		const { body, statusCode } = answer;
		if (!isStream(body) || (isFile && statusCode < 300)) return { answer, isFinal: false };
		return await read(answer, body, over);
	} finally {
		end();
	}
}

/** @param over rejects at the timeout */
async function read(answer: ApiResponse, body: Body, over: Promise<never>) {
	const isRefusal = answer.statusCode >= 300;
	const chunks: Uint8Array[] = [];
	const readAll = async () => {
		let length = 0;
		for await (const chunk of body) {
			chunks.push(chunk);
			length += chunk.length;
			if (isRefusal && length >= MAX_REFUSAL_BYTES) break;
			if (length > MAX_BYTES) throw new Endless(`is larger than ${MAX_BYTES / 1024 ** 2} MB`);
		}
	};
	const failure = await Promise.race([readAll(), over]).catch((error: unknown) => error);
	body.destroy();
	if (failure !== undefined && !isRefusal) throw failure;
	const isFinal = failure instanceof Endless;
	const value = parsed(Buffer.concat(chunks).toString('utf8'), isRefusal);
	return { answer: { ...answer, body: value }, isFinal };
}

function parsed(text: string, isRefusal: boolean): ApiResponse['body'] {
	if (isDeep(text)) {
		if (isRefusal) return text;
		throw new Endless(`is nested more than ${MAX_DEPTH} levels deep`);
	}
	try {
		return JSON.parse(text.replace(/^\uFEFF/, '')) as ApiResponse['body'];
	} catch {
		return text;
	}
}

/** Whether a JSON text is nested too deep for recursive functions. */
function isDeep(text: string): boolean {
	if (!/^[\s\uFEFF]*[[{]/.test(text)) return false;
	let depth = 0;
	let isInString = false;
	for (let at = 0; at < text.length && depth <= MAX_DEPTH; at++) {
		const character = text[at];
		if (isInString && character === '\\') at++;
		else if (character === '"') isInString = !isInString;
		else if (isInString) continue;
		else if (character === '[' || character === '{') depth++;
		else if (character === ']' || character === '}') depth--;
	}
	return depth > MAX_DEPTH;
}

/** Destroys the stream of a file that takes longer than `ms`. */
export function endAfter(body: unknown, ms: number): void {
	if (!isStream(body)) return;
	const { over, end } = timeLimit(ms);
	over.catch(({ message }: Endless) => body.destroy(new Endless(`The file ${message}`)));
	body.once('close', end);
}
