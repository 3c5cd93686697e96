import type { IDataObject } from 'n8n-workflow';
import type { Filters } from '../describe';
import {
	contains,
	fewer,
	getMany,
	idField,
	idsField,
	kept,
	lifeFilters,
	oneOf,
	outputOf,
	timeFilters,
	whether,
	without,
} from '../describe';
import { toPhpVersion } from '../input/forms';
import { isRecord } from '../lib/isRecord';
import { omit } from '../lib/omit';
import { statusClass } from '../vocabulary/statusWords';
import { clientName } from './clientName';
import { scanFilter } from './scanFilter';

/** Only the single record of a site has it, so that it would come with some events and not with others. */
export const withoutPassword = (site: IDataObject): IDataObject => ({
	...site,
	connection: omit((site.connection ?? {}) as IDataObject, 'http_auth'),
});

/** The list of sites, which Get Many and Find Sites Without Backup read. Source: Part B, 2.1 and 4.1. */

const off = { default: false };

const filters: Filters = {
	...contains('sites', 'url', 'bakery'),
	...oneOf(
		'connection_status',
		['disconnected', 'connected'],
		'Only sites that the service can reach, or only those that it cannot',
	),
	...scanFilter('sites', ['hacked', 'clean']),
	...oneOf(
		'uptime',
		['down', 'up', { name: 'Monitored', value: 'true' }, { name: 'Not Monitored', value: 'false' }],
		'Only sites with this uptime status',
	),
	'tags:in': idsField('tagIds', 'Only sites with one of these tags'),
	'client_id:eq': idField('clientId', 'Only sites of this client'),
	'id:eq': idField('siteId', 'Only this site'),
	...whether('paused', 'Sync Paused', 'Whether the sync of the site, which backs it up, is paused'),
	...whether('backups', 'Backups Enabled', 'Whether backups of the site are enabled', off),
	...whether(
		'security',
		'Security Enabled',
		'Whether the security features of the site are enabled',
		off,
	),
	...whether(
		'performance',
		'Performance Enabled',
		'Whether performance monitoring of the site is enabled',
		off,
	),
	...whether('locked', 'Locked', 'Whether the site is locked'),
	'php_version:eq': {
		displayName: 'PHP Version',
		name: 'phpVersion',
		type: 'string',
		default: '',
		placeholder: 'e.g. 8.2',
		description: 'Only sites with this PHP version: 8, 8.2 or 8.2.14',
		as: toPhpVersion,
	},
	'php_version:gt': {
		displayName: 'PHP Version Above',
		name: 'phpVersionAbove',
		type: 'string',
		default: '',
		placeholder: 'e.g. 8.2',
		description: 'Only sites with a newer PHP version than this',
		as: toPhpVersion,
	},
	'php_version:lt': {
		displayName: 'PHP Version Below',
		name: 'phpVersionBelow',
		type: 'string',
		default: '',
		placeholder: 'e.g. 8.2',
		description: 'Only sites with an older PHP version than this',
		as: toPhpVersion,
	},
	...lifeFilters,
	...timeFilters('last_sync_at', 'Last Synced'),
};

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

/** Part B, 2.1. */
export const siteOutput = outputOf(
	{
		...kept('id', 'title', 'url'),
		connection_status: 'connection.status',
		uptime_status: 'uptime.status',
		scanner_status: 'security.scanner.status',
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

/** What fits several times into what a model reads. */
const listed = fewer(
	without(siteOutput, 'wp.core.vulnerable'),
	...['id', 'title', 'url', 'connection_status', 'hacked_since'],
	...[
		'backups_enabled',
		'snapshot_created_at',
		'snapshot_status',
		'paused',
		'core_update',
		'php_version',
	],
	...['client_id', 'client_name', 'tag_names'],
);

/** The list of sites. */
export const sites = getMany('Get many sites', 'GET /sites', {
	filters,
	sortBy: ['created_at', 'updated_at', 'url', 'last_sync_at'],
	output: listed,
});
