import type { Row } from '../engine/store';
import type { World } from '../engine/world';
import { applyFilters, filterProperties, type Filters, type Query } from './filters';
import type { Context } from './context';
import { type Schema, atLeast, limited, oneOf, timezone } from './schema';
import { sortedSlice } from './sortedSlice';

type SortKey<T> = (row: T, world: World) => string | number | null;

/** What can be asked of a list: its filters, its sort fields and the order used without `sort`. */
export interface ListRules<T> {
	filters: Filters<T>;
	/** Without it the list has no `sort` parameter, and the rows stay in their order. */
	sort?: Record<string, SortKey<T>>;
	defaultSort?: string;
	/** Parameters that only this list has. */
	parameters?: Record<string, Schema>;
	/** The values of parameters that are not sent. */
	defaults?(context: Context): Query;
	/** False for the few lists without the `timezone` parameter. */
	timezone?: boolean;
}

/** Sort keys that are fields of the row of the same name. */
export function fields<K extends string>(...names: K[]) {
	type Key = SortKey<Record<K, string | number | null>>;
	const keys = names.map((name): [string, Key] => [name, (row) => row[name]]);
	return Object.fromEntries(keys) as Record<K, Key>;
}

/** The query parameters of a paginated list (Part A 4.1), as properties of a JSON schema. */
export function listProperties<T>(rules: ListRules<T>): Record<string, Schema> {
	const orders = Object.keys(rules.sort ?? {}).flatMap((field) => [
		`${field},asc`,
		`${field},desc`,
	]);
	return {
		page: limited(atLeast(1), { default: 1 }),
		perPage: limited(atLeast(1), { maximum: 100, default: 100 }),
		...(rules.timezone !== false && {
			timezone: limited(timezone, { default: 'UTC' }),
		}),
		...(rules.sort && { sort: limited(oneOf(...orders), { default: rules.defaultSort }) }),
		...rules.parameters,
		...filterProperties(rules.filters),
	};
}

/** The page of the filtered and sorted rows that the query asks for, its `meta` and the row behind it. */
export function selectPage<T extends Row>(
	rows: readonly T[],
	rules: ListRules<T>,
	query: Query,
	world: World,
) {
	const found = applyFilters(rows, rules.filters, query, world);
	const page = Number(query.page ?? 1);
	const perPage = Number(query.perPage ?? 100);
	const pagination = {
		page,
		perPage,
		totalPages: Math.ceil(found.length / perPage),
		totalItems: found.length,
	};
	const range = { start: (page - 1) * perPage, end: page * perPage + 1 };
	const shown = sortedRows(found, rules, query, world, range);
	return { rows: shown.slice(0, perPage), next: shown[perPage], meta: { pagination } };
}

/**
 * The rows from `start` up to `end` of the order that the query asks for. Rows of the same key are in
 * the order of their ids, so that pages never overlap.
 */
function sortedRows<T extends Row>(
	rows: T[],
	rules: ListRules<T>,
	query: Query,
	world: World,
	{ start, end }: { start: number; end: number },
): T[] {
	const [field = '', direction] = String(query.sort ?? rules.defaultSort).split(',');
	const key = rules.sort?.[field];
	if (!key) return rows.slice(start, end);
	const sign = direction === 'desc' ? -1 : 1;
	const above = world.settings.nullsAreHighest ? 1 : -1;
	const keyed = rows.map((row) => ({ row, key: key(row, world) ?? undefined }));
	const order = (a: (typeof keyed)[number], b: (typeof keyed)[number]) => {
		const isNull = Number(a.key === undefined) - Number(b.key === undefined);
		const byKey = isNull * above || compare(a.key ?? '', b.key ?? '');
		return sign * byKey || compare(a.row.id, b.row.id);
	};
	return sortedSlice(keyed, order, start, end).map(({ row }) => row);
}

function compare<V extends string | number>(a: V, b: V): number {
	return a === b ? 0 : a < b ? -1 : 1;
}
