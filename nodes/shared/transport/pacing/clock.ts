import { sleep } from 'n8n-workflow';

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
	guard: async (ms: number, signal?: AbortSignal): Promise<void> => await sleep(ms, signal),
	sleep: async (ms: number, signal?: AbortSignal): Promise<void> => await sleep(ms, signal),
};
