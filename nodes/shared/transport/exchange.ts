import { clock } from './clock';
import type { Limiter, Turn } from './limiter';
import { rateHeaders } from './rateHeaders';
import { retryAfter } from './retry';

export interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
}

/** What came of a request in the end: an answer of any status, or the failure to get one. */
export type Outcome<A extends Answer> = { answer: A } | { failure: Error };

/** The turn of a request, and what it is. */
export interface Errand extends Turn {
	/** For the log, such as `GET /tags`. */
	what?: string;
	/** When nobody waits for it any more, in epoch milliseconds. */
	until?: number;
}

/**
 * Sends a request when the account has room, and again where that is safe.
 * @param send one attempt; it does not throw
 * @throws the signal's reason when it aborts while the request waits
 */
export async function exchange<A extends Answer>(
	limiter: Limiter,
	method: string,
	turn: Errand,
	send: () => Promise<Outcome<A>>,
): Promise<Outcome<A>> {
	for (let number = 1; ; number++) {
		const isChange = method !== 'GET';
		const ticket = await limiter.acquire({ ...turn, isChange, again: number > 1 });
		const outcome = await send();
		const answer = 'answer' in outcome ? outcome.answer : undefined;
		limiter.release(ticket, answer && rateHeaders(answer.statusCode, answer.headers));
		if (turn.signal?.aborted || (answer && answer.statusCode < 400)) return outcome;

		const { statusCode: status, headers } = answer ?? {};
		const wait = retryAfter({ method, number, status, headers });
		if (wait === undefined || clock.now() + wait > (turn.until ?? Infinity)) return outcome;
		const why = status === undefined ? 'there was no answer' : `the service answered ${status}`;
		limiter.log?.(
			`${turn.what ?? method} is sent again${inSeconds(wait)}, since ${why} (try ${number})`,
		);
		if (wait > 0) await clock.sleep(wait, turn.signal);
	}
}

const inSeconds = (ms: number) => (ms > 0 ? ` in ${Math.round(ms / 100) / 10} s` : '');
