const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `leave` when the signal aborts. A thousand items share the signal of their execution: one listener on it
 * serves all of them.
 * @returns ends that
 */
export function onAbort(signal: AbortSignal | undefined, leave: () => void): () => void {
	if (!signal) return () => undefined;
	let waiting = listeners.get(signal);
	if (!waiting) {
		const all = new Set<() => void>();
		waiting = all;
		listeners.set(signal, all);
		signal.addEventListener('abort', () => all.forEach((each) => each()), { once: true });
	}
	const all = waiting;
	all.add(leave);
	return () => void all.delete(leave);
}
