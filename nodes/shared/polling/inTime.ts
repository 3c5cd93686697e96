import { OutOfTime } from '../transport/pacing/limiter';

/** Given for what the account has no room for within the time of this poll. */
export const OVER = Symbol('over');

/** The outcome of work that sends requests, or `OVER`. */
export async function inTime<T>(work: () => Promise<T>): Promise<T | typeof OVER> {
	try {
		return await work();
	} catch (error) {
		return overOr(error);
	}
}

function overOr(error: unknown): typeof OVER {
	if (error instanceof OutOfTime) return OVER;
	throw error;
}
