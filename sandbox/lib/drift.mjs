/** The share of answers that differ with `--drift` alone. */
export const DRIFT_RATE = 0.3;

/** Arguments in which `--drift` has its value, which may be left out. */
export const withRate = (args) =>
	args.flatMap((arg, index) =>
		arg === '--drift' && !/^\d/.test(args[index + 1] ?? '') ? [arg, String(DRIFT_RATE)] : [arg],
	);
