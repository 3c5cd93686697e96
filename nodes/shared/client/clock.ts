import * as n8n from 'n8n-workflow';

/** n8n 1.x has a separate function for a sleep that a signal aborts. */
const { sleep, sleepWithAbort = sleep } = n8n as typeof n8n & { sleepWithAbort?: typeof sleep };

const pause = async (ms: number, signal?: AbortSignal): Promise<void> =>
	await (signal ? sleepWithAbort(ms, signal) : sleep(ms));

/**
 * The only source of time in the client; tests replace it.
 * `now` returns epoch milliseconds; `sleep` waits milliseconds and rejects when the signal aborts.
 */
export const clock = {
	now: (): number => Date.now(),
	/** Monotonic milliseconds for durations; setting the machine's clock does not change them. */
	steady: (): number => performance.now(),
	/** As `sleep`, for timeouts of requests in flight: stays in real time when tests make `sleep` jump. */
	guard: pause,
	sleep: pause,
};
