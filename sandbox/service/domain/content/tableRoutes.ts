import type { Row } from '../../engine/store';
import type { Context } from '../../http/context';
import { bulk, failing, resource, route, type Route } from '../../http/kit';
import { fields } from '../../http/paging';
import { integer, oneOf, string, timestamp, object } from '../../http/schema';
import { siteOf } from '../sites/rules';
import { chosenSnapshot } from '../snapshots/rules';
import { totals } from './fileRoutes';
import { backupStatuses } from './rows';
import { changeContent } from './changes';
import { type TableEntry, tablesAt } from './tables';

const path = '/sites/{site_id}/tables';

/** The tables of a site in the snapshot that the query asks for. */
function tablesOf({ world, query, ...context }: Context): TableEntry[] {
	const site = siteOf({ world, ...context });
	const snapshot = chosenSnapshot(world, site, query.snapshot_id as string | undefined);
	return tablesAt(world, site, Date.parse(snapshot.created_at));
}

/** Part B 2.8 and 4.10. */
const tables = resource<TableEntry & Row>({
	name: 'table',
	plural: 'tables',
	path,
	rows: (context) => tablesOf(context).map((table) => ({ ...table, id: table.name })),
	view: ({ id: _id, ...table }) => table,
	schema: object({
		name: string,
		rows: integer,
		size: integer,
		created_at: timestamp,
		status: oneOf(...backupStatuses),
	}),
});

const showStats = route({
	operationId: 'showSiteTableStats',
	method: 'GET',
	path: `${path}/stats`,
	query: { snapshot_id: string },
	status: 200,
	errors: [422],
	response: object({
		stats: object({ tables: object({ total: integer, synced: integer, skipped: integer }) }),
	}),
	handle: (context) => ({ stats: { tables: totals(tablesOf(context), () => 1) } }),
});

const mark = (operationId: string, verb: 'sync' | 'skip'): Route =>
	bulk(
		operationId,
		`${path}/${verb}`,
		'tables',
		(context) => {
			const names = tablesOf({ ...context, query: {} }).map(({ name }) => name);
			const content = changeContent(context.world, siteOf(context).id);
			return (name) => {
				if (!names.includes(name)) return { code: 'not_found', message: 'Table was not found' };
				const others = content.skipped_tables.filter((skipped) => skipped !== name);
				content.skipped_tables = verb === 'skip' ? [...others, name] : others;
				return undefined;
			};
		},
		(name) => name.trim(),
	);

export const tableRoutes = [
	failing(
		[422],
		tables.list('listSiteTables', {
			filters: {
				name: { type: 'string', operators: ['contains'], value: (table) => table.name },
				rows: { type: 'number', operators: ['gte', 'lte'], value: (table) => table.rows },
				size: { type: 'number', operators: ['gte', 'lte'], value: (table) => table.size },
				status: { type: backupStatuses, operators: ['eq'], value: (table) => table.status },
			},
			parameters: { snapshot_id: string },
			sort: fields('name', 'rows', 'size'),
			defaultSort: 'name,asc',
			timezone: false,
		}),
	),
	showStats,
	mark('syncSiteTables', 'sync'),
	mark('skipSiteTables', 'skip'),
];
