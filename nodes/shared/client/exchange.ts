import { clock } from './clock';
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
