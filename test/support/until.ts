import { waitFor } from '../../sandbox/lib/wait';

/** Asks again and again until the answer is none of `undefined`, `false`, 0 and an empty text. */
export const until = async <T>(
	what: string,
	probe: () => T | Promise<T>,
	timeoutMs = 120_000,
	intervalMs?: number,
): Promise<Exclude<T, undefined | false | 0 | ''>> =>
	(await waitFor(what, async () => (await probe()) || undefined, timeoutMs, intervalMs)) as Exclude<
		T,
		undefined | false | 0 | ''
	>;
