import type { Field, Filters } from '../../shared/describe';
import {
	additionalFields,
	at,
	causing,
	contains,
	create,
	get,
	getMany,
	idField,
	idsField,
	kept,
	lifeFilters,
	oneOf,
	operation,
	outputOf,
	remove,
	resource,
	timeFilters,
	update,
	whether,
} from '../../shared/describe';
import { toIpAddress, toPhpVersion, toTimeOfDay, toUrl } from '../../shared/input/forms';
import { scanFilter } from './contentFields';
import { httpAuth } from './httpAuth';
import { withoutBackup } from './withoutBackup';

const url: Field = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://www.example.com',
	description: 'Address of the site',
	as: toUrl,
};

const stickyIp: Field = {
	displayName: 'Sticky IP',
	name: 'stickyIp',
	type: 'string',
	default: '',
	placeholder: 'e.g. 203.0.113.7',
	as: toIpAddress,
	description: 'IP address at which the service reaches the site, where DNS does not lead there',
};

const connection = [at('connection.sticky_ip', stickyIp), at('connection.http_auth', httpAuth)];

const dailySyncTime: Field = {
	displayName: 'Daily Sync Time',
	name: 'dailySyncTime',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 03:30:00Z',
	as: toTimeOfDay,
	description: 'Time of day of the daily sync, as HH:MM:SSZ in UTC',
};

const message: Field = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	default: '',
	placeholder: 'e.g. Before the redesign',
	description: 'Note on the snapshot that this sync makes',
};

const off = { default: false };

const filters: Filters = {
	...contains('sites', 'url', 'bakery'),
	...oneOf(
		'connection_status',
		['disconnected', 'connected'],
		'Only sites that the service reaches, or only those that it does not',
	),
	...scanFilter('sites', ['hacked', 'clean']),
	...oneOf(
		'uptime',
		['down', 'up', { name: 'Monitored', value: 'true' }, { name: 'Not Monitored', value: 'false' }],
		'Only sites in this state of the uptime monitoring',
	),
	'tags:in': idsField('tagIds', 'Only sites with one of these tags'),
	'client_id:eq': idField('clientId', 'Only sites of this client'),
	'id:eq': idField('siteId', 'Only this site'),
	...whether('paused', 'Sync Paused', 'Whether the sync of the site is paused'),
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
		description: 'Only sites with this version of PHP: 8, 8.2 or 8.2.14',
		as: toPhpVersion,
	},
	'php_version:gt': {
		displayName: 'PHP Version Above',
		name: 'phpVersionAbove',
		type: 'string',
		default: '',
		placeholder: 'e.g. 8.2',
		description: 'Only sites with a later version of PHP than this',
		as: toPhpVersion,
	},
	'php_version:lt': {
		displayName: 'PHP Version Below',
		name: 'phpVersionBelow',
		type: 'string',
		default: '',
		placeholder: 'e.g. 8.2',
		description: 'Only sites with an earlier version of PHP than this',
		as: toPhpVersion,
	},
	...lifeFilters,
	...timeFilters('last_sync_at', 'Last Synced'),
};

/** Part B, 2.1. */
export const siteOutput = outputOf(
	{
		...kept('id', 'title', 'url'),
		connection_status: 'connection.status',
		last_sync_at: 'sync.last_sync_at',
		last_sync_status: 'sync.last_sync_status',
		core_version: 'wp.core.current_version',
		core_update_available: 'wp.core.update_available',
		scanner_status: 'security.scanner.status',
		uptime_status: 'uptime.status',
	},
	[
		...['activity_logs', 'analytics', 'backups', 'client', 'created_at', 'home_url', 'locked'],
		...['multisite', 'performance', 'screenshot', 'server', 'tags', 'updated_at'],
	],
);

/** Only the view of a single site says how it is reached. Part B, 2.1. */
const unshown = ['connection'];

const sites = getMany('Get many sites', 'GET /sites', {
	filters,
	sortBy: ['created_at', 'updated_at', 'url', 'last_sync_at'],
	output: siteOutput,
});

/** Part B, 4.1. */
export const site = resource('Site', 'site', { usual: 'cares', update: 'changesSites' }, [
	sites,
	withoutBackup(sites),
	create('Create a site', 'POST /sites', {
		wrapper: 'site',
		required: [url],
		optional: connection,
		unshown,
	}),
	get('Get a site', 'GET /sites/{siteId}', { output: siteOutput }),
	update('Update a site', 'POST /sites/{siteId}/update', {
		wrapper: 'site',
		fields: [url, ...connection, at('sync.daily_sync_time', dailySyncTime)],
		clear: { 'connection.http_auth': 'HTTP Basic Auth', 'connection.sticky_ip': 'Sticky IP' },
		unshown,
	}),
	remove(
		'Delete a site',
		'DELETE /sites/{siteId}',
		'it leaves the account, and cannot be brought back',
	),
	causing(
		'reads the live site and makes a new snapshot of it',
		operation(
			{ name: 'Sync', value: 'sync', action: 'Sync a site' },
			'POST /sites/{siteId}/sync',
			[...additionalFields('sync', [message])],
			{ kind: 'sync', proves: { in_progress: true } },
		),
	),
]);
