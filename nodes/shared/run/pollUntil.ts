import { NodeApiError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { cancelSignal, onAbort } from '../n8n/context';
import { clock } from '../client/clock';

/** Milliseconds to the next look: a quarter of the time waited, from 2 to 30 seconds. */
export const intervalAt = (waitedMs: number) => Math.min(30_000, Math.max(2_000, waitedMs / 4));

/** Whether the service answered with a 4xx, which it will do the next time, too. */
export function isRefused(error: unknown): error is NodeApiError {
	const status = error instanceof NodeApiError ? Number(error.httpCode) : NaN;
	return status >= 400 && status < 500;
}

interface Poll<T> {
	/** Looks once. @returns undefined to look again */
	look: (until: number) => Promise<T | undefined>;
	/** In milliseconds; 0 looks once. */
	limitMs: number;
	/** Returns or throws the result after the time limit. @param lastError undefined if the last look succeeded */
	onTimeLimit: (lastError?: Error) => T;
	/** Whether to sleep before the first look. @default false */
	sleepsFirst?: boolean;
	/** Whether to look again after a failure. @default all but refusals */
	tolerates?: (error: Error) => boolean;
}

/**
 * Looks at something, in growing intervals and once more at the time limit, until a look returns a value.
 * @throws the failure of a look that is not tolerated; the signal's reason when the execution is cancelled
 */
export async function pollUntil<T>(context: ItemContext, poll: Poll<T>): Promise<T> {
	const { look, limitMs, onTimeLimit, sleepsFirst, tolerates = isPassing } = poll;
	const signal = cancelSignal(context);
	const begun = clock.now();
	const until = begun + limitMs;
	let lastError: Error | undefined;
	for (let looks = sleepsFirst ? 1 : 0; ; looks++) {
		if (looks > 0) {
			const left = until - clock.now();
			if (left <= 0) return onTimeLimit(lastError);
			await sleep(Math.min(left, intervalAt(clock.now() - begun)), signal);
		}
		signal?.throwIfAborted();
		lastError = undefined;
		const found = await look(until).catch((error: Error) => {
			signal?.throwIfAborted();
			if (!tolerates(error)) throw error;
			lastError = error;
			return undefined;
		});
		if (found !== undefined) return found;
	}
}

const isPassing = (error: Error) => !isRefused(error);

/** Adds no listener of its own to the signal, which thousands of items can share. */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
	const own = new AbortController();
	const unsubscribe = onAbort(signal, () => own.abort(signal?.reason));
	await clock.sleep(ms, own.signal).finally(unsubscribe);
}
