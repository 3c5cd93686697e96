import { sleep } from 'n8n-workflow';

/**
 * The only source of time of the transport; tests put a clock of their own in its place.
 * `now` gives epoch milliseconds, `sleep` waits milliseconds and rejects when the signal aborts.
 */
export const clock = {
	now: (): number => Date.now(),
	sleep: async (ms: number, signal?: AbortSignal): Promise<void> => await sleep(ms, signal),
};
