import { bulk } from '../../shared/describe/changes';
import { list, queryOptions } from '../../shared/describe/fields';
import { contains, type Filters } from '../../shared/describe/filters';
import { get, getMany, resourceInBackups } from '../../shared/describe/resource';
import { amountFilters, inBytes, snapshotId, statusFilter } from './contentFields';

const filters: Filters = {
	...contains('tables', 'name', 'options', {
		description: 'Only tables whose name contains this text (not case-sensitive)',
	}),
	...statusFilter,
	...amountFilters('rows', 'rows'),
	...amountFilters('size', 'bytes'),
};

const tables = list('tables', 'Tables', {
	placeholder: 'e.g. wp_posts, wp_options',
	description: 'Names of tables in the latest completed snapshot',
});

/** Part B, 4.10. */
export const table = resourceInBackups('Table', { usual: 'cares', skip: 'weakens' }, [
	getMany('Get many tables', 'GET /sites/{siteId}/tables', {
		filters,
		sortBy: ['name', 'rows', 'size'],
		timezone: false,
		renamed: inBytes,
		options: [snapshotId],
	}),
	get('Get table statistics', 'GET /sites/{siteId}/tables/stats', {
		name: 'Get Stats',
		description: 'Count the tables of a site',
		fields: queryOptions([snapshotId]),
		wrapper: 'stats',
		needs: 'tables',
	}),
	bulk('Include tables in backups', 'POST /sites/{siteId}/tables/sync', tables, {
		name: 'Include in Backups',
		value: 'sync',
		description: 'Include tables in future backups again (the API calls this sync)',
	}),
	bulk('Leave tables out of backups', 'POST /sites/{siteId}/tables/skip', tables, {
		name: 'Leave Out of Backups',
		value: 'skip',
		description: 'Leave tables out of future backups (the API calls this skip)',
		sideEffect: 'skipped tables cannot be restored from those backups',
	}),
]);
