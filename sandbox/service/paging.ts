import { applyFilters, filterProperties, type Filters, type Query } from './filters';
import type { Row } from './records';
import type { Schema } from './schema';
import type { World } from './world';

type SortKey<T> = (row: T) => string | number | null;

/** What can be asked of a list: its filters, its sort fields and the order used without `sort`. */
export interface ListRules<T> {
	filters: Filters<T>;
	sort: Record<string, SortKey<T>>;
	defaultSort: string;
	/** False for the few lists without the `timezone` parameter. */
	timezone?: boolean;
}

/** Sort keys that are fields of the row of the same name. */
export function fields<K extends string>(...names: K[]) {
	return Object.fromEntries(
		names.map((name) => [name, (row: Record<K, string | number | null>) => row[name]]),
	) as Record<K, SortKey<Record<K, string | number | null>>>;
}

/** The query parameters of a paginated list (Part A 4.1), as properties of a JSON schema. */
export function listProperties<T>(rules: ListRules<T>): Record<string, Schema> {
	const orders = Object.keys(rules.sort).flatMap((field) => [`${field},asc`, `${field},desc`]);
	return {
		page: { type: 'integer', minimum: 1, default: 1 },
		perPage: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
		...(rules.timezone !== false && {
			timezone: { type: 'string', format: 'timezone', default: 'UTC' },
		}),
		sort: { type: 'string', enum: orders, default: rules.defaultSort },
		...filterProperties(rules.filters),
	};
}

/** The page of the filtered and sorted rows that the query asks for, and its `meta`. */
export function selectPage<T extends Row>(
	rows: T[],
	rules: ListRules<T>,
	query: Query,
	world: World,
) {
	const found = sortRows(applyFilters(rows, rules.filters, query, world), rules, query);
	const page = Number(query.page ?? 1);
	const perPage = Number(query.perPage ?? 100);
	const pagination = {
		page,
		perPage,
		totalPages: Math.ceil(found.length / perPage),
		totalItems: found.length,
	};
	return { rows: found.slice((page - 1) * perPage, page * perPage), meta: { pagination } };
}

/** Rows of the same key stay in the order of their ids, so that pages never overlap. */
function sortRows<T extends Row>(rows: T[], rules: ListRules<T>, query: Query): T[] {
	const [field = '', direction] = String(query.sort ?? rules.defaultSort).split(',');
	const key = rules.sort[field]!;
	const sign = direction === 'desc' ? -1 : 1;
	return [...rows].sort(
		(a, b) => sign * compare(key(a) ?? '', key(b) ?? '') || compare(a.id, b.id),
	);
}

function compare<V extends string | number>(a: V, b: V): number {
	return a === b ? 0 : a < b ? -1 : 1;
}
