import type { Filters } from '../../shared/describe';
import {
	causing,
	contains,
	exactly,
	getMany,
	oneOf,
	operation,
	resource,
	search,
	timeFilters,
} from '../../shared/describe';
import { activityEvents, activityObjects } from '../../shared/resources/activityValues';

const filters: Filters = {
	...search('contact-forms', 'Only entries in which the service finds this text'),
	...exactly('entries', 'username', 'admin'),
	...contains('entries', 'username', 'admin'),
	...exactly('entries', 'ip_address', '203.0.113.7'),
	...contains('entries', 'ip_address', '203.0.113.'),
	...oneOf('object_type', activityObjects, 'Only what was done to objects of this type', {
		default: 'plugin',
	}),
	...oneOf('event_type', activityEvents, 'Only events of this type', { default: 'updated' }),
	...timeFilters('timestamp', 'Logged'),
};

const answer = { wrapper: 'activity_logs', needs: 'enabled' };

const does = { usual: 'cares', disable: 'weakens' } as const;

/** Part B, 4.4. */
export const activityLog = resource('Activity Log', 'activityLog', does, [
	getMany('Get many activity log entries', 'GET /sites/{siteId}/activity-logs', {
		filters,
		sortBy: ['timestamp', 'object_type', 'event_type', 'username', 'ip_address'],
		timezone: false,
	}),
	operation(
		{ name: 'Enable', value: 'enable', action: 'Enable the activity log of a site' },
		'POST /sites/{siteId}/activity-logs/enable',
		[],
		{ ...answer, proves: { enabled: true } },
	),
	causing(
		'its entries cannot be read until it is enabled again',
		operation(
			{ name: 'Disable', value: 'disable', action: 'Disable the activity log of a site' },
			'POST /sites/{siteId}/activity-logs/disable',
			[],
			{ ...answer, proves: { enabled: false } },
		),
	),
]);
