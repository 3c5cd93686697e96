/** Text separated by commas or lines, or an array from an expression: trimmed, no blanks, no duplicates. */
export function toList(value: unknown): string[] {
	const parts = Array.isArray(value) ? value : String(value).split(/[,\n]/);
	return [...new Set(parts.map((part) => String(part ?? '').trim()).filter(Boolean))];
}
