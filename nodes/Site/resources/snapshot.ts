import type { Filters } from '../../shared/describe';
import { get, getMany, resource, timeFilters } from '../../shared/describe';

const created = timeFilters('created_at', 'Created');

const filters: Filters = {
	...created,
	'created_at:gte': {
		...created['created_at:gte']!,
		description:
			'Only snapshots of this time or a later one. Without it the service gives those of the last seven days.',
	},
	'status:eq': {
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Cancelled', value: 'cancelled' },
			{ name: 'Failed', value: 'failed' },
			{ name: 'In Progress', value: 'in_progress' },
			{ name: 'Succeeded', value: 'succeeded' },
			{ name: 'Waiting', value: 'waiting' },
		],
		default: 'succeeded',
		description: 'Only snapshots in this state',
	},
	'scanner_status:eq': {
		displayName: 'Malware Scan Result',
		name: 'scannerStatus',
		type: 'options',
		options: [
			{ name: 'Clean', value: 'clean' },
			{ name: 'Hacked', value: 'hacked' },
		],
		default: 'clean',
		description: 'Only snapshots with this result of the malware scan',
	},
	'note:present': {
		displayName: 'Has Note',
		name: 'hasNote',
		type: 'boolean',
		default: true,
		description: 'Whether the snapshot has a note',
	},
};

/** Part B, 4.5. */
export const snapshot = resource('Snapshot', 'snapshot', [
	getMany('Get many snapshots', 'GET /sites/{siteId}/snapshots', {
		filters,
		sortBy: ['created_at', 'files_synced', 'tables_synced'],
		timezone: false,
	}),
	get('Get a snapshot', 'GET /sites/{siteId}/snapshots/{snapshotId}'),
]);
