import { kept, outputOf } from '../describe';

/** Part B, 2.5. */
export const snapshotOutput = outputOf(
	{
		...kept('id', 'created_at', 'status', 'note'),
		error: 'error_message',
		scanner_status: 'security.scanner.status',
		files_synced: 'backups.files.count.synced',
		files_bytes: 'backups.files.size.synced',
		tables_synced: 'backups.database.count.synced',
		tables_bytes: 'backups.database.size.synced',
		real_time: 'backups.real_time',
		malware_files: 'security.scanner.detections.files',
		performance_score: 'performance.score',
		load_time: 'performance.load_time',
	},
	['backups', 'performance', 'security'],
);
