import { isPlain } from '../lib/isRecord';

/** A text of white space alone, an empty list or an empty object. */
const isEmpty = (value: unknown): boolean => {
	if (typeof value === 'string') return value.trim() === '';
	if (Array.isArray(value)) return value.length === 0;
	return isPlain(value) && Object.keys(value).length === 0;
};

/** Null, undefined or NaN: the result of an expression that found nothing. */
export const isMissing = (value: unknown) =>
	value === undefined || value === null || Number.isNaN(value);

/**
 * Whether a value is missing, a blank text, an empty list or object, or a list of such. An expression must not return
 * this: leaving it out would turn "the sites of this client" into "all sites".
 */
export function isBlank(value: unknown): boolean {
	return isMissing(value) || isEmpty(value) || (Array.isArray(value) && value.every(isBlank));
}

/** Whether a value is what the editor holds for an untouched field. */
export const isLeftBlank = (value: unknown) => !isMissing(value) && isEmpty(value);

/** Whether a parameter, or a part of it, is an expression. */
export function hasExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);
}
