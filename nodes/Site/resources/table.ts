import type { Filters } from '../../shared/describe';
import { bulk, getMany, operation, queryOptions, resource } from '../../shared/describe';
import { amountFilters, listField, snapshotId, statusFilter } from './contentFields';

const filters: Filters = {
	'name:contains': {
		displayName: 'Name Contains',
		name: 'nameContains',
		type: 'string',
		default: '',
		description: 'Only tables with this text in their name, in any case',
	},
	...statusFilter,
	...amountFilters('rows', 'Rows', 'rows'),
	...amountFilters('size', 'Size', 'bytes'),
};

const tables = listField({
	displayName: 'Tables',
	name: 'tables',
	type: 'string',
	default: '',
	placeholder: 'e.g. wp_posts, wp_options',
	description:
		'Names of tables in the latest completed snapshot, of which each becomes an item of output',
});

/** Part B, 4.10. */
export const table = resource('Table', 'table', [
	getMany('Get many tables', 'GET /sites/{siteId}/tables', {
		filters,
		sortBy: ['name', 'rows', 'size'],
		timezone: false,
		options: { snapshot_id: snapshotId },
	}),
	operation(
		{ name: 'Get Stats', value: 'getStats', action: 'Count the tables of a site' },
		'GET /sites/{siteId}/tables/stats',
		queryOptions({ snapshot_id: snapshotId }),
	),
	bulk(
		{ name: 'Sync', value: 'sync', action: 'Sync tables' },
		'POST /sites/{siteId}/tables/sync',
		tables,
	),
	bulk(
		{ name: 'Skip', value: 'skip', action: 'Skip tables' },
		'POST /sites/{siteId}/tables/skip',
		tables,
		'A skipped table is not synced until you sync it again.',
	),
]);
