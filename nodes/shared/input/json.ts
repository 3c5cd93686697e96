import type { IDataObject } from 'n8n-workflow';
import { isPlain, isRecord } from '../lib/records';
import type { Convert } from './field';
import { Refusal, refuse, rethrow, shown } from './refusal';

/** Levels of nesting. A value that contains itself has no end. */
const MAX_DEPTH = 50;

/** A JSON object from text or an expression. Refuse what JSON would drop or change. */
export const toObject: Convert = (value) => {
	const object = typeof value === 'string' ? parsed(value) : value;
	if (!isPlain(object)) return refuse('is not a JSON object, such as { "name": "value" }');
	return sendable(object, '', 0);
};

function parsed(text: string): unknown {
	try {
		return exactly(JSON.parse(text), text);
	} catch (error) {
		if (error instanceof Refusal) return rethrow(error);
		// The parser's own message repeats the text, in which there may be a password.
		const [, position] = /position (\d+)/.exec(String(error)) ?? [];
		return refuse(`is not valid JSON${position ? ` (at position ${position})` : ''}`);
	}
}

/** The list or object in a text of JSON, which models write where a text is expected. */
export function jsonIn(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
	try {
		return exactly(JSON.parse(value), value);
	} catch (error) {
		return error instanceof Refusal ? rethrow(error) : undefined;
	}
}

/** Strings, brackets, separators and numbers of valid JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*/g;

/**
 * Returns the parsed value if it equals the text. JavaScript rounds numbers, and keeps the last of two equal names.
 * @param text valid JSON
 */
function exactly<T>(value: T, text: string): T {
	/** The objects and lists around a token: names seen so far, and the current name or index. */
	const around: Array<{ names?: Set<string>; at: string | number }> = [];
	let last = '';
	for (const [token] of text.matchAll(TOKEN)) {
		const inner = around.at(-1);
		const isName = token[0] === '"' && inner?.names && last !== ':';
		if (isName) {
			inner.at = String(JSON.parse(token));
			if (inner.names!.has(inner.at)) refuse(`has ${placeOf(around)} twice`, 'has a field twice');
			inner.names!.add(inner.at);
		} else if (token === '{') around.push({ names: new Set(), at: '' });
		else if (token === '[') around.push({ at: 0 });
		else if (token === '}' || token === ']') around.pop();
		else if (token === ',' && inner && !inner.names) inner.at = Number(inner.at) + 1;
		else if (/^[-\d]/.test(token) && digitsOf(token) !== digitsOf(String(Number(token)))) {
			refuse(
				`contains the number ${token.slice(0, 40)} at ${placeOf(around)}, which ${INEXACT}`,
				`contains a number that ${INEXACT}`,
			);
		}
		last = token;
	}
	return value;
}

const placeOf = (around: Array<{ at: string | number }>) =>
	shown(around.map(({ at }) => at).join('.'));

const INEXACT = 'cannot be sent exactly. If the service accepts text, put the number in quotes';

/** Significant digits of a number, equal for `1.50`, `15e-1` and `1.5`. */
const digitsOf = (number: string) =>
	number
		.replace(/e.*$/i, '')
		.replace(/\D/g, '')
		.replace(/^0+|0+$/g, '');

/** Names that the HTTP client drops, because they could change an object's prototype. */
export const isLost = (key: string) => ['__proto__', 'constructor', 'prototype'].includes(key);

/** A copy of the value as JSON. Refuse what JSON would drop or change. */
function sendable(value: unknown, place: string, depth: number): unknown {
	const at = place ? ` at ${shown(place)}` : '';
	const secretly = place ? ' in it' : '';
	const no = (what: string) => refuse(`${what}${at}`, `${what}${secretly}`);
	if (depth > MAX_DEPTH) return refuse('is nested too deeply');
	if (value === undefined) return no('has no value');
	if (typeof value === 'number' && !Number.isFinite(value)) return no(`has ${value}`);
	if (['bigint', 'function', 'symbol'].includes(typeof value)) return no(`has a ${typeof value}`);
	if (typeof value !== 'object' || value === null) return value;
	if (value instanceof Date && Number.isNaN(value.getTime())) return no('has no time');
	if ('toJSON' in value && typeof value.toJSON === 'function') {
		return sendable(value.toJSON(), place, depth + 1);
	}
	const below = (key: string) => (place ? `${place}.${key}` : key);
	if (Array.isArray(value)) {
		return Array.from(value, (entry, index) => sendable(entry, below(String(index)), depth + 1));
	}
	const entries = Object.entries(value).map(([key, entry]): [string, unknown] => {
		if (isLost(key)) return no(`contains the field "${key}", which cannot be sent,`);
		return [key, sendable(entry, below(key), depth + 1)];
	});
	return Object.fromEntries(entries);
}

/**
 * Merges two JSON objects.
 * @throws Refusal where both set the same
 */
export function merged(base: IDataObject, more: IDataObject, place = ''): IDataObject {
	const result = { ...base };
	for (const [key, value] of Object.entries(more)) {
		const old = Object.hasOwn(result, key) ? result[key] : undefined;
		if (isRecord(old) && isRecord(value)) result[key] = merged(old, value, `${place}${key}.`);
		else if (old === undefined) result[key] = value;
		else {
			refuse(
				`sets ${shown(`${place}${key}`)}, which has its own field in the node`,
				'sets a value that has its own field in the node',
			);
		}
	}
	return result;
}
