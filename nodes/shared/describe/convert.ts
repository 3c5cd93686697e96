import { DateTime } from 'luxon';
import type { IDataObject, IExecuteSingleFunctions, INodePropertyOptions } from 'n8n-workflow';
import { toList } from '../list';
import { heldIn } from '../locator';
import type { Field } from './checks';

/** Turns the value of a parameter into the value that the service takes, or refuses it. */
export type Convert = (value: unknown, context: Zoned) => unknown;

/** What n8n hands to a node, action or trigger: it knows the time zone of the workflow. */
type Zoned = Pick<IExecuteSingleFunctions, 'getTimezone'>;

/** Bad input; the message continues "The parameter "Name" …". */
export class Refusal extends Error {
	/** Where in the parameter, such as row `2` and its field `Title`. */
	readonly path: string[] = [];
}

/** @throws Refusal */
export function refuse(message: string): never {
	throw new Refusal(message);
}

/** Runs `work` on a part of a parameter; a refusal tells which part it was. */
export function within<T>(path: string[], work: () => T): T {
	try {
		return work();
	} catch (error) {
		return rethrow(error, path);
	}
}

function rethrow(error: unknown, path: string[]): never {
	if (error instanceof Refusal) error.path.unshift(...path);
	throw error;
}

/** The conversion of a field that is not blank. */
export function convertOf(field: Field): Convert {
	const { type, typeOptions, options } = field;
	if (field.as) return field.as;
	// Options that are loaded from the service are not known here.
	const known = typeOptions?.loadOptionsMethod ? undefined : (options as INodePropertyOptions[]);
	const byType: Record<string, Convert | undefined> = {
		boolean,
		dateTime: typeOptions?.dateOnly ? toDate : toTime,
		json: toObject,
		multiOptions: known ? someOf(known) : toList,
		number: number(typeOptions ?? {}),
		options: known && oneOf(known),
	};
	return byType[type] ?? ((value) => value);
}

/** Entries separated by commas or lines, or an array: trimmed, no blanks, no duplicates. */
export const toEntries: Convert = (value) => toList(value);

const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;

export const toEmail: Convert = (value) => {
	const text = String(value).trim();
	if (!EMAIL.test(text)) return refuse(`is not an email address: "${text}"`);
	return text;
};

/** A list of email addresses. */
export const toEmails: Convert = (value) =>
	toList(value).map((entry) => {
		if (!EMAIL.test(entry)) return refuse(`has a bad email address: "${entry}"`);
		return entry;
	});

const parsed = (value: unknown): unknown => {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch (error) {
		return refuse(`is not valid JSON: ${(error as Error).message}`);
	}
};

/** A JSON object, from text or from an expression. */
const toObject: Convert = (value) => {
	const object = parsed(value);
	if (typeof object !== 'object' || object === null || Array.isArray(object)) {
		return refuse('is not a JSON object, such as { "name": "value" }');
	}
	return object as IDataObject;
};

/** Local values are read in the time zone of the workflow. */
function timeIn(value: unknown, context: Zoned): DateTime<true> {
	const zone = context.getTimezone();
	const time =
		value instanceof Date
			? DateTime.fromJSDate(value, { zone })
			: DateTime.fromISO(DateTime.isDateTime(value) ? (value.toISO() ?? '') : String(value), {
					zone,
				});
	if (!time.isValid) return refuse(`is not a date and time: "${String(value)}"`);
	return time;
}

/** ISO 8601 in UTC. */
const toTime: Convert = (value, context) =>
	timeIn(value, context).toUTC().toISO({ suppressMilliseconds: true });

/** `YYYY-MM-DD` as the calendar of the workflow's time zone has it. */
const toDate: Convert = (value, context) => timeIn(value, context).toISODate();

interface Range {
	minValue?: number;
	maxValue?: number;
	numberPrecision?: number;
}

const number =
	({ minValue = -Infinity, maxValue = Infinity, numberPrecision }: Range): Convert =>
	(value) => {
		const parsedNumber = typeof value === 'string' && value.trim() ? Number(value) : value;
		if (typeof parsedNumber !== 'number' || !Number.isFinite(parsedNumber)) {
			return refuse(`is not a number: "${String(value)}"`);
		}
		if (numberPrecision === 0 && !Number.isInteger(parsedNumber)) {
			return refuse(`must be a whole number: ${parsedNumber}`);
		}
		if (parsedNumber < minValue) return refuse(`must be at least ${minValue}`);
		if (parsedNumber > maxValue) return refuse(`must be at most ${maxValue}`);
		return parsedNumber;
	};

const boolean: Convert = (value) => {
	if (typeof value === 'boolean') return value;
	const text = String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	return refuse(`is neither true nor false: "${String(value)}"`);
};

/** An expression can give what is not in the list. */
function oneOf(options: INodePropertyOptions[]): Convert {
	const values = options.map(({ value }) => value);
	return (value) => {
		if (Array.isArray(value)) return refuse('takes one value, not a list');
		if (values.includes(value as string)) return value;
		const shown = values.slice(0, SHOWN).map((name) => `"${String(name)}"`);
		const known = [...shown, ...(values.length > SHOWN ? ['and others'] : [])].join(', ');
		return refuse(`is "${String(value)}", which is none of ${known}`);
	};
}

/** Values that an error lists. */
const SHOWN = 8;

const someOf =
	(options: INodePropertyOptions[]): Convert =>
	(value, context) =>
		toList(value).map((entry) => oneOf(options)(entry, context));

/** The id in a resource locator; `.` and `..` would change the path. */
export function idIn(value: unknown): string {
	const { text: id } = heldIn(value);
	if (id === '.' || id === '..') return refuse(`is not an ID: "${id}"`);
	return id;
}
