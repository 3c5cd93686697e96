import { isRecord } from '../../nodes/shared/lib';
import { type Described, describedBy, type Follow, isTighter, type Schema } from './schema';
import type { Type, Value } from './value';

/** A difference between the nodes and the document, and what to do about it. */
export interface Finding {
	change: 'changed' | 'gone there' | 'missing here' | 'moved';
	/** The table of the nodes: `nodes/Tag/resources/tag.ts`. */
	file: string;
	/** As in the editor: `Tag: Get Many`. */
	operation: string;
	/** What it is about: `filters[name:eq]`, `body tag.color`; nothing for the operation itself. */
	place: string;
	difference: string;
	todo: string;
}

/** A place that is compared: `body tag.color`. */
export interface Place {
	/** Where it is: in what is sent, or in what is answered. */
	part: 'answer' | 'body' | 'query';
	path: string;
}

export interface Notes {
	follow: Follow;
	add(place: Place, finding: Told): void;
	compared(): void;
	/** What a place lacks of what the nodes have there, and what it has besides. */
	names(missing: string[], unknown: string[]): void;
	undescribed(place: Place): void;
}

type Told = Pick<Finding, 'change' | 'difference' | 'todo'>;

export const TELL_GONE = 'Say in its description what is gone: saved workflows have it.';

/** What is sent in vain. */
export const notTaken: Told = {
	change: 'gone there',
	difference: 'is no longer taken',
	todo: TELL_GONE,
};

const notAnswered: Told = {
	change: 'gone there',
	difference: 'is no longer in the answer',
	todo: 'Look at what reads it: the answer of the operation, its output, the triggers.',
};

export const changed = (difference: string, todo: string): Told => ({
	change: 'changed',
	difference,
	todo,
});

/** What the nodes do not have yet. */
export const added = (isRequired: boolean, todo: string): Told => ({
	change: 'missing here',
	difference: isRequired ? 'is new, and required' : 'is new',
	todo,
});

/** What must be sent, and is not always. */
export const nowRequired = changed(
	'is required, where the nodes leave it to the user',
	'Make its field required.',
);

/** What is there still, but not for long. */
export const deprecated = changed(
	'is deprecated',
	'Ask the service what replaces it, and how long it remains available.',
);

const nowOptional = changed('is optional, where the nodes demand it', 'Make its field optional.');

const quoted = (values: string[]) => values.map((value) => `"${value}"`).join(', ');

/** `body tag.color`, and the key alone for what is in the query. */
export const shown = ({ part, path }: Place) =>
	part === 'query' ? path : `${part} ${path}`.trim();

const below = ({ part, path }: Place, name: string): Place => ({
	part,
	path: path ? `${path}.${name}` : name,
});

/** Compares what the nodes send or read at a place with what the document says of it. */
export function compareValue(value: Value, schema: Schema, place: Place, notes: Notes): void {
	const there = describedBy(schema, notes.follow);
	const { types } = there;
	if (there.isDeprecated) notes.add(place, deprecated);
	if (!value.type) return;
	if (!types) return notes.undescribed(place);
	notes.compared();
	if (value.mayBeList && types.has('array')) {
		return compareValue(value, there.each, { ...place, path: `${place.path}[]` }, notes);
	}
	if (!fits(value.type, there, place)) {
		const [read, wanted] = [[...types].filter((type) => type !== 'null').join(' or '), value.type];
		const difference =
			place.part === 'answer'
				? `is of type ${read}, where the nodes read ${wanted}`
				: `takes ${read}, where the nodes send ${wanted}`;
		return notes.add(place, changed(difference, 'Change its type or its conversion.'));
	}
	if (value.mayBeNull && !types.has('null')) {
		const difference = 'takes no null, which the nodes send to empty it';
		notes.add(place, changed(difference, 'Change its entry under Clear.'));
	}
	compareChoices(value, there, place, notes);
	compareLimits(value, there, place, notes);
	if (place.part !== 'answer') compareFurther(value, there, place, notes);
	if (value.type === 'array' && value.each) {
		compareValue(value.each, there.each, { ...place, path: `${place.path}[]` }, notes);
	}
	if (value.type === 'object') compareObject(value, there, place, notes);
}

/** In a query all is text, and a list may be described by its entries. */
function fits(type: Type, { types }: Described, { part }: Place): boolean {
	if (types!.has(type)) return true;
	const isScalar = (name: string) => !['array', 'object'].includes(name);
	return part === 'query' && isScalar(type) && [...types!].some(isScalar);
}

function compareChoices({ values }: Value, there: Described, place: Place, notes: Notes): void {
	if (!values) {
		if (there.values && !there.types!.has('boolean') && place.part !== 'answer') {
			const difference = `takes only ${quoted(there.values)}, where the nodes send any text`;
			notes.add(place, changed(difference, 'Offer these values as options.'));
		}
		return;
	}
	const known = there.values ?? (there.types!.has('boolean') ? ['true', 'false'] : undefined);
	if (!known) return notes.undescribed({ ...place, path: `${place.path} (values)` });
	notes.compared();
	const more = known.filter((each) => !values.includes(each));
	const gone = values.filter((each) => !known.includes(each));
	if (more.length + gone.length === 0) return;
	notes.names(gone, more);
	const told = [
		...(more.length > 0 ? [`takes ${quoted(named(more, place))} as well`] : []),
		...(gone.length > 0 ? [`takes no ${quoted(named(gone, place))} any more`] : []),
	];
	notes.add(place, {
		change: more.length === 0 ? 'gone there' : gone.length === 0 ? 'missing here' : 'changed',
		difference: told.join(', and '),
		todo: [
			...(more.length > 0 ? ['Add what is new to its values.'] : []),
			...(gone.length > 0 ? [TELL_GONE] : []),
		].join(' '),
	});
}

/** Of a sort the keys, where both directions are meant. */
const named = (values: string[], { path }: Place) =>
	path === 'sort' ? [...new Set(values.map((value) => value.replace(/,(asc|desc)$/, '')))] : values;

const formats: Record<string, Value['format']> = {
	date: 'date',
	'date-time': 'date-time',
	timestamp: 'date-time',
};

function compareLimits({ format, maximum }: Value, there: Described, place: Place, notes: Notes) {
	const formatThere = formats[there.format ?? ''];
	if (format && formatThere && format !== formatThere) {
		const difference = `takes a ${formatThere}, where the nodes send a ${format}`;
		notes.add(place, changed(difference, 'Change `dateOnly` of its field.'));
	}
	if (maximum !== undefined && there.maximum !== undefined && there.maximum < maximum) {
		const difference = `is ${there.maximum} at most, where the nodes send up to ${maximum}`;
		notes.add(place, changed(difference, 'Send no more than that.'));
	}
}

/** What holds for whatever the nodes send: they never send nothing. */
const isUsual = (word: string, limit: unknown) =>
	['minLength', 'minItems', 'minProperties'].includes(word) && Number(limit) <= 1;

/** Limits that the reference does not have, or has wider. */
function compareFurther({ limits = {} }: Value, there: Described, place: Place, notes: Notes) {
	for (const [word, limit] of Object.entries(there.limits)) {
		const here = limits[word];
		if (isUsual(word, limit) || (here !== undefined && !isTighter(word, limit, here))) continue;
		const difference =
			here === undefined
				? `has the new limit ${word} ${String(limit)}`
				: `has the limit ${word} ${String(limit)}, where the reference has ${String(here)}`;
		const todo =
			'Add it to the schema of the route in sandbox/service/domain, and to the check of its field.';
		notes.add(place, changed(difference, todo));
	}
}

function compareObject(value: Value, there: Described, place: Place, notes: Notes): void {
	const parts = value.parts ?? new Map<string, Value>();
	const isAlone = parts.size === 1 && !value.isOpen;
	for (const [name, part] of parts) {
		// What is alone in its object is there whenever the object is.
		comparePart(name, { ...part, isAlways: part.isAlways || isAlone }, there, { place, notes });
	}
	const names = [...parts.keys()];
	notes.names(
		names.filter((name) => !there.parts.has(name)),
		[...there.parts.keys()].filter((name) => !parts.has(name)),
	);
	if (place.part === 'answer' ? !value.isWhole : value.isOpen || parts.has('*')) return;
	for (const [name, schema] of there.parts) {
		const { isReadOnly, isWriteOnly } = describedBy(schema, notes.follow);
		if (parts.has(name) || (place.part === 'answer' ? isWriteOnly : isReadOnly)) continue;
		const isNeeded = place.part === 'body' && there.required.has(name);
		const todo =
			place.part === 'answer'
				? 'Add it to `output` of the resource.'
				: 'Add a field for it, and to its cases and routes as CONTRIBUTING.md says.';
		notes.add(below(place, name), added(isNeeded, todo));
	}
}

function comparePart(
	name: string,
	part: Value,
	{ parts, required, rest }: Described,
	{ place, notes }: { place: Place; notes: Notes },
): void {
	const at = below(place, name);
	const schema = parts.get(name);
	if (schema !== undefined) {
		const isRequired = required.has(name);
		if (place.part === 'body' && isRequired && !part.isAlways) notes.add(at, nowRequired);
		// An object that names nothing as required may not tell.
		if (!isRequired && part.isDemanded && required.size > 0) notes.add(at, nowOptional);
		if (!part.type) notes.compared();
		return compareValue(part, schema, at, notes);
	}
	const isDescribed = parts.size > 0 && (rest === undefined || rest === false);
	if (isRecord(rest)) return compareValue(part, rest, at, notes);
	if (!isDescribed) return notes.undescribed(at);
	notes.add(at, place.part === 'answer' ? notAnswered : notTaken);
}
