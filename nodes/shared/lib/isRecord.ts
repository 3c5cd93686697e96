import type { GenericValue, IDataObject } from 'n8n-workflow';

/** An object with fields: no list, and not null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of JSON; a Date or a class of ours has no fields of its own, and is a value all the same. */
export const isPlain = (value: unknown): value is IDataObject =>
	isRecord(value) && [Object.prototype, null].includes(Reflect.getPrototypeOf(value));

/** The object that a value is; one without fields where it is none. */
export const recordIn = (value: unknown): IDataObject => (isRecord(value) ? value : {});

/** The objects in a list; none where there is no list. */
export const recordsIn = (value: unknown): IDataObject[] => listIn(value).filter(isRecord);

/** The entries of a list; none where there is no list. */
export const listIn = (value: unknown): GenericValue[] => (Array.isArray(value) ? value : []);

/** The entries of a list as texts; none where there is no list. */
export const textsIn = (value: unknown): string[] => listIn(value).map(String);
