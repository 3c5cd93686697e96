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
