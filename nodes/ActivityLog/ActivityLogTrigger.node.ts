import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { choices, collection, idField, outputFields, text } from '../shared/describe';
import { activityObjects } from '../shared/vocabulary/values';
import { omit } from '../shared/lib';
import { documentation, forgetNames, methods, pollOf, triggerOf } from '../shared/node';
import { simplified } from '../shared/receive/output';
import { activityEvents, entryOutput } from './resources/activityLog';
import { entryFeed, logError } from './resources/activityLogEvents';

const filters = collection('Filters', 'filters', 'Add Filter', [
	choices('eventTypes', 'Event Types', {
		options: activityEvents,
		description: 'Only these events. If none is chosen, all events.',
	}),
	text('ipAddress', 'IP Address', {
		placeholder: 'e.g. 203.0.113.7',
		description: 'Only actions from exactly this IP address',
	}),
	choices('objectTypes', 'Object Types', {
		options: activityObjects,
		description: 'Only actions on objects of these types. If none is chosen, all types.',
	}),
	text('search', 'Search', {
		placeholder: 'e.g. contact-forms',
		description: 'Only entries that contain this text',
	}),
	text('username', 'Username', {
		placeholder: 'e.g. editor',
		description: 'Only actions of the user with exactly this name',
	}),
]);

const site: Field = {
	...idField('siteId', 'The site whose activity log is watched'),
	required: true,
};

const parameters = [site, filters, ...outputFields(entryOutput.fields)];

const pollEntries = pollOf(parameters, (set) => {
	const toOutput = simplified(entryOutput.simplified, set, ['site_id']);
	return {
		feeds: { entries: entryFeed(set) },
		// The event is the type of the entry, which has a name of its own.
		shape: (json) => toOutput({ ...omit(json, 'event'), site_id: String(set.siteId) }),
		nothingToShow: {
			message: 'No log entry to show yet',
			description:
				'None of the 100 newest log entries matches the filters. Remove a filter, or do something on the site that is logged, and try again.',
		},
	};
});

export class ActivityLogTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Activity Trigger',
		name: 'activityLogTrigger',
		icon: {
			light: 'file:../../icons/activityLog.svg',
			dark: 'file:../../icons/activityLog.dark.svg',
		},
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-activity-trigger'),
		subtitle:
			'={{ $parameter["siteId"].cachedResultName || $parameter["siteId"].value || $parameter["siteId"] }}',
		description:
			'Read the activity log of a site, enable and disable it, or start a workflow when a new entry appears',
		defaults: { name: 'Activity Log Trigger' },
		...triggerOf(
			parameters,
			'The activity log of the site must be enabled. Only entries after activation start the workflow.',
		),
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			return await pollEntries.call(this);
		} catch (error) {
			// The site of a URL or a title may be another one by now.
			forgetNames(this);
			throw error instanceof NodeApiError ? logError(this.getNode(), error) : error;
		}
	}
}
