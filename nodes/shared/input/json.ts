import type { IDataObject } from 'n8n-workflow';
import { isPlain, isRecord } from '../lib';
import type { Convert } from './field';
import { refuse, shown } from './refusal';

/** A JSON object from text or an expression. Refuse what JSON would drop or change. */
export const toObject: Convert = (value) => {
	const object = typeof value === 'string' ? parsed(value, notJson) : value;
	if (!isPlain(object)) return refuse('is not a JSON object, such as { "name": "value" }');
	return sendable(object);
};

/** The list or object in a text of JSON, which models write where a text is expected. */
export const jsonIn = (value: unknown): unknown =>
	typeof value === 'string' && /^\s*[[{]/.test(value) ? parsed(value, () => undefined) : undefined;

function parsed(text: string, onError: (error: unknown) => undefined): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return onError(error);
	}
	checkNumbers(text);
	const names = text.match(/"(?:[^"\\]|\\.)*"(\s*:)?/g)?.filter((each) => each.endsWith(':'));
	if (names && names.length > fieldsIn(value)) refuse('has a field twice');
	return value;
}

/** How many fields all objects in a value have together. */
function fieldsIn(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const own = Array.isArray(value) ? 0 : Object.keys(value).length;
	return Object.values(value).reduce<number>((sum, each) => sum + fieldsIn(each), own);
}

/** Leave out the parser's own message: it repeats the text, which may contain a password. */
function notJson(error: unknown): never {
	const [, position] = /position (\d+)/.exec(String(error)) ?? [];
	return refuse(`is not valid JSON${position ? ` (at position ${position})` : ''}`);
}

/** Refuse numbers that JavaScript would round, such as long IDs. */
function checkNumbers(text: string): void {
	const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? [];
	const inexact = numbers.find((each) => digitsOf(each) !== digitsOf(String(Number(each))));
	if (inexact === undefined) return;
	const todo = 'cannot be sent exactly. If the service accepts text, put the number in quotes';
	refuse(
		`contains the number ${inexact.slice(0, 40)}, which ${todo}`,
		`contains a number that ${todo}`,
	);
}

/** Significant digits of a number, equal for `1.50`, `15e-1` and `1.5`. */
const digitsOf = (number: string) => number.replace(/e.*$|\D/gi, '').replace(/^0+|0+$/g, '');

/** Names that the HTTP client drops, because they could change an object's prototype. */
export const isLost = (key: string) => ['__proto__', 'constructor', 'prototype'].includes(key);

/** A copy of the value as JSON. Refuse what JSON would drop or change. @param place the names and indexes above it */
function sendable(value: unknown, place = ''): unknown {
	const no = (what: string) => refuse(place === '' ? what : `${what} at ${shown(place)}`);
	const below = (key: string | number) => (place === '' ? String(key) : `${place}.${key}`);
	if (value === undefined) return no('has no value');
	if (typeof value === 'number' && !Number.isFinite(value)) return no(`has ${value}`);
	if (['bigint', 'function', 'symbol'].includes(typeof value)) return no(`has a ${typeof value}`);
	if (typeof value !== 'object' || value === null) return value;
	if (value instanceof Date && Number.isNaN(value.getTime())) return no('has no time');
	if ('toJSON' in value && typeof value.toJSON === 'function') {
		return sendable(value.toJSON(), place);
	}
	if (Array.isArray(value)) {
		return Array.from(value, (entry, index) => sendable(entry, below(index)));
	}
	const entries = Object.entries(value).map(([key, entry]) => {
		if (isLost(key)) no(`contains the field "${key}", which cannot be sent,`);
		return [key, sendable(entry, below(key))] as const;
	});
	return Object.fromEntries(entries);
}

/** Merges two JSON objects. @throws Refusal where both set the same */
export function merged(base: IDataObject, more: IDataObject, place = ''): IDataObject {
	const result = { ...base };
	for (const [key, value] of Object.entries(more)) {
		const old = Object.hasOwn(result, key) ? result[key] : undefined;
		const areBoth = isRecord(old) && isRecord(value);
		if (old !== undefined && !areBoth) {
			refuse(`sets ${shown(`${place}${key}`)}, which has its own field in the node`);
		}
		result[key] = areBoth ? merged(old, value, `${place}${key}.`) : value;
	}
	return result;
}
