import type { Field } from '../../shared/describe';
import { idField, oneOf } from '../../shared/describe';

/** What files and tables of a site have in common. Source: Part B, 4.9 and 4.10. */

export const snapshotId: Field = idField(
	'snapshotId',
	'The completed snapshot to read. If not set, the latest one.',
);

/** Whether the backups have it. */
export const statusFilter = oneOf(
	'status',
	['skipped', 'synced'],
	'Only items that backups leave out (skipped), or only items that they include (synced)',
);

/** Sizes have their unit in the name. */
export const inBytes = { size: 'size_bytes' };
