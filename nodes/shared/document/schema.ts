import { instantOf, isRecord, recordIn, textsIn, urlFrom } from '../lib';
import { shown } from '../input/refusal';
import type { ApiDocument, Schema } from './openapi';

/** Checks values against the JSON Schemas of an OpenAPI document, as far as they concern what is sent. */

/** Schemas within schemas; a circle of schemas ends where the value ends. */
const MAX_DEPTH = 60;

/** A longer text is not searched for a pattern, which may take exponential time. */
const MAX_PATTERN_TEXT = 2_000;

/** The types that a schema allows; empty for any. */
export function typesOf({ type, nullable }: Schema): string[] {
	const types = [type].flat().filter((each) => typeof each === 'string') as string[];
	return nullable === true && types.length > 0 ? [...types, 'null'] : types;
}

const isOfType: Record<string, (value: unknown) => boolean> = {
	array: Array.isArray,
	boolean: (value) => typeof value === 'boolean',
	integer: Number.isInteger,
	null: (value) => value === null,
	number: (value) => typeof value === 'number',
	object: isRecord,
	string: (value) => typeof value === 'string',
};

type Problem = string | undefined;

/** What is wrong with a value, such as `has "x" at color, which …`; undefined if it fits. */
export class Checker {
	constructor(private readonly document: ApiDocument) {}

	/** @param at the place in the value, empty for all of it */
	problem(value: unknown, node: unknown, at = '', depth = 0): Problem {
		if (depth > MAX_DEPTH) return undefined;
		const resolved = this.document.resolved(node);
		const where = at && ` at ${at}`;
		if (resolved === false) return `has a value${where}, where none is allowed`;
		const schema = recordIn(resolved);
		const below = (part: unknown) => this.problem(value, part, at, depth + 1);
		return (
			this.typeProblem(value, schema, where) ??
			scalarProblem(value, schema, where) ??
			this.partsProblem(value, schema, at, depth) ??
			this.combined(schema, where, below)
		);
	}

	private typeProblem(value: unknown, schema: Schema, where: string): Problem {
		const types = typesOf(schema);
		const isAllowed = types.length === 0 || types.some((type) => isOfType[type]?.(value) ?? true);
		if (!isAllowed)
			return `has ${shown(value)}${where}, which is not of the type ${types.join(' or ')}`;
		const choices = Array.isArray(schema.enum)
			? schema.enum
			: 'const' in schema
				? [schema.const]
				: undefined;
		const text = JSON.stringify(value);
		if (!choices || choices.some((each) => JSON.stringify(each) === text)) return undefined;
		return `has ${shown(value)}${where}, which is not one of ${choices.map(String).join(', ')}`;
	}

	/** The fields of an object and the entries of a list. */
	private partsProblem(value: unknown, schema: Schema, at: string, depth: number): Problem {
		const inner = (key: string | number) => (at ? `${at}.${key}` : String(key));
		if (Array.isArray(value)) {
			for (const [index, each] of value.entries()) {
				const problem = schema.items && this.problem(each, schema.items, inner(index), depth + 1);
				if (problem) return problem;
			}
			return undefined;
		}
		if (!isRecord(value)) return undefined;
		const properties = recordIn(schema.properties);
		const missing = textsIn(schema.required).find((name) => value[name] === undefined);
		if (missing !== undefined) return `has no value at ${inner(missing)}, which is required`;
		const { additionalProperties: others = true } = schema;
		for (const [name, each] of Object.entries(value)) {
			const isKnown = Object.hasOwn(properties, name);
			if (!isKnown && others === false && !schema.patternProperties) {
				return `has ${shown(inner(name))}, which the operation does not have`;
			}
			const problem = this.problem(
				each,
				isKnown ? properties[name] : others,
				inner(name),
				depth + 1,
			);
			if (problem) return problem;
		}
		return undefined;
	}

	private combined(schema: Schema, where: string, below: (part: unknown) => Problem): Problem {
		for (const part of [schema.allOf].flat()) {
			const problem = part && below(part);
			if (problem) return problem;
		}
		for (const parts of [schema.oneOf, schema.anyOf]) {
			if (!Array.isArray(parts)) continue;
			const problems = parts.map(below);
			if (!problems.every(Boolean)) continue;
			return problems.length === 1
				? problems[0]
				: `has none of the forms that are allowed${where}: ${problems.join('; ')}`;
		}
		if (!schema.if) return undefined;
		const then = below(schema.if) === undefined ? schema.then : schema.else;
		return then ? below(then) : undefined;
	}
}

const formats: Record<string, (text: string) => boolean> = {
	date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
	'date-time': (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(instantOf(text)),
	uri: (text) => urlFrom(text) !== undefined,
};

function scalarProblem(value: unknown, schema: Schema, where: string): Problem {
	const is = (bound: unknown, isOver: (limit: number) => boolean) =>
		typeof bound === 'number' && isOver(bound);
	const says = (what: string) => `has ${shown(value)}${where}, which ${what}`;
	if (typeof value === 'number') {
		const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
		if (is(minimum, (least) => value < least || (above === true && value === least)))
			return says(`is below ${String(minimum)}`);
		if (is(maximum, (most) => value > most || (below === true && value === most)))
			return says(`is above ${String(maximum)}`);
		if (is(above, (least) => value <= least)) return says(`is not above ${String(above)}`);
		if (is(below, (most) => value >= most)) return says(`is not below ${String(below)}`);
	}
	const length =
		typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : undefined;
	if (length !== undefined) {
		const [least, most] =
			typeof value === 'string'
				? [schema.minLength, schema.maxLength]
				: [schema.minItems, schema.maxItems];
		if (is(least, (bound) => length < bound)) return says(`is shorter than ${String(least)}`);
		if (is(most, (bound) => length > bound)) return says(`is longer than ${String(most)}`);
	}
	if (typeof value !== 'string') return undefined;
	const { pattern, format } = schema;
	if (
		typeof pattern === 'string' &&
		value.length <= MAX_PATTERN_TEXT &&
		regex(pattern)?.test(value) === false
	) {
		return says(`is not in the form ${pattern}`);
	}
	const isOf = typeof format === 'string' ? formats[format] : undefined;
	return isOf && !isOf(value) ? says(`is not a ${String(format)}`) : undefined;
}

/** Undefined for a pattern that JavaScript does not know. */
function regex(pattern: string): RegExp | undefined {
	try {
		return new RegExp(pattern, 'u');
	} catch {
		return undefined;
	}
}

/** The value that a text means for a schema: models and expressions write numbers, booleans and JSON as text. */
export function meant(value: unknown, schema: Schema): unknown {
	const types = typesOf(schema);
	if (['number', 'boolean'].includes(typeof value) && String(types) === 'string')
		return String(value);
	if (typeof value !== 'string') return value;
	if (types.length === 0 || types.includes('string')) return value;
	const text = value.trim();
	const isPlain =
		/^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(text) || /^[[{]/.test(text);
	if (!isPlain) return value;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return value;
	}
}
