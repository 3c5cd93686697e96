import type { Filters } from '../../shared/describe';
import { get, getMany, kept, oneOf, outputOf, resource, timeFilters } from '../../shared/describe';
import { scanFilter } from './contentFields';

const created = timeFilters('created_at', 'Created');

const filters: Filters = {
	...created,
	'created_at:lte': {
		...created['created_at:lte']!,
		// Without a lower bound the service would look at the last seven days only.
		also: { 'filters[created_at:gte]': '2000-01-01T00:00:00Z' },
	},
	'created_at:gte': {
		...created['created_at:gte']!,
		description:
			'Only snapshots of this time or a later one. Without a filter on the time the service gives those of the last seven days.',
	},
	...oneOf(
		'status',
		['succeeded', 'cancelled', 'failed', 'in_progress', 'waiting'],
		'Only snapshots in this state',
	),
	...scanFilter('snapshots', ['clean', 'hacked']),
	'note:present': {
		displayName: 'Has Note',
		name: 'hasNote',
		type: 'boolean',
		default: true,
		description: 'Whether the snapshot has a note',
	},
};

/** Part B, 2.5. */
export const snapshotOutput = outputOf(
	{
		...kept('id', 'created_at', 'status', 'note', 'error_message'),
		scanner_status: 'security.scanner.status',
		files_synced: 'backups.files.count.synced',
		files_size: 'backups.files.size.synced',
		tables_synced: 'backups.database.count.synced',
		tables_size: 'backups.database.size.synced',
	},
	['performance'],
);

/** Part B, 4.5. */
export const snapshot = resource('Snapshot', 'snapshot', 'reads', [
	getMany('Get many snapshots', 'GET /sites/{siteId}/snapshots', {
		filters,
		sortBy: ['created_at', 'files_synced', 'tables_synced'],
		timezone: false,
		output: snapshotOutput,
	}),
	get('Get a snapshot', 'GET /sites/{siteId}/snapshots/{snapshotId}', {
		output: snapshotOutput,
	}),
]);
