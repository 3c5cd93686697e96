/** That of the built package. */
const clockOf = () =>
	(require('../../dist/nodes/shared/lib') as typeof import('../../nodes/shared/lib')).clock;

/** A source of time for the transport, in milliseconds. */
interface TestClock {
	now: () => number;
	sleep: (ms: number) => void;
}

/** Puts a test's clock in the place of the transport's own, so that nothing waits in real time. */
export function useClock({ now, sleep }: TestClock): void {
	const clock = clockOf();
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
	const waiting = new Set<() => void>();
	clockOf().guard = async (_, signal) =>
		await new Promise((resolve, reject) => {
			waiting.add(resolve);
			signal?.addEventListener('abort', () => {
				waiting.delete(resolve);
				reject(new Error('aborted'));
			});
		});
	return { pass: () => waiting.forEach((resolve) => resolve()) };
}
