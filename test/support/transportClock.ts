/** A source of time for the transport, in milliseconds. */
export interface TestClock {
	now: () => number;
	sleep: (ms: number) => void;
}

/** Puts a test's clock in the place of the transport's own, so that nothing waits in real time. */
export function useClock({ now, sleep }: TestClock): void {
	const { clock } = require('../../dist/nodes/shared/lib') as {
		clock: {
			now: () => number;
			steady: () => number;
			sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
		};
	};
	clock.now = now;
	clock.steady = now;
	clock.sleep = async (ms, signal) => {
		signal?.throwIfAborted();
		sleep(ms);
		await new Promise((resolve) => setImmediate(resolve));
		signal?.throwIfAborted();
	};
}

/** Has the transport wait for nothing: its time goes on as if it had. */
export function withoutWaiting(): void {
	let ahead = 0;
	useClock({ now: () => Date.now() + ahead, sleep: (ms) => void (ahead += ms) });
}

/** Puts the time limits of requests into the hands of a test: `pass` has all that are under way be over. */
export function holdLimits(): { pass: () => void } {
	const { clock } = require('../../dist/nodes/shared/lib') as {
		clock: { guard: (ms: number, signal?: AbortSignal) => Promise<void> };
	};
	const waiting = new Set<() => void>();
	clock.guard = async (_, signal) =>
		await new Promise((resolve, reject) => {
			waiting.add(resolve);
			signal?.addEventListener('abort', () => {
				waiting.delete(resolve);
				reject(new Error('aborted'));
			});
		});
	return { pass: () => waiting.forEach((resolve) => resolve()) };
}
