import { clock } from './clock';
import type { Limiter, Ticket, AcquireOptions } from './limiter';
import { rateHeaders } from '../receive/answer';

export interface AttemptAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
}

/** What came of a request in the end: an answer of any status, or the failure to get one. */
export type AttemptOutcome<A extends AttemptAnswer> =
	/** `isFinal`: it would be the same again. */
	{ isFinal?: boolean } & ({ answer: A } | { failure: Error });

/** The turn of a request, and what it is. */
export interface ExchangeOptions extends AcquireOptions {
	/** For the log, such as `GET /tags`. */
	what?: string;
	/** When nobody waits for it any more, in epoch milliseconds. */
	until?: number;
}

/** What was looked at before a change counts for so long, in milliseconds. */
export const FRESH_MS = 2_000;

/** Looks before one attempt; a cap of one request a minute never has room for a look and a change. */
const MAX_LOOKS = 10;

/** There never was room for a look and the change directly after it: the change was not sent. */
export class NoRoom extends Error {
	constructor() {
		super('The rate limit leaves no room to check the record and change it right after');
	}
}

/**
 * Sends a request when the account has room, and again where that is safe.
 * @param send one attempt; it does not throw
 * @param before looks at something directly before each attempt; it takes turns of its own
 * @throws the signal's reason when it aborts while the request waits; what `before` throws
 */
export async function exchange<A extends AttemptAnswer>(
	limiter: Limiter,
	method: string,
	turn: ExchangeOptions,
	send: () => Promise<AttemptOutcome<A>>,
	before?: () => Promise<void>,
): Promise<AttemptOutcome<A>> {
	for (let number = 1; ; number++) {
		const ticket = await turnAfter(limiter, { ...turn, again: number > 1 }, before);
		if (!ticket) return { failure: new NoRoom() };
		const outcome = await send();
		const answer = 'answer' in outcome ? outcome.answer : undefined;
		limiter.release(ticket, answer && rateHeaders(answer.statusCode, answer.headers));
		if (turn.signal?.aborted || (answer && answer.statusCode < 400)) return outcome;

		if (outcome.isFinal) return outcome;
		const { statusCode: status, headers } = answer ?? {};
		const wait = retryAfter({ method, number, status, headers });
		if (wait === undefined || clock.now() + wait > (turn.until ?? Infinity)) return outcome;
		const why =
			status === undefined ? 'there was no response' : `the service responded with ${status}`;
		turn.log?.(
			`${turn.what ?? method} is sent again${inSeconds(wait)} because ${why} (attempt ${number})`,
		);
		if (wait > 0) await clock.sleep(wait, turn.signal);
	}
}

/**
 * A turn directly after a look. No place is held meanwhile: the look could wait for it. Where the turn was waited
 * for, it goes back, and the next look comes when there is room again.
 * @returns undefined when there never was room for both
 */
async function turnAfter(
	limiter: Limiter,
	turn: AcquireOptions,
	before?: () => Promise<void>,
): Promise<Ticket | undefined> {
	if (!before) return await limiter.acquire(turn);
	return await limiter.looks.run(async () => {
		for (let looks = 1; looks <= MAX_LOOKS; looks++) {
			await before();
			const lookedAt = clock.now();
			const ticket = await limiter.acquire({ ...turn, again: turn.again || looks > 1 });
			if (clock.now() - lookedAt <= FRESH_MS) return ticket;
			limiter.giveBack(ticket);
		}
		return undefined;
	});
}

const inSeconds = (ms: number) => (ms > 0 ? ` in ${Math.round(ms / 100) / 10} s` : '');

/** What came of one attempt: an answer, or no answer at all. */
export interface Attempt {
	method: string;
	/** 1 for the first attempt. */
	number: number;
	/** HTTP status; undefined when no answer came. */
	status?: number;
	headers?: Record<string, unknown>;
}

interface Reason {
	why: string;
	applies: (attempt: Attempt) => boolean;
	attempts: number;
	/** Milliseconds to wait before the next attempt takes its turn. */
	wait: (attempt: Attempt) => number;
}

const backoff = ({ number }: Attempt) => 500 * 2 ** (number - 1) + Math.round(Math.random() * 250);

/** Seconds that the service asks for; a date is not read. */
const asked = ({ headers = {} }: Attempt) =>
	Math.max(0, Math.min(Number(headers['retry-after']) || 0, 60));

/** The first reason that applies decides; none means that the attempt stands. */
const REASONS: Reason[] = [
	{
		why: 'the rate limit refused it, so nothing has happened yet; the limiter waits for the reset',
		applies: ({ status }) => status === 429,
		attempts: 10,
		// Where the service does not tell the end of its window well, patience grows.
		wait: ({ number }) => (number < 3 ? 0 : Math.min(15_000, 250 * 2 ** number)),
	},
	{
		why: 'reading again changes nothing, and the connection or the service failed',
		applies: ({ method, status }) => method === 'GET' && (status === undefined || status >= 500),
		attempts: 4,
		wait: (attempt) => Math.max(backoff(attempt), asked(attempt) * 1000),
	},
];

/** Milliseconds to wait before sending the request again, or undefined when it must not be sent again. */
export function retryAfter(attempt: Attempt): number | undefined {
	const reason = REASONS.find(({ applies }) => applies(attempt));
	return reason && attempt.number < reason.attempts ? reason.wait(attempt) : undefined;
}
