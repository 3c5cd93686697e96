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
	/** The fields of an object, and which of them must be there. */
	parts: Map<string, Schema>;
	required: Set<string>;
	/** What other fields of an object are, or whether they may be there at all. */
	rest?: Schema;
	/** The entries of a list. */
	each?: Schema;
	isReadOnly: boolean;
	isWriteOnly: boolean;
}

const isObject = (value: unknown): value is Keywords =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const nothing = (): Described => ({
	parts: new Map(),
	required: new Set(),
	isReadOnly: false,
	isWriteOnly: false,
});

/** What a schema says. @param above the schemas that it is a part of, which may lead back to it */
export function describedBy(schema: Schema, follow: Follow, above: unknown[] = []): Described {
	if (isObject(schema) && typeof schema.$ref === 'string' && Object.keys(schema).length > 1) {
		const { $ref, ...beside } = schema;
		return describedBy({ ...beside, allOf: [{ $ref }, ...listIn(beside.allOf)] }, follow, above);
	}
	const keywords = follow(schema);
	if (!keywords || above.includes(keywords)) return nothing();
	const within = [...above, keywords];
	const partsOf = (word: string) =>
		listIn(keywords[word]).map((part) => describedBy(part, follow, within));
	const all = [ownOf(keywords), ...partsOf('allOf')];
	for (const word of ['anyOf', 'oneOf']) {
		const choices = partsOf(word);
		if (choices.length > 0) all.push(choices.reduce(either));
	}
	const whole = all.reduce(both);
	// As generators for 3.0 write it, beside an `allOf` that does not know of it.
	if (keywords.nullable === true) whole.types?.add('null');
	return whole;
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What the schema itself says. */
function ownOf(keywords: Keywords): Described {
	const { properties, required, additionalProperties, items, format, maximum } = keywords;
	const parts = new Map(isObject(properties) ? Object.entries(properties) : []);
	const choices = 'const' in keywords ? [keywords.const] : keywords.enum;
	const values = Array.isArray(choices) ? choices.filter((value) => value !== null) : undefined;
	const types = typesOf(keywords);
	if (types && Array.isArray(choices) && choices.includes(null)) types.add('null');
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
	};
}

/** The types that are named, or else those that the other keywords are for. */
function typesOf({ type, properties, additionalProperties, items, ...more }: Keywords) {
	const named = typeof type === 'string' ? [type] : listIn(type).map(String);
	if (named.length > 0) return new Set(named.map((name) => name.replace('integer', 'number')));
	if (isObject(properties) || isObject(additionalProperties)) return new Set(['object']);
	if (items !== undefined) return new Set(['array']);
	const choices = 'const' in more ? [more.const] : listIn(more.enum);
	const ofChoices = choices.map((value) => (value === null ? 'null' : typeof value));
	return ofChoices.length > 0 ? new Set<string>(ofChoices) : undefined;
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
	};
}

const isNull = ({ types }: Described) => types?.size === 1 && types.has('null');

/** What holds when one of the two holds. */
function either(one: Described, other: Described): Described {
	if (isNull(one) || isNull(other)) {
		const [known, none] = isNull(other) ? [one, other] : [other, one];
		return { ...known, ...(known.types && { types: new Set([...known.types, ...none.types!]) }) };
	}
	const inBoth = <K extends keyof Described>(
		key: K,
		join: (a: NonNullable<Described[K]>, b: NonNullable<Described[K]>) => Described[K],
	) => one[key] !== undefined && other[key] !== undefined && combined(one, other, key, join);
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
	};
}

/** A property of both, joined where both have it. */
function combined<K extends keyof Described>(
	one: Described,
	other: Described,
	key: K,
	join: (a: NonNullable<Described[K]>, b: NonNullable<Described[K]>) => Described[K],
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
