import type { Filters } from '../../shared/describe';
import { getMany, operation, resource, timeFilters, warning } from '../../shared/describe';
import { activityEvents, activityObjects } from '../../shared/describe/activityValues';

const filters: Filters = {
	'search:contains': {
		displayName: 'Search',
		name: 'search',
		type: 'string',
		default: '',
		description: 'Only entries in which the service finds this text',
	},
	'username:eq': {
		displayName: 'Username',
		name: 'username',
		type: 'string',
		default: '',
		description: 'Only what the user with exactly this name did',
	},
	'username:contains': {
		displayName: 'Username Contains',
		name: 'usernameContains',
		type: 'string',
		default: '',
		description: 'Only what users with this text in their name did',
	},
	'ip_address:eq': {
		displayName: 'IP Address',
		name: 'ipAddress',
		type: 'string',
		default: '',
		placeholder: 'e.g. 203.0.113.7',
		description: 'Only what was done from exactly this address',
	},
	'ip_address:contains': {
		displayName: 'IP Address Contains',
		name: 'ipAddressContains',
		type: 'string',
		default: '',
		placeholder: 'e.g. 203.0.113.',
		description: 'Only what was done from addresses with this text in them',
	},
	'object_type:eq': {
		displayName: 'Object Type',
		name: 'objectType',
		type: 'options',
		options: activityObjects,
		default: 'plugin',
		description: 'Only what was done to objects of this type',
	},
	'event_type:eq': {
		displayName: 'Event Type',
		name: 'eventType',
		type: 'options',
		options: activityEvents,
		default: 'updated',
		description: 'Only events of this type',
	},
	...timeFilters('timestamp', 'Logged'),
};

/** Part B, 4.4. */
export const activityLog = resource('Activity Log', 'activityLog', [
	getMany('Get many activity log entries', 'GET /sites/{siteId}/activity-logs', {
		filters,
		sortBy: ['timestamp', 'object_type', 'event_type', 'username', 'ip_address'],
		timezone: false,
	}),
	operation(
		{ name: 'Enable', value: 'enable', action: 'Enable the activity log of a site' },
		'POST /sites/{siteId}/activity-logs/enable',
	),
	operation(
		{ name: 'Disable', value: 'disable', action: 'Disable the activity log of a site' },
		'POST /sites/{siteId}/activity-logs/disable',
		[warning('The entries of a site can only be read while its activity log is enabled.')],
	),
]);
