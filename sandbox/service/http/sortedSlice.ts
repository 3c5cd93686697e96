type Compare<T> = (a: T, b: T) => number;

/**
 * What a sort would put at the places from `start` up to `end`, in that order. The rest stays
 * unsorted, which makes a page of a long list much cheaper than all of it.
 */
export function sortedSlice<T>(
	items: readonly T[],
	compare: Compare<T>,
	start: number,
	end: number,
): T[] {
	const found = [...items];
	if (start > 0) divide(found, compare, start, 0);
	if (end < found.length) divide(found, compare, end, start);
	return found.slice(start, end).sort(compare);
}

/** Moves what belongs before the place `at` there, among the items from `low` on (quickselect). */
function divide<T>(items: T[], compare: Compare<T>, at: number, low: number): void {
	let high = items.length - 1;
	while (low < high) {
		const pivot = median(compare, items[low]!, items[(low + high) >> 1]!, items[high]!);
		let left = low;
		let right = high;
		while (left <= right) {
			while (compare(items[left]!, pivot) < 0) left += 1;
			while (compare(items[right]!, pivot) > 0) right -= 1;
			if (left > right) break;
			[items[left], items[right]] = [items[right]!, items[left]!];
			left += 1;
			right -= 1;
		}
		if (at <= right) high = right;
		else if (at >= left) low = left;
		else return;
	}
}

function median<T>(compare: Compare<T>, a: T, b: T, c: T): T {
	const [low, high] = compare(a, b) < 0 ? [a, b] : [b, a];
	if (compare(c, low) < 0) return low;
	return compare(c, high) > 0 ? high : c;
}
