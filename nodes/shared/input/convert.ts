import { DateTime } from 'luxon';
import { isRecord } from '../lib';
import type { Convert, Field, NamedId, Zoned } from './field';
import { hasExpression, isBlank, isMissing, optionsOf } from './field';
import { distinct, isHttp, looksLikeId, Named, NewestSnapshot, SiteUrl } from './id';
import { jsonIn, toObject } from './json';
import { refuse, shown } from './refusal';

/** Converts the values of parameters. Each function throws a Refusal for what the service would not accept. */

/** What to select of an object and of a list, for messages. */
const SELECT = {
	text: ['client.id', 'sites[0].id'],
	ID: ['client.id', 'sites[0].id'],
	URL: ['site.url', 'sites[0].url'],
	name: ['client.name', 'tags[0].name'],
};

/** Converts numbers and booleans to text, and dates to ISO text, as n8n does in collections. */
export function toText(value: unknown, kind: keyof typeof SELECT = 'text'): string {
	if (typeof value === 'string') return wellFormed(value);
	if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
	if (typeof value === 'number') {
		return Number.isFinite(value) ? String(value) : refuse(`is ${value}, which is not a number`);
	}
	const isAny = kind === 'text';
	if (isAny && (value instanceof Date || DateTime.isDateTime(value))) {
		return value.toJSON() ?? refuse('is not a date and time');
	}
	const what = isAny ? 'a text' : `one ${kind}`;
	const part = isAny ? 'a field' : `its ${kind}`;
	const [inObject, inList] = SELECT[kind];
	return Array.isArray(value)
		? refuse(`is a list, not ${what}: select one entry, such as {{ $json.${inList} }}`)
		: refuse(`is an object, not ${what}: select ${part}, such as {{ $json.${inObject} }}`);
}

/** Neither a URL nor UTF-8 can contain half of a character pair. */
function wellFormed(text: string): string {
	if (!/\p{Surrogate}/u.test(text)) return text;
	const problem = 'contains a broken character (half of a surrogate pair)';
	return refuse(`${problem}: ${shown(text)}`, problem);
}

/** Converts to a trimmed text of this form. @param wanted such as `is not an email address` */
export const form =
	(isRight: RegExp | ((text: string) => boolean | string), wanted: string) =>
	(value: unknown): string => {
		const text = toText(value).trim();
		const found = isRight instanceof RegExp ? isRight.test(text) : isRight(text);
		return found === true ? text : refuse(`${wanted}: ${shown(text)}${found || ''}`, wanted);
	};

/** Source: Part A, 2.11 and 2.15. */
export const toColor = form(/^#([\da-f]{3}|[\da-f]{6})$/i, 'is not a hex color, such as #2f80ed');

/** An ID as trimmed text. Refuse `.` and `..`, which change the path, and inexact numbers. */
export function toId(value: unknown): string {
	if (typeof value === 'boolean') return refuse(`is ${value}, not an ID`);
	const id = toText(jsonIn(value) ?? value, 'ID').trim();
	// Changing a locator from By URL to By ID keeps what was typed.
	if (isHttp(id)) {
		return refuse(`is a URL, not an ID: ${shown(id)}. To use the URL of a site, choose By URL`);
	}
	// An empty list by expression can leave separators.
	const isNone = /^(\.\.?|[\s,]+)$/.test(id);
	const isInexact = typeof value === 'number' && !Number.isSafeInteger(value);
	return isNone || isInexact ? refuse(`is not an ID: ${shown(isInexact ? value : id)}`) : id;
}

export function siteByUrl(value: unknown): SiteUrl {
	if (['boolean', 'number'].includes(typeof value)) refuse(`is not a URL: ${shown(value)}`);
	const text = toText(value, 'URL');
	return SiteUrl.parse(text) ?? refuse(`is not a URL: ${shown(text)}`);
}

/** A record By Name. @param parameter its label */
export function toNamed(of: NamedId, value: unknown, parameter: string): Named {
	if (typeof value === 'boolean') refuse(`is ${value}, not a name`);
	const text = toText(value, 'name').trim();
	if (isHttp(text)) refuse(`is a URL, not a name: ${shown(text)}`);
	return new Named(of, text, 'name', parameter);
}

/** A text that can only be an ID stays text. Otherwise it is an ID, a name or, for a site, a URL. */
export function toNameOrId(of: NamedId, value: unknown, parameter: string): string | Named {
	if (of === 'siteId' && typeof value === 'string' && isHttp(value))
		return new Named(of, siteByUrl(value).text, 'any', parameter);
	const text = toId(value);
	// People call tags "2024".
	const isId = of !== 'tagId' && looksLikeId(of, text);
	return isId ? text : new Named(of, text, 'any', parameter);
}

/** The ID of a snapshot, `latest`, or `before:` and a time. */
export const toSnapshot: Convert = (value, context) => {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^latest$/i.test(text)) return new NewestSnapshot();
	if (!/^before:/i.test(text)) return toId(value);
	return new NewestSnapshot(toTime(text.slice('before:'.length), context));
};

/** A date, and perhaps a time with fractions of a second and a zone. A time alone would mean today. */
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?)?)?$/i;

/** Reads local times in the time zone of the workflow. */
function timeIn(value: unknown, context: Zoned): DateTime {
	const zone = context.getTimezone();
	const text = typeof value === 'string' ? value.trim() : '';
	const read = () => DateTime.fromISO(ISO.test(text) ? text : '', { zone });
	const date = value instanceof Date ? DateTime.fromJSDate(value, { zone }) : value;
	const time = DateTime.isDateTime(date) ? date : read();
	if (time.isValid) return time;
	const format = 'use a format like 2026-03-01 or 2026-03-01T12:00:00Z';
	return refuse(`is not a date and time: ${shown(value)}; ${format}`);
}

/** ISO 8601 in UTC, with the fraction as given: JavaScript rounds finer ones. */
export function toTime(value: unknown, context: Zoned): string {
	const time = timeIn(value, context).toUTC();
	const [fraction = time.toFormat('.SSS')] = /[.,]\d+/.exec(String(value)) ?? [];
	const isNone = /^.0+$/.test(fraction);
	return `${time.toFormat("yyyy-MM-dd'T'HH:mm:ss")}${isNone ? '' : fraction.replace(',', '.')}Z`;
}

/** `YYYY-MM-DD`. A text keeps its day, whatever its time and zone. A Date has the day of the workflow's zone. */
export const toDate: Convert = (value, context) => {
	const time = timeIn(value, context);
	return typeof value === 'string' ? value.trim().slice(0, 10) : time.toISODate();
};

/** The entries of a list, of a JSON list, or of text separated by commas or lines. A number is a list of one. */
function entriesOf(given: unknown, pick: string): unknown[] {
	const value = jsonIn(given) ?? given;
	const hint = `select one field of each, such as {{ $json.sites.map(s => s.${pick}) }}`;
	if (isRecord(value)) refuse(`is an object, not a list: ${hint}`);
	if (Array.isArray(value) && value.length === 0) refuse('is an empty list');
	if (typeof value === 'string') return value.split(/[,\n\r]/).map((part) => part.trim());
	const entries: unknown[] = Array.isArray(value) ? Array.from(value) : [value];
	if (entries.some(isMissing)) refuse('has an entry without a value');
	if (entries.some((entry) => typeof entry === 'object')) {
		refuse(`is a list of ${entries.some(isRecord) ? 'records' : 'lists'}: ${hint}`);
	}
	return entries;
}

/** Converts to a list without blanks, with each entry once. @param pick the field to propose for records */
export const toList =
	(pick: string, convert: Convert): Convert =>
	(value, context: Zoned) => {
		const converted = entriesOf(value, pick)
			.filter((entry) => !/^[\s,]*$/.test(String(entry)))
			.map((entry) => convert(entry, context));
		return distinct(converted, pick === 'path');
	};

export const toIds = toList('id', toId);

/** A list of texts, such as paths. Entries of an array are not trimmed. */
export const toTexts = (pick: string) =>
	toList(pick, (entry) =>
		typeof entry === 'boolean' ? refuse(`contains ${entry} instead of text`) : toText(entry),
	);

/** The message for a path with an empty part, such as one in which an expression found nothing. */
export const emptyPart = (path: string) =>
	`has an empty part: ${shown(path)}. Remove the slash, or check the expression there`;

/** Refuses a path in which an expression found nothing: its whole folder would be meant. */
export const wholePaths: Field['rule'] = (value, _read, raw) => {
	const texts = [value].flat().map(String);
	const typed = hasExpression(raw) && String(raw).replace(/^=|\{\{.*?\}\}/gs, '');
	const isLeft = (text: string) => !isBlank(text) && text === typed;
	const hole = texts.find((text) => isLeft(text) || /\/\s*\//.test(text));
	return hole === undefined ? undefined : emptyPart(hole);
};

const number =
	({ minValue = -Infinity, maxValue = Infinity, numberPrecision }: Field['typeOptions'] = {}) =>
	(value: unknown): number => {
		const isText = typeof value === 'string' && /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value.trim());
		const parsed = isText ? Number(value) : value;
		if (typeof parsed !== 'number' || !Number.isFinite(parsed)) {
			return refuse(`is not a number: ${shown(value)}`);
		}
		if (numberPrecision === 0 && !Number.isSafeInteger(parsed)) {
			return refuse(`must be a whole number: ${shown(value)}`);
		}
		if (parsed < minValue) return refuse(`must be at least ${minValue}`);
		return parsed > maxValue ? refuse(`must be at most ${maxValue}`) : parsed;
	};

const toBoolean: Convert = (value) => {
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	if (text === 'true' || text === 'false') return text === 'true';
	return refuse(`must be true or false: ${shown(value)}`);
};

export const choicesOf = (field: Pick<Field, 'options'>): unknown[] =>
	optionsOf(field).map(({ value }) => value);

/** An expression can return what is not in the list; a query accepts any. The message lists all values, for models. */
function choice(field: Field): Convert {
	const values = choicesOf(field);
	const isOpen = field.closed === undefined || field.target?.type === 'query';
	return (value) => {
		if (Array.isArray(value)) return refuse('takes one value, not a list');
		if (values.includes(value)) return value;
		if (isOpen) return toText(value);
		const known = values.map((name) => `"${String(name)}"`).join(', ');
		return refuse(`is ${shown(value)}, which is not one of ${known}`);
	};
}

/** The conversion of a field that is not blank: its own, or that of its type. */
export function convertOf(field: Field): Convert {
	const { type, typeOptions, names, displayName } = field;
	if (field.as) return field.as;
	if (names && type !== 'resourceLocator') {
		return toList('id', (entry) => toNameOrId(names, entry, displayName));
	}
	// Options that are loaded from the service are IDs.
	const isLoaded = typeOptions?.loadOptionsMethod !== undefined;
	const byType: Partial<Record<Field['type'], Convert>> = {
		boolean: toBoolean,
		color: toColor,
		dateTime: typeOptions?.dateOnly ? toDate : toTime,
		json: toObject,
		multiOptions: isLoaded ? toIds : toList('id', choice(field)),
		number: number(typeOptions),
		options: isLoaded ? toId : choice(field),
		resourceLocator: toId,
	};
	return byType[type] ?? ((value) => toText(value));
}
