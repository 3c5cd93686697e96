import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../isRecord';
import { isPlain } from './blank';
import type { Convert } from './field';
import { refuse, shown } from './refusal';

/** Deeper than what anyone means; a value that contains itself has no end. */
const MAX_DEPTH = 50;

/** A JSON object, from text or from an expression, in which nothing gets lost on the way. */
export const toObject: Convert = (value) => {
	const object = typeof value === 'string' ? parsed(value) : value;
	if (!isRecord(object) || !isPlain(object))
		return refuse('is not a JSON object, such as { "name": "value" }');
	return sendable(object, '', 0) as IDataObject;
};

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		// The parser's own message repeats the text, in which there may be a password.
		const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
		return refuse(`is not valid JSON${position ? ` (at position ${position})` : ''}`);
	}
}

/** The list or object that a text holds as JSON, as models write one where they are asked for a text. */
export function jsonIn(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}

/** Names that the HTTP client leaves out of an object, lest they change its prototype. */
export const isLost = (key: string) => ['__proto__', 'constructor', 'prototype'].includes(key);

/** The value as JSON has it: what would be dropped or changed there is refused. */
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
		return sendable((value.toJSON as () => unknown)(), place, depth + 1);
	}
	const below = (key: string) => (place ? `${place}.${key}` : key);
	if (Array.isArray(value)) {
		return Array.from(value, (entry, index) => sendable(entry, below(String(index)), depth + 1));
	}
	const entries = Object.entries(value).map(([key, entry]): [string, unknown] => {
		if (isLost(key)) return no(`has the field "${key}", which cannot be sent,`);
		return [key, sendable(entry, below(key), depth + 1)];
	});
	return Object.fromEntries(entries);
}

/**
 * Two JSON objects as one.
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
				`sets ${shown(`${place}${key}`)}, which is also a field of its own`,
				'sets what is also a field of its own',
			);
		}
	}
	return result;
}
