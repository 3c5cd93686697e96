import type { GenericValue, IDataObject } from 'n8n-workflow';

/** An object with fields: no list, and not null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of anything; `Array.isArray` gives a list of `any`. */
export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** A JSON object, so not a Date or another class. */
export const isPlain = (value: unknown): value is IDataObject =>
	isRecord(value) && [Object.prototype, null].includes(Reflect.getPrototypeOf(value));

/** The value if it is an object, otherwise an empty one. */
export const recordIn = (value: unknown): IDataObject => (isRecord(value) ? value : {});

/** The objects in a list; none where there is no list. */
export const recordsIn = (value: unknown): IDataObject[] => listIn(value).filter(isRecord);

/** The entries of a list; none where there is no list. */
export const listIn = (value: unknown): GenericValue[] => (Array.isArray(value) ? value : []);

/** The entries of a list as texts; none where there is no list. */
export const textsIn = (value: unknown): string[] => listIn(value).map(String);

type Value = IDataObject[string];

/** The value at a path such as `wp.core.current_version`, mapped over lists; undefined where a part is missing. */
export const valueAt = (record: unknown, path: string): Value =>
	isRecord(record) ? path.split('.').reduce<Value>(partOf, record) : undefined;

function partOf(value: unknown, key: string): Value {
	if (typeof value !== 'object' || value === null) return undefined;
	if (Object.hasOwn(value, key)) return Reflect.get(value, key);
	return Array.isArray(value) ? value.flatMap((each) => partOf(each, key) ?? null) : undefined;
}

/** A copy of an object without some of its keys. */
export function omit<T extends object, K extends keyof T>(from: T, ...keys: K[]): Omit<T, K> {
	const copy: Partial<T> = { ...from };
	for (const key of keys) delete copy[key];
	return copy as T;
}

/** A copy of an object with changed values. */
export const mapValues = <V, W>(
	record: Record<string, V>,
	change: (value: V, key: string) => W,
): Record<string, W> =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));

/** Caches a value for each record, as long as the record is in memory. */
export function perRecord<R extends object, V>(compute: (record: R) => V): (record: R) => V {
	const known = new WeakMap<R, { value: V }>();
	return (record) => {
		const found = known.get(record) ?? { value: compute(record) };
		known.set(record, found);
		return found.value;
	};
}
