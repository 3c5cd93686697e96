import type { IDataObject } from 'n8n-workflow';
import { isPlain, isRecord } from '../lib/records';
import type { Convert } from './field';
import { refuse, shown } from './refusal';

/** Levels of nesting. A value that contains itself has no end. */
const MAX_DEPTH = 50;

/** A JSON object from text or an expression. Refuse what JSON would drop or change. */
export const toObject: Convert = (value) => {
	const object = typeof value === 'string' ? parsed(value, notJson) : value;
	if (!isPlain(object)) return refuse('is not a JSON object, such as { "name": "value" }');
	return sendable(object, '', 0);
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
	checkExact(text);
	return value;
}

/** Leave out the parser's own message: it repeats the text, which may contain a password. */
function notJson(error: unknown): never {
	const [, position] = /position (\d+)/.exec(String(error)) ?? [];
	return refuse(`is not valid JSON${position ? ` (at position ${position})` : ''}`);
}

/** Strings, brackets, separators and numbers of valid JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*/g;

/**
 * Refuses what parsing would change: JavaScript rounds numbers, and keeps the last of two equal names.
 * @param text valid JSON
 */
function checkExact(text: string): void {
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

/** Merges two JSON objects. @throws Refusal where both set the same */
export function merged(base: IDataObject, more: IDataObject, place = ''): IDataObject {
	const result = { ...base };
	for (const [key, value] of Object.entries(more)) {
		const old = Object.hasOwn(result, key) ? result[key] : undefined;
		const areBoth = isRecord(old) && isRecord(value);
		if (old !== undefined && !areBoth) {
			const which = shown(`${place}${key}`);
			const rest = 'has its own field in the node';
			refuse(`sets ${which}, which ${rest}`, `sets a value that ${rest}`);
		}
		result[key] = areBoth ? merged(old, value, `${place}${key}.`) : value;
	}
	return result;
}
