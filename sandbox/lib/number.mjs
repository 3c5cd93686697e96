/** Reads the number that an option has; plain JavaScript, because `npm start` asks before anything is installed. */
export function readNumber(text, { whole = false, min = 0, max = 10 ** 12 }) {
	const value = Number(text);
	const fits = text.trim() !== '' && value >= min && value <= max;
	if (fits && (!whole || Number.isInteger(value))) return value;
	throw new RangeError(
		`must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not "${text}"`,
	);
}
