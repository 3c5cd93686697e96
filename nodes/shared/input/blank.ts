import { isRecord } from '../lib/isRecord';

/** A text without anything to see, or no entry in a list or an object. */
const isEmpty = (value: unknown): boolean => {
	if (typeof value === 'string') return value.trim() === '';
	if (Array.isArray(value)) return value.length === 0;
	return isRecord(value) && isPlain(value) && Object.keys(value).length === 0;
};

/** Dates have no fields of their own, and are something all the same. */
export const isPlain = (value: object) =>
	[Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

/** Null, undefined or NaN: what an expression gives that found nothing. */
export const isMissing = (value: unknown) =>
	value === undefined || value === null || Number.isNaN(value);

/**
 * Whether a value says nothing: missing, a blank text, an empty list or object, or a list of such. Leaving it out
 * would turn "the sites of this client" into "all sites", so what an expression gives must not be this.
 */
export function isBlank(value: unknown): boolean {
	if (isMissing(value) || isEmpty(value)) return true;
	if (Array.isArray(value)) return value.every(isBlank);
	return false;
}

/** Whether a value is what a person leaves in the editor who sets nothing. */
export const isLeftBlank = (value: unknown) => !isMissing(value) && isEmpty(value);

/** Whether a parameter, or a part of it, is an expression. */
export function hasExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);
}
