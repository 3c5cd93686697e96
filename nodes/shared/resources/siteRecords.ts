import type { IDataObject } from 'n8n-workflow';
import { idField, idsField } from '../describe/fields';
import { contains, type Filters, lifeFilters, oneOf, timeFilters } from '../describe/filters';
import { getMany } from '../describe/resource';
import { includeTotal } from '../input/controls';
import { type Field, fieldsOf } from '../input/field';
import { entryOf, group, text, toggle, toggleOn } from '../input/kinds';
import { type Output, withSites } from '../operation';
import { toPhpVersion } from '../input/forms';
import { omit, recordIn } from '../lib';

/** Remove the password: only single records have it, so events would differ. */
export const withoutPassword = (site: IDataObject): IDataObject => ({
	...site,
	connection: omit(recordIn(site.connection), 'http_auth'),
});

/** The result of the malware scan; the first value is the default. */
export const scanFilter = (records: string, values: string[]) =>
	oneOf('scanner_status', values, `Only ${records} with this result of the malware scan`, {
		displayName: 'Malware Scan Result',
	});

export const phpVersion = (description: string, which: '' | 'Above' | 'Below' = ''): Field =>
	text(`phpVersion${which}`, `PHP Version ${which}`.trim(), {
		placeholder: 'e.g. 8.2',
		description,
		as: toPhpVersion,
	});

/** The filters of the list of sites, which Get Many and Find Sites Without Backup have. Source: Part B, 2.1 and 4.1. */
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
	'paused:eq': toggleOn('paused', 'Sync Paused', {
		description: 'Whether the sync of the site, which backs it up, is paused',
	}),
	'backups:eq': toggle('backups', 'Backups Enabled', {
		description: 'Whether backups of the site are enabled',
	}),
	'security:eq': toggle('security', 'Security Enabled', {
		description: 'Whether the security features of the site are enabled',
	}),
	'performance:eq': toggle('performance', 'Performance Enabled', {
		description: 'Whether performance monitoring of the site is enabled',
	}),
	'locked:eq': toggleOn('locked', 'Locked', { description: 'Whether the site is locked' }),
	'php_version:eq': phpVersion('Only sites with this PHP version: 8, 8.2 or 8.2.14'),
	'php_version:gt': phpVersion('Only sites with a newer PHP version than this', 'Above'),
	'php_version:lt': phpVersion('Only sites with an older PHP version than this', 'Below'),
	...lifeFilters,
	...timeFilters('last_sync_at', 'Last Synced'),
};

export const sitesList = (output?: Output) =>
	getMany('Get many sites', withSites('GET /sites'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'url', 'last_sync_at'],
		output,
	});

/** The filters and options of the list, for what reads all sites: a total would be that of the sites. */
export function ofAllSites() {
	const { fields } = sitesList();
	const fieldOf = (name: string) => fields.find((field) => field.name === name)!;
	const options = fieldsOf(fieldOf('options')).filter((field) => field !== includeTotal);
	return { filters: fieldOf('filters'), options };
}

/** `http_auth {username, password}`. Source: Part B, 2.1. */
export const httpAuth = group('httpAuth', 'HTTP Basic Auth', {
	placeholder: 'Add User and Password',
	description: 'Username and password that the web server of the site asks for',
	options: entryOf('credentials', 'User and Password', [
		text('username', 'Username', { required: true, placeholder: 'e.g. agency' }),
		text('password', 'Password', { typeOptions: { password: true }, required: true }),
	]),
});
