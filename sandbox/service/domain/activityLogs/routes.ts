import { unprocessable } from '../../engine/errors';
import type { Filter } from '../../http/filters';
import { failing, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import { oneOf, open, string, timestamp, object } from '../../http/schema';
import { needingOfSite } from '../account/needs';
import { beginConfiguration, ofSite, siteOf } from '../sites/rules';
import { siteSwitches } from '../sites/switches';
import { type ActivityLogRow, eventTypes, objectTypes } from './rows';

const rowsOfSite = ofSite((store) => store.activityLogs);

/** Part B 2.4 and 4.4. */
const logs = resource<ActivityLogRow>({
	name: 'activity_log',
	plural: 'activity_logs',
	path: '/sites/{site_id}/activity-logs',
	rows(context) {
		if (!siteOf(context).activity_logs.enabled) {
			throw unprocessable('disabled', 'site_id', 'is a site whose activity logging is disabled');
		}
		return rowsOfSite(context);
	},
	view: ({ site_id: _site, ...entry }) => entry,
	schema: object({
		id: string,
		username: string,
		ip_address: string,
		country_code: string,
		object_type: oneOf(...objectTypes),
		event_type: oneOf(...eventTypes),
		event_details: open,
		timestamp,
	}),
});

const whole = (field: 'username' | 'ip_address'): Filter<ActivityLogRow> => ({
	type: 'string',
	operators: ['eq', 'contains'],
	value: (entry) => entry[field],
});

export const activityLogRoutes = needingOfSite('activity_logs', [
	failing(
		[422],
		logs.list('listSiteActivityLogs', {
			filters: {
				timestamp: {
					type: 'timestamp',
					operators: ['gte', 'lte'],
					value: (entry) => entry.timestamp,
				},
				username: whole('username'),
				ip_address: whole('ip_address'),
				object_type: {
					type: objectTypes,
					operators: ['eq'],
					value: (entry) => entry.object_type,
				},
				event_type: { type: eventTypes, operators: ['eq'], value: (entry) => entry.event_type },
				// Where the search looks is not shown: in all that an entry says.
				search: {
					type: 'string',
					operators: ['contains'],
					value: (entry) => [
						entry.username,
						entry.ip_address,
						entry.object_type,
						entry.event_type,
						...Object.values(entry.event_details),
					],
				},
			},
			defaults: (context) => ({
				'filters[timestamp:gte]': siteOf(context).created_at,
				'filters[timestamp:lte]': context.world.timestamp(),
			}),
			sort: fields('timestamp', 'object_type', 'event_type', 'username', 'ip_address'),
			defaultSort: 'timestamp,desc',
			timezone: false,
		}),
	),
	...siteSwitches('SiteActivityLogs', 'activity-logs', 'activity_logs', (site, world) =>
		beginConfiguration(world, site),
	).map((one) => failing([409, 422], one)),
]);
