import { instantOf, isRecord, listIn, recordIn, textsIn, urlFrom } from '../../shared/lib';
import { shown } from '../../shared/input/refusal';
import type { ApiDocument, Schema } from '../../shared/document/openapi';

/** Checks values against the JSON Schemas of an OpenAPI document, as far as they concern what is sent. */

/** Schemas within schemas; a circle of schemas ends where the value ends. */
const MAX_DEPTH = 60;

/** Maximum checks of one value; the rest is not checked. Forms within forms could take forever. */
const MAX_CHECKS = 100_000;

/** Forms of a value of which a message gives the reasons. */
const MAX_REASONS = 3;

/** A longer text is not searched for a pattern, which may take exponential time. */
const MAX_PATTERN_TEXT = 2_000;

/** The types that a schema names; empty for any. */
const typesOf = ({ type }: Schema): string[] =>
	[type].flat().filter((each) => typeof each === 'string') as string[];

/** All types that a value may have, without null; empty for any. */
export function kindsOf(document: ApiDocument, node: unknown, seen = new Set()): string[] {
	// A form may contain itself.
	if (seen.has(node)) return [];
	seen.add(node);
	const schema = document.schemaAt(node);
	const own = typesOf(schema);
	const implied = schema.properties ? ['object'] : schema.items ? ['array'] : [];
	const parts = [schema.oneOf, schema.anyOf, schema.allOf].flatMap(listIn);
	const below = () => [...implied, ...parts.flatMap((part) => kindsOf(document, part, seen))];
	const kinds = own.length > 0 ? own : below();
	return [...new Set(kinds)].filter((type) => type !== 'null');
}

/** Maximum characters of the form of a JSON value; the panel is narrow. */
const MAX_FORM = 80;

/** The form of a list or an object, such as `[{ id, plugins: [{ slug }] }]`, those that may be missing last, with `?`; empty for other values. */
export function formOf(document: ApiDocument, node: unknown, room = MAX_FORM): string {
	if (room <= 0) return '';
	const { items, properties, required } = readable(document, node);
	if (room === MAX_FORM && isPlainList(document, node)) return '…, …';
	if (items) return `[${formOf(document, items, room - 2) || '…'}]`;
	if (!isRecord(properties)) return '';
	const parts: string[] = [];
	let left = room - '{ … }'.length;
	const needed = new Set(textsIn(required));
	const mark = (name: string) => (needed.size > 0 && !needed.has(name) ? `${name}?` : name);
	const all = Object.entries(properties);
	const isLater = ([name]: [string, unknown]) => Number(!needed.has(name));
	for (const [name, each] of all.sort((one, other) => isLater(one) - isLater(other))) {
		const form = left > name.length ? formOf(document, each, left - name.length) : '';
		const part = form ? `${mark(name)}: ${form}` : mark(name);
		left -= part.length + 2;
		parts.push(left < 0 ? '…' : part);
		if (left < 0) break;
	}
	return `{ ${parts.join(', ')} }`;
}

/** Whether it is a list of neither objects nor lists. */
export function isPlainList(document: ApiDocument, node: unknown): boolean {
	const { items } = readable(document, node);
	if (!items || String(kindsOf(document, node)) !== 'array') return false;
	const kinds = kindsOf(document, items);
	return kinds.length > 0 && !kinds.includes('object') && !kinds.includes('array');
}

/** The required parts of a JSON value, with null for each value: what is not filled in, the check refuses. */
export function skeletonOf(document: ApiDocument, node: unknown, depth = 0): unknown {
	const { items, properties, required } = readable(document, node);
	if (depth > MAX_SKELETON) return null;
	if (items) return [skeletonOf(document, items, depth + 1)];
	if (!isRecord(properties)) return null;
	const parts = textsIn(required).filter((name) => Object.hasOwn(properties, name));
	const startOf = (name: string) => [name, skeletonOf(document, properties[name], depth + 1)];
	return Object.fromEntries(parts.map(startOf));
}

/** Levels of a JSON value that are there from the start. */
const MAX_SKELETON = 6;

/** Undefined where the work fails. */
function tried<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}

/** A reference that leads nowhere stops a run that needs it, not the panel. */
const readable = (document: ApiDocument, node: unknown): Schema =>
	tried(() => document.schemaAt(node)) ?? {};

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

function firstProblem<T>(parts: Iterable<T>, problemOf: (part: T) => Problem): Problem {
	for (const part of parts) {
		const problem = problemOf(part);
		if (problem) return problem;
	}
	return undefined;
}

/** What is wrong with a value, such as `has "x" at color, which …`; undefined if it fits. */
export class Checker {
	private left = 0;

	constructor(private readonly document: ApiDocument) {}

	/** @param at the place in the value, empty for all of it */
	problem(value: unknown, node: unknown, at = '', depth = 0): Problem {
		if (depth === 0) this.left = MAX_CHECKS;
		if (depth > MAX_DEPTH || this.left-- <= 0) return undefined;
		const resolved = this.document.resolved(node);
		const where = at && ` at ${at}`;
		if (resolved === false) return `has a value${where}, where none is allowed`;
		const schema = recordIn(resolved);
		if (value === null && schema.nullable === true) return undefined;
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
		if (!isAllowed && value === null) return `has no value${where}`;
		if (!isAllowed)
			return `has ${shown(value)}${where}, which is not of the type ${types.join(' or ')}`;
		for (const choices of [schema.enum, 'const' in schema && [schema.const]]) {
			if (!Array.isArray(choices) || choices.map(sorted).includes(sorted(value))) continue;
			return `has ${shown(value)}${where}, which is not one of ${choices.map(String).join(', ')}`;
		}
		return undefined;
	}

	/** The fields of an object and the entries of a list. */
	private partsProblem(value: unknown, schema: Schema, at: string, depth: number): Problem {
		const inner = (key: string | number) => (at ? `${at}.${key}` : String(key));
		const below = (key: string | number, part: unknown, node: unknown) =>
			this.problem(part, node, inner(key), depth + 1);
		if (Array.isArray(value)) {
			const first = listIn(schema.prefixItems);
			return firstProblem(value.entries(), ([index, each]) =>
				below(index, each, first[index] ?? schema.items),
			);
		}
		if (!isRecord(value)) return undefined;
		const properties = recordIn(schema.properties);
		// A field that only the service sets is required in its responses.
		const isMissing = (name: string) =>
			(!Object.hasOwn(value, name) || value[name] === undefined) &&
			this.document.schemaAt(properties[name]).readOnly !== true;
		const missing = textsIn(schema.required).find(isMissing);
		if (missing !== undefined) return `has no value at ${inner(missing)}, which is required`;
		// Names that a pattern allows are not checked.
		const others = schema.patternProperties ? true : (schema.additionalProperties ?? true);
		return firstProblem(Object.entries(value), ([name, each]) => {
			if (Object.hasOwn(properties, name)) return below(name, each, properties[name]);
			if (others !== false) return below(name, each, others);
			return `has ${shown(inner(name))}, which the operation does not have`;
		});
	}

	private combined(schema: Schema, where: string, below: (part: unknown) => Problem): Problem {
		const problem = firstProblem(listIn(schema.allOf), below);
		if (problem) return problem;
		for (const parts of [schema.oneOf, schema.anyOf]) {
			if (!Array.isArray(parts)) continue;
			const problems = parts.map(below);
			if (!problems.every(Boolean)) continue;
			return problems.length === 1
				? problems[0]
				: `has none of the forms that are allowed${where}: ${[...new Set(problems)].slice(0, MAX_REASONS).join('; ')}`;
		}
		if (schema.if === undefined) return undefined;
		return below(below(schema.if) === undefined ? schema.then : schema.else);
	}
}

/** The JSON of a value, alike for any order of fields. */
const sorted = (value: unknown): string =>
	JSON.stringify(value, (_, each: unknown) =>
		isRecord(each) ? Object.fromEntries(Object.entries(each).sort()) : each,
	);

/** Whether a text is a day that there is, unlike 2026-02-30, which JavaScript reads as March 2. */
const isDay = (text: string) =>
	/^\d{4}-\d\d-\d\d$/.test(text) &&
	!Number.isNaN(Date.parse(text)) &&
	new Date(text).toISOString().startsWith(text);

const formats: Record<string, (text: string) => boolean> = {
	date: isDay,
	'date-time': (text) =>
		isDay(text.slice(0, 10)) && /^[t\s]/i.test(text.slice(10)) && !Number.isNaN(instantOf(text)),
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
	const isText = typeof value === 'string';
	if (isText || Array.isArray(value)) {
		const { length } = [...value];
		const least = isText ? schema.minLength : schema.minItems;
		const most = isText ? schema.maxLength : schema.maxItems;
		if (is(least, (bound) => length < bound)) return says(`is shorter than ${String(least)}`);
		if (is(most, (bound) => length > bound)) return says(`is longer than ${String(most)}`);
	}
	if (!isText) return undefined;
	const { pattern, format } = schema;
	const isSearched = typeof pattern === 'string' && value.length <= MAX_PATTERN_TEXT;
	// JavaScript does not know all patterns.
	if (isSearched && tried(() => new RegExp(pattern, 'u'))?.test(value) === false)
		return says(`is not in the form ${pattern}`);
	const isOf = typeof format === 'string' ? formats[format] : undefined;
	return isOf && !isOf(value) ? says(`is not a ${String(format)}`) : undefined;
}

/** The value that a text means for these types: models and expressions write numbers, booleans and JSON as text. */
export function meant(value: unknown, types: string[]): unknown {
	if (['number', 'boolean'].includes(typeof value) && String(types) === 'string')
		return String(value);
	if (typeof value !== 'string') return value;
	if (types.length === 0 || types.includes('string')) return value;
	const text = value.trim();
	const isPlain =
		/^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(text) || /^[[{]/.test(text);
	if (!isPlain) return value;
	const parsed = tried((): unknown => JSON.parse(text));
	// JavaScript would round a long ID.
	const isRounded = Number.isInteger(parsed) && !Number.isSafeInteger(parsed);
	return parsed === undefined || isRounded ? value : parsed;
}
