import type { IDataObject } from 'n8n-workflow';
import { kept, outputOf } from '../describe/output';
import { isRecord, recordIn, recordsIn } from '../lib';
import { taskAbout } from '../receive/task';
import { detectionsOf, scanOf } from '../vocabulary/snapshots';

/** Finished work of a task that creates no record. Source: Part A, 2.9. */
export const doneOutput = outputOf(
	{
		task_type: 'type',
		task_type_name: taskAbout.type_name!,
		task_status: 'status',
		task_started_at: taskAbout.started_at!,
		task_ended_at: taskAbout.ended_at!,
		duration_seconds: taskAbout.duration_seconds!,
	},
	['id', 'updated_at', 'progress', 'input', 'details'],
);

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

/** The name of a site's client; blank if it has none. Source: Part B, 2.1. */
export function clientName({ client }: IDataObject): IDataObject[string] {
	if (!isRecord(client)) return undefined;
	const { company_name: company, first_name: first, last_name: last, email } = client;
	return company || [first, last].filter(Boolean).join(' ') || email;
}

/** What a run updates on a site: the core, plugins and themes. Part A, 2.8. */
export function componentsOf({ wp }: IDataObject): IDataObject[] {
	const { core, plugins, themes } = recordIn(wp);
	return [
		...(isRecord(core) ? [{ type: 'core', ...core }] : []),
		...recordsIn(plugins).map((plugin) => ({ type: 'plugin', ...plugin })),
		...recordsIn(themes).map((theme) => ({ type: 'theme', ...theme })),
	];
}
