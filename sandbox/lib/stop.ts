/** Calls back when the process is told to stop, by Ctrl-C, a signal or the end of npm; maybe repeatedly. */
export function onStop(stop: () => void): void {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		// From here on a signal no longer ends the process at once, as it does during the setup.
		process.removeAllListeners(signal).on(signal, stop);
	}
	if (process.env.npm_lifecycle_event) {
		// The shell between npm and this process passes no SIGTERM on, it just ends.
		const parent = process.ppid;
		setInterval(() => process.ppid !== parent && stop(), 500).unref();
	}
}
