/** The text as a number of that range; a `RangeError` that says what it must be when it is none. */
export function readNumber(
	text: string,
	range: { whole?: boolean; min?: number; max?: number },
): number;
