import * as n8n from 'n8n-workflow';

/** Version 1 of n8n ends a sleep by a signal in a function of its own. */
const { sleep, sleepWithAbort = sleep } = n8n as typeof n8n & { sleepWithAbort?: typeof sleep };

const pause = async (ms: number, signal?: AbortSignal): Promise<void> =>
	await (signal ? sleepWithAbort(ms, signal) : sleep(ms));

/**
 * The only source of time of the transport; tests put a clock of their own in its place.
 * `now` gives epoch milliseconds, `sleep` waits milliseconds and rejects when the signal aborts.
 */
export const clock = {
	now: (): number => Date.now(),
	/** Milliseconds since some time, for what is over after a while: setting the machine's clock does not move it. */
	steady: (): number => performance.now(),
	/**
	 * As `sleep`, for what only watches over requests that are under way: it passes in real time also where a clock
	 * that jumps takes the place of this one, and would run ahead of them.
	 */
	guard: pause,
	sleep: pause,
};
