/** A copy of an object without some of its keys. */
export function omit<T extends object, K extends keyof T>(from: T, ...keys: K[]): Omit<T, K> {
	const copy: Partial<T> = { ...from };
	for (const key of keys) delete copy[key];
	return copy as T;
}
