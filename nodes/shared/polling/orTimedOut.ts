import { OutOfTime } from '../client/limiter';

/** Given for what the account has no room for within the time of this poll. */
export const TIMED_OUT = Symbol('over');

/** The outcome of work that sends requests, or `OVER`. */
export async function orTimedOut<T>(work: () => Promise<T>): Promise<T | typeof TIMED_OUT> {
	try {
		return await work();
	} catch (error) {
		return overOr(error);
	}
}

function overOr(error: unknown): typeof TIMED_OUT {
	if (error instanceof OutOfTime) return TIMED_OUT;
	throw error;
}
