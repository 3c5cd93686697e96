import { isRecord, listIn } from '../../nodes/shared/lib';

/** A JSON schema as OpenAPI 3.0 or 3.1 has it, perhaps a reference. */
export type Schema = unknown;

type Keywords = Record<string, unknown>;

/** Finds what a `$ref` stands for; undefined where that is in another document. */
export type Follow = (schema: Schema) => Keywords | undefined;

/** What a schema says of a value, whichever way it says it; what it does not say is missing. */
export interface Described {
	/** `number` for whole ones, too; with `null` where that is allowed. */
	types?: Set<string>;
	/** All that it can be, as text. */
	values?: string[];
	format?: string;
	maximum?: number;
	/** What else it has to keep to, by the word for it: `maxLength`, `pattern` … */
	limits: Limits;
	/** The fields of an object, and which of them must be there. */
	parts: Map<string, Schema>;
	required: Set<string>;
	/** What other fields of an object are, or whether they may be there at all. */
	rest?: Schema;
	/** The entries of a list. */
	each?: Schema;
	isReadOnly: boolean;
	isWriteOnly: boolean;
	isDeprecated: boolean;
}

export type Limits = Record<string, unknown>;

const LIMITS = [
	...['minLength', 'maxLength', 'pattern', 'minimum', 'exclusiveMinimum', 'exclusiveMaximum'],
	...['multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];

const nothing = (): Described => ({
	limits: {},
	parts: new Map(),
	required: new Set(),
	isReadOnly: false,
	isWriteOnly: false,
	isDeprecated: false,
});

/** A schema of the reference has no references. */
const itself: Follow = (schema) => (isRecord(schema) ? schema : undefined);

export const describedBy = (schema: Schema, follow = itself): Described =>
	withTypes(saidBy(schema, follow, []));

/** @param above the schemas that it is a part of, which may lead back to it */
function saidBy(schema: Schema, follow: Follow, above: unknown[]): Described {
	if (isRecord(schema) && typeof schema.$ref === 'string' && Object.keys(schema).length > 1) {
		const { $ref, ...beside } = schema;
		return saidBy({ ...beside, allOf: [{ $ref }, ...listIn(beside.allOf)] }, follow, above);
	}
	const keywords = follow(schema);
	if (!keywords || above.includes(keywords)) return nothing();
	const within = [...above, keywords];
	const partsOf = (word: string) =>
		listIn(keywords[word]).map((part) => saidBy(part, follow, within));
	const all = [ownOf(keywords), ...partsOf('allOf')];
	for (const word of ['anyOf', 'oneOf']) {
		const choices = partsOf(word);
		if (choices.length > 0) all.push(choices.reduce(either));
	}
	const whole = all.reduce(both);
	if (keywords.nullable !== true) return whole;
	// As generators for 3.0 write it, beside an `allOf` that does not know of it.
	const typed = withTypes(whole);
	typed.types?.add('null');
	return typed;
}

function ownOf(keywords: Keywords): Described {
	const { properties, required, additionalProperties, items, format, maximum } = keywords;
	const parts = new Map(isRecord(properties) ? Object.entries(properties) : []);
	const choices = 'const' in keywords ? [keywords.const] : keywords.enum;
	const values = Array.isArray(choices) ? choices.filter((value) => value !== null) : undefined;
	const types = typesOf(keywords);
	if (Array.isArray(choices) && choices.includes(null)) types?.add('null');
	return {
		...(types && { types }),
		...(values && values.length > 0 && { values: values.map(String) }),
		...(typeof format === 'string' && { format }),
		...(typeof maximum === 'number' && { maximum }),
		parts,
		required: new Set(listIn(required).map(String)),
		...(additionalProperties !== undefined && { rest: additionalProperties }),
		...(items !== undefined && { each: items }),
		isReadOnly: keywords.readOnly === true,
		isWriteOnly: keywords.writeOnly === true,
		isDeprecated: keywords.deprecated === true,
		limits: Object.fromEntries(
			LIMITS.filter((word) => isLimit(keywords[word])).map((word) => [word, keywords[word]]),
		),
	};
}

/** In OpenAPI 3.0 `exclusiveMinimum` is a word beside `minimum`, and false says nothing. */
const isLimit = (value: unknown) => value !== undefined && value !== false;

/** The types that are named, or else those of its choices. */
function typesOf({ type, ...more }: Keywords): Set<string> | undefined {
	const named = typeof type === 'string' ? [type] : listIn(type).map(String);
	if (named.length > 0) return new Set(named.map((name) => name.replace('integer', 'number')));
	const choices = 'const' in more ? [more.const] : listIn(more.enum);
	return choices.length > 0
		? new Set(choices.map((value) => (value === null ? 'null' : typeof value)))
		: undefined;
}

/** With the type that the other words are for, where none is named. */
function withTypes(said: Described): Described {
	if (said.types) return said;
	if (said.parts.size > 0 || isRecord(said.rest)) return { ...said, types: new Set(['object']) };
	return said.each === undefined ? said : { ...said, types: new Set(['array']) };
}

/** What holds when both hold. */
function both(one: Described, other: Described): Described {
	return {
		...one,
		...other,
		...combined(one, other, 'types', (a, b) => new Set([...a].filter((type) => b.has(type)))),
		...combined(one, other, 'values', (a, b) => a.filter((value) => b.includes(value))),
		...combined(one, other, 'maximum', Math.min),
		...combined(one, other, 'each', (a, b) => ({ allOf: [a, b] })),
		...combined(one, other, 'rest', (a, b) => a !== false && b),
		parts: joined(one.parts, other.parts, 'allOf'),
		required: new Set([...one.required, ...other.required]),
		isReadOnly: one.isReadOnly || other.isReadOnly,
		isWriteOnly: one.isWriteOnly || other.isWriteOnly,
		isDeprecated: one.isDeprecated || other.isDeprecated,
		limits: { ...one.limits, ...other.limits, ...commonLimits(one, other, true) },
	};
}

/** Whether a limit lets less through than another one; of patterns any other one may. */
export function isTighter(word: string, limit: unknown, than: unknown): boolean {
	if (typeof limit !== 'number' || typeof than !== 'number' || word === 'multipleOf') {
		return JSON.stringify(limit) !== JSON.stringify(than);
	}
	return /max/i.test(word) ? limit < than : limit > than;
}

/** The limits that both have, of each the tighter one or the wider one. */
function commonLimits({ limits: a }: Described, { limits: b }: Described, tighter: boolean) {
	const words = Object.keys(a).filter((word) => word in b);
	const chosen = (word: string) => (isTighter(word, a[word], b[word]) === tighter ? a : b)[word];
	return Object.fromEntries(words.map((word) => [word, chosen(word)]));
}

const isNull = ({ types }: Described) => types?.size === 1 && types.has('null');

/** What holds when one of the two holds. */
function either(one: Described, other: Described): Described {
	if (isNull(one) || isNull(other)) {
		const known = withTypes(isNull(other) ? one : other);
		return { ...known, ...(known.types && { types: new Set([...known.types, 'null']) }) };
	}
	const inBoth = <K extends keyof Described>(key: K, join: Join<Described[K]>) =>
		one[key] !== undefined && other[key] !== undefined && combined(one, other, key, join);
	return {
		...nothing(),
		...inBoth('types', (a, b) => new Set([...a, ...b])),
		...inBoth('values', (a, b) => [...new Set([...a, ...b])]),
		...inBoth('format', (a, b) => (a === b ? a : undefined)),
		...inBoth('maximum', Math.max),
		...combined(one, other, 'each', (a, b) => ({ anyOf: [a, b] })),
		// Where one of them allows anything more, so does their choice.
		...inBoth('rest', (a, b) => a || b),
		parts: joined(one.parts, other.parts, 'anyOf'),
		required: new Set([...one.required].filter((name) => other.required.has(name))),
		isDeprecated: one.isDeprecated && other.isDeprecated,
		limits: commonLimits(one, other, false),
	};
}

type Join<T> = (a: NonNullable<T>, b: NonNullable<T>) => T;

/** A property of both, joined where both have it. */
function combined<K extends keyof Described>(
	one: Described,
	other: Described,
	key: K,
	join: Join<Described[K]>,
): Partial<Described> {
	const [a, b] = [one[key], other[key]];
	if (a === undefined || b === undefined) return a === b ? {} : { [key]: a ?? b };
	return { [key]: join(a!, b!) };
}

function joined(one: Described['parts'], other: Described['parts'], word: 'allOf' | 'anyOf') {
	const all = new Map(one);
	for (const [name, schema] of other) {
		all.set(name, all.has(name) ? { [word]: [all.get(name), schema] } : schema);
	}
	return all;
}
