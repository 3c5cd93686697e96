import type { Convert, Field } from './field';
import { optionsOf } from './field';
import { toColor } from './forms';
import { toId } from './id';
import { toObject } from './json';
import { listOf, toIds, toNamesOrIds } from './list';
import { refuse, shown } from './refusal';
import { toText } from './text';
import { toDate, toTime } from './time';

/** The conversion of a field that is not blank: of its own, or by its type. */
export function convertOf(field: Field): Convert {
	const { type, typeOptions } = field;
	if (field.as) return field.as;
	if (field.names && type !== 'resourceLocator') {
		return toNamesOrIds(field.names, field.displayName);
	}
	// Options that are loaded from the service are not known here: they are ids.
	const isLoaded = typeOptions?.loadOptionsMethod !== undefined;
	const byType: Record<string, Convert | undefined> = {
		boolean: toBoolean,
		color: toColor,
		dateTime: typeOptions?.dateOnly ? toDate : toTime,
		json: toObject,
		multiOptions: isLoaded ? toIds : listOf('id', choice(field)),
		number: number(typeOptions ?? {}),
		options: isLoaded ? toId : choice(field),
		resourceLocator: toId,
	};
	return byType[type] ?? ((value) => toText(value));
}

interface Range {
	minValue?: number;
	maxValue?: number;
	numberPrecision?: number;
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

const number =
	({ minValue = -Infinity, maxValue = Infinity, numberPrecision }: Range): Convert =>
	(value) => {
		const isText = typeof value === 'string' && DECIMAL.test(value.trim());
		const parsed = isText ? Number(value) : value;
		if (typeof parsed !== 'number' || !Number.isFinite(parsed)) {
			return refuse(`is not a number: ${shown(value)}`);
		}
		if (numberPrecision === 0 && !Number.isSafeInteger(parsed)) {
			return refuse(`must be a whole number: ${shown(value)}`);
		}
		if (parsed < minValue) return refuse(`must be at least ${minValue}`);
		if (parsed > maxValue) return refuse(`must be at most ${maxValue}`);
		return parsed;
	};

const toBoolean: Convert = (value) => {
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	if (text === 'true' || text === 'false') return text === 'true';
	return refuse(`must be true or false: ${shown(value)}`);
};

/** The values of a list of choices. */
export const choicesOf = (field: Pick<Field, 'options'>): unknown[] =>
	optionsOf(field).map(({ value }) => value);

/** Whether a list of choices takes no other word; what is asked for in a query is never closed. */
export const isClosed = ({ closed, target }: Field) =>
	closed !== undefined && target?.type !== 'query';

/** An expression can give what is not in the list, which is what the editor offers; a model learns a closed one from the message. */
function choice(field: Field): Convert {
	const values = choicesOf(field);
	return (value) => {
		if (Array.isArray(value)) return refuse('takes one value, not a list');
		if (values.includes(value)) return value;
		if (!isClosed(field)) return toText(value);
		const known = values.map((name) => `"${String(name)}"`).join(', ');
		return refuse(`is ${shown(value)}, which is not one of ${known}`);
	};
}
