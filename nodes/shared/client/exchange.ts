import { Refused } from '../access/deed';
import { clock } from '../lib';
import type { ApiResponse } from '../n8n/context';
import type { Limiter, Ticket, AcquireOptions } from './limiter';
import { isStream, rateHeaders, type Stream } from '../receive/answer';

/** A response of any status, or the failure to get one. `isFinal`: a retry would have the same outcome. */
export type AttemptOutcome = { isFinal?: boolean } & ({ answer: ApiResponse } | { failure: Error });

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

const noRoom = () =>
	new Refused(
		'The rate limit leaves no room to check the record and change it right after: nothing was changed by this item',
		'Other work uses up the rate limit of the account, or "Requests per Minute" of the credential is 1. Run it again when less is running.',
	);

/**
 * Sends a request when the rate limit allows it, and retries it where that is safe. `send` does not throw.
 * @param before check directly before each attempt; its requests take their own turns
 * @throws the signal's reason when it aborts while the request waits; the errors of `before`
 */
export async function exchange(
	limiter: Limiter,
	method: string,
	turn: ExchangeOptions,
	send: () => Promise<AttemptOutcome>,
	before?: () => Promise<void>,
): Promise<AttemptOutcome> {
	for (let number = 1; ; number++) {
		const ticket = await turnAfterCheck(limiter, { ...turn, again: number > 1 }, before);
		if (!ticket) return { failure: noRoom() };
		const outcome = await send();
		const answer = 'answer' in outcome ? outcome.answer : undefined;
		limiter.release(ticket, answer && rateHeaders(answer.statusCode, answer.headers));
		if (turn.signal?.aborted || outcome.isFinal) return outcome;

		const wait = waitBeforeRetry(method, number, answer);
		if (wait === undefined || clock.now() + wait > (turn.until ?? Infinity)) return outcome;
		const why = answer
			? `the service responded with ${answer.statusCode}`
			: 'there was no response';
		const delay = wait > 0 ? ` in ${Math.round(wait / 100) / 10} s` : '';
		turn.log?.(`${turn.what ?? method} is sent again${delay} because ${why} (attempt ${number})`);
		if (wait > 0) await clock.sleep(wait, turn.signal);
	}
}

/** Takes a turn directly after the check, which needs turns itself; undefined if the rate limit never allows both. */
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

/** Maximum attempts while the rate limit refuses a request, and while a read fails. */
const MAX_ATTEMPTS = { refused: 10, failed: 4 };

const MAX_RETRY_AFTER_S = 60;

/** Milliseconds before a request is sent again; undefined if it must not be. @param number of the attempt, from 1 */
export function waitBeforeRetry(
	method: string,
	number: number,
	answer?: Pick<ApiResponse, 'statusCode' | 'headers'>,
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
	const asked = Math.min(Number(headers['retry-after']) || 0, MAX_RETRY_AFTER_S);
	return Math.max(backoff, asked * 1000);
}

/** Time for a whole response. n8n's own timeout has the same length but restarts with each byte. */
export const MAX_REQUEST_MS = 300_000;

/** Maximum bytes of a response after decompression; a page of 100 sites has a few MB. Files are streamed. */
const MAX_BYTES = 20 * 1024 ** 2;

/** Maximum nesting of lists and objects; the reference has fewer than ten levels. */
const MAX_DEPTH = 100;

/** If no byte arrives, n8n's own timeout must be first: such a read is retried. */
const GRACE_MS = 1_000;

/** The response exceeds a limit of time, size or depth. */
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

/**
 * Reads a response body as JSON or text; a file stays a stream. An error response is cut at the limits.
 * @param ms time for the whole response
 * @throws Endless; what the request throws
 */
export async function wholeAnswer(answering: Promise<ApiResponse>, ms: number, isFile: boolean) {
	const { over, end } = timeLimit(ms);
	const discard = ({ body }: ApiResponse) => isStream(body) && body.destroy();
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

async function read(answer: ApiResponse, body: Stream, over: Promise<never>) {
	const isRefusal = answer.statusCode >= 300;
	const chunks: Uint8Array[] = [];
	const readAll = async () => {
		let length = 0;
		for await (const chunk of body) {
			chunks.push(chunk);
			length += chunk.length;
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
	let value: ApiResponse['body'];
	try {
		value = JSON.parse(text.replace(/^\uFEFF/, '')) as ApiResponse['body'];
	} catch {
		return text;
	}
	if (!isDeep(value)) return value;
	if (isRefusal) return text;
	throw new Endless(`is nested more than ${MAX_DEPTH} levels deep`);
}

/** Whether a value is nested too deep for recursive functions. */
const isDeep = (value: unknown, levels = MAX_DEPTH): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1)));

/** Destroys the stream of a file that takes longer than `ms`. */
export function endAfter(body: unknown, ms: number): void {
	if (!isStream(body)) return;
	const { over, end } = timeLimit(ms);
	over.catch(({ message }: Endless) => body.destroy(new Endless(`The file ${message}`)));
	body.once('close', end);
}
