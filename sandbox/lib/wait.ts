import { setTimeout as delay } from 'node:timers/promises';

/** Asks `probe` again and again until it gives a value; an error when `timeoutMs` has passed. */
export async function waitFor<T>(
	what: string,
	probe: () => Promise<T | undefined>,
	timeoutMs: number,
	intervalMs = 200,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await probe();
		if (value !== undefined) return value;
		if (Date.now() >= deadline) {
			throw new Error(`Gave up waiting for ${what} after ${Math.round(timeoutMs / 1000)} s`);
		}
		await delay(intervalMs);
	}
}
