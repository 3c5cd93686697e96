import type { World } from '../engine/world';
import { type Schema, arrayOf, date, matching, oneOf, string, timestamp } from './schema';
import { DateTime } from 'luxon';

export type Operator = 'contains' | 'eq' | 'in' | 'gte' | 'lte' | 'gt' | 'lt' | 'present';
type Scalar = string | number | boolean | null | undefined;

/** One filter of a list (Part A 4.1.6). A row whose value is an array matches by any member. */
export interface Filter<T> {
	/** How values are read and compared; an array is the list of allowed words. */
	type: 'string' | 'boolean' | 'timestamp' | 'date' | 'number' | 'version' | readonly string[];
	operators: Operator[];
	value(row: T, world: World): Scalar | Scalar[];
	/** For `contains`, which otherwise ignores case. */
	caseSensitive?: boolean;
}

export type Filters<T> = Record<string, Filter<T>>;
export type Query = Record<string, string | string[] | number | boolean | object | undefined>;

/** Values are compared part by part, over the parts that the filter gives. */
type Parts = Array<string | number>;

interface ValueType {
	schema: Schema;
	parse(text: string, zone: string): Parts;
	/** For the values of rows, where that is quicker: a list looks at many of them. */
	parseStored?(text: string): Parts;
}

const types: Record<string, ValueType> = {
	string: { schema: string, parse: (text) => [text] },
	boolean: { schema: oneOf('true', 'false'), parse: (text) => [text] },
	timestamp: {
		schema: timestamp,
		parse: (text, zone) => [DateTime.fromISO(text, { zone }).toMillis()],
		// Rows have whole timestamps in UTC only.
		parseStored: (text) => [Date.parse(text)],
	},
	date: { schema: date, parse: (text) => [text] },
	number: { schema: matching('^\\d+$'), parse: (text) => [Number(text)] },
	version: {
		schema: matching('^\\d+(\\.\\d+){0,2}$'),
		parse: (text) => text.split('.').map(Number),
	},
};

const comparisons: Partial<Record<Operator, (order: number) => boolean>> = {
	eq: (order) => order === 0,
	gte: (order) => order >= 0,
	lte: (order) => order <= 0,
	gt: (order) => order > 0,
	lt: (order) => order < 0,
};

/** Filters by timestamps, from and until, that are fields of the row of the same name. */
export function timestampFilters<K extends string>(...names: K[]) {
	return filtersOf<K, string | null>(names, 'timestamp', ['gte', 'lte']);
}

/** Filters by a part of a text, that are fields of the row of the same name. */
export function textFilters<K extends string>(...names: K[]) {
	return filtersOf<K, string>(names, 'string', ['contains']);
}

function filtersOf<K extends string, V extends Scalar>(
	names: K[],
	type: Filter<never>['type'],
	operators: Operator[],
) {
	const filter = (name: K): Filter<Record<K, V>> => ({
		type,
		operators,
		value: (row) => row[name],
	});
	return Object.fromEntries(names.map((name) => [name, filter(name)])) as Record<
		K,
		Filter<Record<K, V>>
	>;
}

/** The query parameters of the filters, as properties of a JSON schema. */
export function filterProperties<T>(filters: Filters<T>): Record<string, Schema> {
	return Object.fromEntries(
		eachFilter(filters).map(({ filter, operator, parameter }) => {
			const schema = operator === 'present' ? types.boolean!.schema : valueSchema(filter);
			return [parameter, operator === 'in' ? arrayOf(schema) : schema];
		}),
	);
}

/** The rows that satisfy all filters of a query that fits `filterProperties`. */
export function applyFilters<T>(
	rows: readonly T[],
	filters: Filters<T>,
	query: Query,
	world: World,
): T[] {
	const zone = String(query.timezone ?? 'UTC');
	const tests = eachFilter(filters)
		.filter(({ parameter }) => query[parameter] !== undefined)
		.map(({ filter, operator, parameter }) => {
			const accepts = acceptance(filter, operator, [query[parameter]].flat().map(String), zone);
			return (row: T) => {
				const value = filter.value(row, world);
				return accepts(Array.isArray(value) ? value : [value]);
			};
		});
	return rows.filter((row) => tests.every((test) => test(row)));
}

function eachFilter<T>(filters: Filters<T>) {
	return Object.entries(filters).flatMap(([field, filter]) =>
		filter.operators.map((operator) => ({
			filter,
			operator,
			parameter: `filters[${field}:${operator}]${operator === 'in' ? '[]' : ''}`,
		})),
	);
}

function typeOf<T>({ type }: Filter<T>) {
	return types[typeof type === 'string' ? type : 'string']!;
}

function valueSchema<T>(filter: Filter<T>): Schema {
	return typeof filter.type === 'string' ? typeOf(filter).schema : oneOf(...filter.type);
}

function acceptance<T>(filter: Filter<T>, operator: Operator, wanted: string[], zone: string) {
	const given = (values: Scalar[]) =>
		values.filter((value) => value !== null && value !== undefined && value !== '').map(String);

	if (operator === 'present') {
		return (values: Scalar[]) => given(values).length > 0 === (wanted[0] === 'true');
	}
	if (operator === 'contains') {
		const fold = (text: string) => (filter.caseSensitive ? text : text.toLowerCase());
		return (values: Scalar[]) =>
			given(values).some((value) => fold(value).includes(fold(wanted[0] ?? '')));
	}
	const { parse, parseStored = (text: string) => parse(text, 'UTC') } = typeOf(filter);
	const bounds = wanted.map((text) => parse(text, zone));
	const holds = comparisons[operator === 'in' ? 'eq' : operator]!;
	return (values: Scalar[]) =>
		given(values).some((value) => {
			const parts = parseStored(value);
			return bounds.some((bound) => holds(compareParts(parts, bound)));
		});
}

function compareParts(parts: Parts, bound: Parts): number {
	for (const [index, limit] of bound.entries()) {
		const part = parts[index] ?? 0;
		if (part !== limit) return part < limit ? -1 : 1;
	}
	return 0;
}
