import { at } from '../../shared/describe/about';
import { create, remove, update } from '../../shared/describe/changes';
import { get, resource } from '../../shared/describe/resource';
import { text } from '../../shared/input/kinds';
import { ofAccount } from '../../shared/operation';
import { form } from '../../shared/input/convert';
import { toSiteUrl } from '../../shared/input/forms';
import { urlFrom } from '../../shared/lib';
import { httpAuth, sitesList } from '../../shared/resources/siteRecords';
import { listed, siteOutput } from './siteOutput';

const url = text('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://www.example.com',
	description: 'Address of the site',
	as: toSiteUrl,
});

function isIpAddress(text: string): boolean {
	const parts = text.split('.');
	if (parts.length === 4)
		return parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
	return /^[\da-f:.]+$/i.test(text) && urlFrom(`http://[${text}]/`) !== undefined;
}

export const toIpAddress = form(isIpAddress, 'is not an IP address');

const stickyIp = text('stickyIp', 'Sticky IP', {
	placeholder: 'e.g. 203.0.113.7',
	as: toIpAddress,
	description: 'IP address to use for the site when DNS does not point to it',
});

const connection = [at('connection.sticky_ip', stickyIp), at('connection.http_auth', httpAuth)];

/** Part B, 2.1. */
export const toTimeOfDay = form(
	/^([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/,
	'is not a time of day in UTC, such as 03:30:00Z',
);

const dailySyncTime = text('dailySyncTime', 'Daily Sync Time', {
	required: true,
	placeholder: 'e.g. 03:30:00Z',
	as: toTimeOfDay,
	description: 'Time of day of the daily sync, which backs up the site, as HH:MM:SSZ in UTC',
});

/** Part B, 4.1. */
export const site = resource('Site', { usual: 'cares', update: 'changesSites' }, [
	sitesList(listed),
	create('Create site', ofAccount('POST /sites'), { required: [url], optional: connection }),
	get('Get site', 'GET /sites/{siteId}', { output: siteOutput }),
	update('Update site', 'POST /sites/{siteId}/update', {
		renamed: { sync_daily_sync_time: 'daily_sync_time' },
		fields: [url, ...connection, at('sync.daily_sync_time', dailySyncTime)],
		clear: { 'connection.http_auth': 'HTTP Basic Auth', 'connection.sticky_ip': 'Sticky IP' },
	}),
	remove('Delete site', 'DELETE /sites/{siteId}', {
		irreversible: 'the site leaves the account and cannot be restored',
	}),
]);
