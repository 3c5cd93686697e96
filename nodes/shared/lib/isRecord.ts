import type { IDataObject } from 'n8n-workflow';

/** An object with fields: no list, and not null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of anything; "Array.isArray" makes it a list of "any". */
export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** The objects in a list; none where there is no list. */
export const recordsIn = (value: unknown): IDataObject[] =>
	isList(value) ? value.filter(isRecord) : [];
