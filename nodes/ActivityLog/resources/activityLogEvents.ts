import type { IDataObject, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Settings } from '../../shared/input/field';
import { textsIn } from '../../shared/lib';
import type { TimedFeed } from '../../shared/polling/feed';
import { filtersOf } from '../../shared/polling/sources';

/**
 * The entries of the log of a site. The service filters by one type only, so several are compared here.
 * Source: Part B, 4.4.
 */
export function entryFeed(set: Settings): TimedFeed {
	const objectTypes = textsIn(set.objectTypes).sort();
	const eventTypes = textsIn(set.eventTypes).sort();
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

const single = (values: string[]) => (values.length === 1 ? values[0] : undefined);

/** An error of the log's list; for a site without a log it says how to enable it. */
export function logError(node: INode, error: NodeApiError): NodeApiError {
	if (error.httpCode !== '422') return error;
	return new NodeApiError(
		node,
		{},
		{
			httpCode: '422',
			message: 'The activity log of this site is not enabled',
			description: `Enable the log with the node "Site Management Activity Log", operation Enable. The service said: ${error.message}`,
		},
	);
}
