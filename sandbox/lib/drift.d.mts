/** The share of answers that differ with `--drift` alone. */
export const DRIFT_RATE: number;

/** Arguments in which `--drift` has its value, which may be left out. */
export function withRate(args: string[]): string[];
