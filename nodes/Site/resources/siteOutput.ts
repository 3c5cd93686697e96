import type { IDataObject } from 'n8n-workflow';
import { fewer, kept, outputOf, without } from '../../shared/describe';
import { instantOf } from '../../shared/lib/instant';
import { isRecord } from '../../shared/lib/isRecord';
import type { Completion } from '../../shared/operation';
import { clientName } from '../../shared/resources/clientName';
import { valueAt } from '../../shared/receive/output';
import { Service } from '../../shared/transport/http/service';
import { newestSucceeded } from '../../shared/transport/lookup/newestSnapshot';
import { isOfRecord } from '../../shared/transport/waiting/unobservable';
import { MAX_IN_FLIGHT } from '../../shared/transport/pacing/limiter';
import { Semaphore } from '../../shared/transport/pacing/semaphore';
import { detectionsOf } from '../../shared/vocabulary/snapshots';
import { statusClass } from '../../shared/vocabulary/statusWords';

/** Since when malware is there; where only that it is there is known, the last look. */
function hackedSince({ security, updated_at: changed }: IDataObject): unknown {
	const scanner = isRecord(security) && isRecord(security.scanner) ? security.scanner : {};
	if (statusClass('scanner', scanner.status) !== 'bad') return undefined;
	return scanner.malware_detected_at ?? scanner.last_check_at ?? changed;
}

/** The version of the core that an update would bring. */
function coreUpdate({ wp }: IDataObject): unknown {
	const core = isRecord(wp) && isRecord(wp.core) ? wp.core : {};
	return core.update_available === true ? (core.latest_version ?? 'available') : undefined;
}

/** When the last good backup was made; null where there is none, or it cannot be found. */
async function lastBackup(service: Service, site: IDataObject): Promise<unknown> {
	const newest = valueAt(site, 'backups.latest_snapshot') as IDataObject | null | undefined;
	const isWithout = newest === null && !valueAt(site, 'backups.available_snapshots');
	if (isWithout) return null;
	const isFailed = statusClass('snapshot', newest?.status) !== 'succeeded';
	const found = instantOf(valueAt(site, 'security.scanner.malware_detected_at'));
	const isHacked = hackedSince(site) !== undefined && !(instantOf(newest?.created_at) < found);
	if (!isFailed && !isHacked) return newest?.created_at;
	const good = await newestSucceeded(service, String(site.id)).catch((error: unknown) => {
		if (isOfRecord(error)) return undefined;
		throw error;
	});
	return good?.created_at ?? null;
}

/** The record has the newest attempt alone. */
const lastGoodBackup: Completion = {
	fields: ['last_backup_at'],
	costs:
		'For the last good backup, Simplified costs one more request for each site whose newest backup failed or is hacked.',
	read: async (context, sites) => {
		const service = new Service(context);
		const few = new Semaphore(MAX_IN_FLIGHT);
		const completed = sites.map(async (site) => {
			const at = await few.run(async () => await lastBackup(service, site));
			return { ...site, last_backup_at: at } as IDataObject;
		});
		return await Promise.all(completed);
	},
};

/** What the record has. Part B, 2.1. */
export const siteRecord = outputOf(
	{
		...kept('id', 'title', 'url'),
		connection_status: 'connection.status',
		uptime_status: 'uptime.status',
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
		...[
			'backups.retention_days',
			'client',
			'client.first_name',
			'connection',
			'home_url',
			'multisite',
		],
		...['performance.enabled', 'screenshot.thumbnail_url', 'security', 'security.enabled'],
		...['security.scanner.detections', 'server.hosting', 'server.mysql_version', 'sync'],
		...[
			'sync.daily_sync_time',
			'sync.last_sync_error',
			'tags',
			'updated_at',
			'uptime.enabled',
			'wp',
		],
		...['wp.core.latest_version', 'wp.core.vulnerable'],
	],
);

export const siteOutput = outputOf(
	{ ...siteRecord.simplified, last_backup_at: 'last_backup_at' },
	siteRecord.fields,
	lastGoodBackup,
);

/** What fits several times into what a model reads. */
export const listed = fewer(
	without(siteOutput, 'wp.core.vulnerable'),
	...['id', 'title', 'url', 'connection_status', 'hacked_since'],
	...[
		'backups_enabled',
		'last_backup_at',
		'snapshot_status',
		'paused',
		'core_update',
		'php_version',
	],
	...['client_id', 'client_name', 'tag_names'],
);
