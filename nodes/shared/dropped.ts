/** What of a list is no longer in the one that takes its place; numbers and their texts are the same. */
export const droppedFrom = (before: readonly unknown[], after: readonly unknown[]): unknown[] => {
	const kept = new Set(after.map(String));
	return before.filter((each) => !kept.has(String(each)));
};
