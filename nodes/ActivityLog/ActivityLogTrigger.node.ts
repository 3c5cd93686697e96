import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import {
	asRequired,
	choices,
	collection,
	idField,
	namesIn,
	outputFields,
	text,
} from '../shared/describe';
import type { Settings } from '../shared/input/field';
import { omit, textsIn } from '../shared/lib';
import { documentation, methods, pollOf, triggerOf } from '../shared/node';
import type { TimedFeed } from '../shared/polling/feed';
import { filtersOf } from '../shared/polling/sources';
import { simplified } from '../shared/receive/output';
import { activityObjects } from '../shared/vocabulary/values';
import { activityEvents, entryOutput } from './resources/activityLog';

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

const parameters = [
	asRequired(idField('siteId', 'The site whose activity log is watched')),
	filters,
	...outputFields(entryOutput.fields),
];

const pollEntries = pollOf(parameters, (set) => {
	const toOutput = simplified(entryOutput.simplified, set, ['site_id']);
	return {
		feeds: { entries: entryFeed(set) },
		// The event is the type of the entry, which has a name of its own.
		shape: (json) => toOutput({ ...omit(json, 'event'), site_id: String(set.siteId) }),
		what: 'log entry',
		nothingToShow:
			'None of the 100 newest log entries matches the filters. Remove a filter, or do something on the site that is logged, and try again.',
	};
});

/** The service filters by one type only, so several are compared here. Source: Part B, 4.4. */
export function entryFeed(set: Settings): TimedFeed {
	const objectTypes = textsIn(set.objectTypes).sort();
	const eventTypes = textsIn(set.eventTypes).sort();
	const single = (values: string[]) => (values.length === 1 ? values[0] : undefined);
	const isIn = (values: string[], value: unknown) =>
		values.length === 0 || values.includes(String(value));
	return {
		kind: 'timed',
		url: `/sites/${encodeURIComponent(String(set.siteId))}/activity-logs`,
		timeField: 'timestamp',
		query: filtersOf({
			'object_type:eq': single(objectTypes),
			'event_type:eq': single(eventTypes),
			'username:eq': set.username,
			'ip_address:eq': set.ipAddress,
			'search:contains': set.search,
		}),
		choice: [objectTypes, eventTypes],
		occurrences: ({ object_type: object, event_type: event }: IDataObject) =>
			isIn(objectTypes, object) && isIn(eventTypes, event)
				? [{ key: 'entry', event: String(event) }]
				: [],
	};
}

export class ActivityLogTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Activity Trigger',
		name: 'activityLogTrigger',
		icon: {
			light: 'file:../../icons/activityLog.svg',
			dark: 'file:../../icons/activityLog.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-activity-trigger'),
		subtitle:
			'={{ $parameter["siteId"].cachedResultName || $parameter["siteId"].value || $parameter["siteId"] }}',
		description:
			'Read the activity log of a site, enable and disable it, or start a workflow when a new entry appears',
		defaults: { name: 'Activity Log Trigger' },
		...triggerOf(
			parameters,
			namesIn(entryOutput.simplified, 'site_id'),
			'The activity log of the site must be enabled. Only entries after you publish the workflow start it.',
		),
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollEntries.call(this).catch((error: unknown) => {
			if (!(error instanceof NodeApiError) || error.httpCode !== '422') throw error;
			const message = 'The activity log of this site is not enabled';
			const description = `Enable the log with the node "Site Management Activity", operation Enable. The service said: ${error.message}`;
			throw new NodeApiError(this.getNode(), {}, { httpCode: '422', message, description });
		});
	}
}
