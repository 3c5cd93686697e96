import { kept, outputOf } from '../describe';
import { detectionsOf, scanOf } from '../vocabulary/snapshots';

/** Part B, 2.5. */
export const snapshotOutput = outputOf(
	{
		...kept('id', 'created_at', 'status', 'note'),
		error: 'error_message',
		scanner_status: scanOf,
		detections: (snapshot) => (scanOf(snapshot) === 'not scanned' ? NaN : detectionsOf(snapshot)),
		files_synced: 'backups.files.count.synced',
		files_bytes: 'backups.files.size.synced',
		tables_synced: 'backups.database.count.synced',
		tables_bytes: 'backups.database.size.synced',
		real_time: 'backups.real_time',
		performance_score: 'performance.score',
		load_time: 'performance.load_time',
	},
	['backups', 'performance', 'security', 'security.scanner.detections'],
);
