import type { IDataObject } from 'n8n-workflow';
import { contains, exactly, type Filters, oneOf, timeFilters } from '../../shared/describe/filters';
import { kept, outputOf } from '../../shared/describe/output';
import { act, getMany, resource } from '../../shared/describe/resource';
import { optionsFrom, text } from '../../shared/input/kinds';
import { isRecord } from '../../shared/lib';
import { inText } from '../../shared/receive/answer';
import { activityObjects } from '../../shared/vocabulary/values';

/** The event of an activity log entry. Source: Part B, 2.4. */
export const activityEvents = optionsFrom({
	activated: 'Activated',
	added: 'Added',
	approved: 'Approved',
	archived: 'Archived',
	changed: 'Changed',
	created: 'Created',
	deactivated: 'Deactivated',
	deleted: 'Deleted',
	drafted: 'Drafted',
	edited: 'Edited',
	granted: 'Granted',
	hacked: 'Hacked',
	login: 'Logged In',
	logout: 'Logged Out',
	spammed: 'Marked as Spam',
	modified: 'Modified',
	trashed: 'Moved to Trash',
	password_reset: 'Password Reset',
	pending: 'Pending',
	published: 'Published',
	revoked: 'Revoked',
	scheduled: 'Scheduled',
	status_changed: 'Status Changed',
	stuck: 'Stuck',
	unapproved: 'Unapproved',
	unarchived: 'Unarchived',
	unknown: 'Unknown',
	unstuck: 'Unstuck',
	updated: 'Updated',
});

const filters: Filters = {
	'search:contains': text('search', 'Search', {
		placeholder: 'e.g. contact-forms',
		description: 'Only entries that contain this text',
	}),
	...exactly('entries', 'username', 'admin'),
	...contains('entries', 'username', 'admin'),
	...exactly('entries', 'ip_address', '203.0.113.7'),
	...contains('entries', 'ip_address', '203.0.113.'),
	...oneOf('object_type', activityObjects, 'Only actions on objects of this type', {
		default: 'plugin',
	}),
	...oneOf('event_type', activityEvents, 'Only events of this type', { default: 'updated' }),
	...timeFilters('timestamp', 'Logged'),
};

/** Details of any form as a text: `title: About us`. */
function detailsText({ event_details: details }: IDataObject): unknown {
	if (!isRecord(details)) return details;
	const texts = Object.entries(details).map(([name, value]) => `${name}: ${inText(value)}`);
	return texts.join(', ') || undefined;
}

/** Part B, 2.4. */
export const entryOutput = outputOf(
	{
		...kept('id', 'timestamp', 'username', 'ip_address', 'country_code'),
		...kept('object_type', 'event_type'),
		event_text: detailsText,
	},
	['event_details'],
);

const answer = {
	wrapper: 'activity_logs',
	needs: 'enabled',
	renamed: { enabled: 'activity_log_enabled' },
};

/** Part B, 4.4. */
export const activityLog = resource('Activity Log', { usual: 'cares', disable: 'weakens' }, [
	getMany('Get many activity log entries', 'GET /sites/{siteId}/activity-logs', {
		filters,
		sortBy: ['timestamp', 'object_type', 'event_type', 'username', 'ip_address'],
		timezone: false,
		output: entryOutput,
	}),
	act('Enable activity log', 'POST /sites/{siteId}/activity-logs/enable', {
		description: 'Enable the activity log of a site',
		...answer,
		proves: { enabled: true },
	}),
	act('Disable activity log', 'POST /sites/{siteId}/activity-logs/disable', {
		description: 'Disable the activity log of a site',
		sideEffect: 'the entries of the log cannot be read until it is enabled again',
		...answer,
		proves: { enabled: false },
	}),
]);
