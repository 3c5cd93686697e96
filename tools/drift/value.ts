import { describedBy, type Limits, type Schema } from './schema';

/** The forms that a value has in JSON; `number` are whole ones, too. */
export type Type = 'array' | 'boolean' | 'number' | 'object' | 'string';

/** What the nodes send at a place, or read there. */
export interface Value {
	/** None where anything will do. */
	type?: Type;
	format?: 'date' | 'date-time';
	/** All that it can be, as text. */
	values?: string[];
	maximum?: number;
	/** Limits that the reference gives for it. */
	limits?: Limits;
	mayBeNull?: boolean;
	/** Whether it is in every request. */
	isAlways?: boolean;
	/** Whether the user has to set it. */
	isDemanded?: boolean;
	/** The fields of an object; those of a map stand under `*`. */
	parts?: Map<string, Value>;
	/** Whether an object can have fields that only the user names. */
	isOpen?: boolean;
	/** Whether the nodes offer just these fields of an object, so that another one is missing there. */
	isWhole?: boolean;
	/** Whether there may be a list of such objects instead. */
	mayBeList?: boolean;
	/** The entries of a list. */
	each?: Value;
}

export const textValue: Value = { type: 'string' };

export const anyValue: Value = {};

export const listOf = (each: Value): Value => ({ type: 'array', each });

export const objectOf = (parts: Record<string, Value>): Value => ({
	type: 'object',
	parts: new Map(Object.entries(parts)),
});

/** The object at a place such as `scope.sites`, made where it is not there yet; a list is looked into. */
function objectAt(value: Value, names: string[]): Value {
	return names.reduce((object, name) => {
		const parts = (object.parts ??= new Map<string, Value>());
		const found = parts.get(name) ?? {};
		parts.set(name, found);
		return found.each ?? found;
	}, value);
}

/** Puts a value at a place such as `scope.sites.ids`, together with what is there. */
export function put(into: Value, place: string, value: Value): void {
	const names = place.split('.').filter(Boolean);
	const holders = names.map((_, index) => objectAt(into, names.slice(0, index)));
	for (const holder of holders) holder.type ??= 'object';
	// What is in every request needs its objects there, too.
	if (value.isAlways) for (const holder of holders) holder.isAlways = true;
	Object.assign(objectAt(into, names), value);
}

/** The value with the limits that a schema of the reference has at each of its places. */
export function withLimits(value: Value, schema: Schema): Value {
	const { limits, parts, each, rest } = describedBy(schema);
	const below = value.parts && [...value.parts];
	return {
		...value,
		...(Object.keys(limits).length > 0 && { limits }),
		...(value.each && { each: withLimits(value.each, each) }),
		...(below && {
			parts: new Map(
				below.map(([name, part]) => [name, withLimits(part, parts.get(name) ?? rest)]),
			),
		}),
	};
}
