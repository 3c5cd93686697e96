import type { IDataObject } from 'n8n-workflow';
import { mapParallel } from '../../shared/client/limiter';
import { fewer, kept, outputOf, without } from '../../shared/describe/output';
import { recordIn } from '../../shared/lib';
import type { Completion } from '../../shared/operation';
import { clientName } from '../../shared/resources/outputs';
import { lastBackupOf } from '../../shared/run/newestSnapshot';
import { detectionsOf } from '../../shared/vocabulary/snapshots';
import { statusClass } from '../../shared/vocabulary/values';

/** The version of the core that an update would bring. */
function coreUpdate({ wp }: IDataObject): unknown {
	const core = recordIn(recordIn(wp).core);
	return core.update_available === true ? (core.latest_version ?? 'available') : undefined;
}

/** When malware was detected, or the last check if that is not known. */
function hackedSince({ security, updated_at: changed }: IDataObject): unknown {
	const scanner = recordIn(recordIn(security).scanner);
	if (statusClass('scanner', scanner.status) !== 'bad') return undefined;
	return scanner.malware_detected_at ?? scanner.last_check_at ?? changed;
}

/** The record only has the newest attempt. */
const lastGoodBackup: Completion = {
	fields: ['last_backup_at'],
	costs:
		'Simplified costs one request for each site whose newest backup failed, two or more for each hacked one',
	read: async (context, sites) =>
		await mapParallel(sites, async (site) => {
			return { ...site, last_backup_at: (await lastBackupOf(context, site)) ?? null };
		}),
};

/** The fields of the record. Part B, 2.1. */
export const siteRecord = outputOf(
	{
		...kept('id', 'title', 'url', 'connection.status', 'uptime.status'),
		scanner_status: 'security.scanner.status',
		detections: detectionsOf,
		hacked_since: hackedSince,
		backups_enabled: 'backups.enabled',
		snapshot_id: 'backups.latest_snapshot.id',
		snapshot_created_at: 'backups.latest_snapshot.created_at',
		snapshot_status: 'backups.latest_snapshot.status',
		last_sync_at: 'sync.last_sync_at',
		last_sync_status: 'sync.last_sync_status',
		last_sync_error: 'sync.last_sync_error',
		next_sync_at: 'sync.next_sync_at',
		paused: 'sync.paused',
		core_version: 'wp.core.current_version',
		core_update: coreUpdate,
		php_version: 'server.php_version',
		client_id: 'client.id',
		client_name: clientName,
		client_email: 'client.email',
		tag_ids: 'tags.id',
		tag_names: 'tags.name',
		activity_log_enabled: 'activity_logs.enabled',
		...kept('locked', 'created_at'),
	},
	[
		...['analytics.enabled', 'backups', 'backups.available_snapshots', 'backups.real_time'],
		...['backups.retention_days', 'client', 'client.first_name', 'connection', 'home_url'],
		...['multisite', 'performance.enabled', 'screenshot.thumbnail_url', 'security'],
		...['security.enabled', 'security.scanner.detections', 'server.hosting'],
		...['server.mysql_version', 'sync', 'sync.daily_sync_time', 'sync.last_sync_error', 'tags'],
		...['updated_at', 'uptime.enabled', 'wp', 'wp.core.latest_version', 'wp.core.vulnerable'],
	],
);

export const siteOutput = outputOf(
	{ ...siteRecord.simplified, last_backup_at: 'last_backup_at' },
	siteRecord.fields,
	lastGoodBackup,
);

/** Few columns, so that a model can read several sites. */
export const listed = fewer(
	without(siteOutput, 'wp.core.vulnerable'),
	...['id', 'title', 'url', 'connection_status', 'hacked_since', 'backups_enabled'],
	...['last_backup_at', 'snapshot_status', 'paused', 'core_update', 'php_version', 'client_id'],
	...['client_name', 'tag_names'],
);
