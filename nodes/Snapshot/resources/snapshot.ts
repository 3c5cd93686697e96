import { type Filters, oneOf, timeFilters } from '../../shared/describe/filters';
import { lacking, without } from '../../shared/describe/output';
import { get, getMany, resourceInBackups } from '../../shared/describe/resource';
import { toggle, toggleOn } from '../../shared/input/kinds';
import { EVER, GOOD } from '../../shared/vocabulary/snapshots';
import { scanFilter } from '../../shared/resources/siteRecords';
import { snapshotOutput } from '../../shared/resources/outputs';
import { findFirstHacked } from '../findFirstHacked';

const created = timeFilters('created_at', 'Created');

const [scanned] = Object.values(scanFilter('snapshots', ['clean', 'hacked']));

const filters: Filters = {
	...created,
	'created_at:lte': {
		...created['created_at:lte']!,
		// Without a lower bound the service would look at the last seven days only.
		also: EVER,
	},
	...oneOf(
		'status',
		['succeeded', 'cancelled', 'failed', 'in_progress', 'waiting'],
		'Only snapshots in this state',
	),
	'scanner_status:eq': {
		...scanned!,
		description: `${scanned!.description}. Without Status, only those that succeeded: a failed one was not scanned.`,
		also: { 'filters[status:eq]': GOOD },
	},
	'note:present': toggleOn('hasNote', 'Has Note', {
		description: 'Whether the snapshot has a note',
	}),
};

const listed = lacking(
	without(snapshotOutput, 'performance.score', 'performance.load_time'),
	'real_time',
	'performance_score',
	'load_time',
);

const allTime = toggle('allTime', 'All Time', {
	description:
		'Whether to include all snapshots. Otherwise the service returns those of the last seven days, unless you set a time filter.',
	also: EVER,
});

const list = getMany('Get many snapshots', 'GET /sites/{siteId}/snapshots', {
	description:
		'Get the snapshots of the last seven days. To go further back, use All Time or a time filter.',
	filters,
	sortBy: ['created_at', 'files_synced', 'tables_synced'],
	timezone: false,
	output: listed,
});

/** Part B, 4.5. */
export const snapshot = resourceInBackups('Snapshot', 'reads', [
	{ ...list, fields: [allTime, ...list.fields] },
	findFirstHacked,
	get('Get snapshot', 'GET /sites/{siteId}/snapshots/{snapshotId}', { output: snapshotOutput }),
]);
