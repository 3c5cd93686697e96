import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Occurrence } from '../../shared/polling/feed';
import { filtersOf } from '../../shared/polling/parameters';

/** Which entries of an activity log count; what is empty or missing lets all through. */
export interface EntryChoice {
	objectTypes: string[];
	eventTypes: string[];
	username?: string;
	ipAddress?: string;
	search?: string;
}

/** The query that lets through what can be chosen: the service takes one of the types only. Source: Part B, 4.4. */
export function entryQuery(choice: EntryChoice): IDataObject {
	const { objectTypes, eventTypes, username, ipAddress, search } = choice;
	return filtersOf({
		'object_type:eq': single(objectTypes),
		'event_type:eq': single(eventTypes),
		'username:eq': username,
		'ip_address:eq': ipAddress,
		'search:contains': search,
	});
}

const single = (values: string[]) => (values.length === 1 ? values[0] : undefined);

/** An entry is one event, of the type that it says. */
export function entryOccurrences({ objectTypes, eventTypes }: EntryChoice) {
	const isIn = (values: string[], value: unknown) =>
		values.length === 0 || values.includes(String(value));
	return ({ object_type: object, event_type: event }: IDataObject): Occurrence[] =>
		isIn(objectTypes, object) && isIn(eventTypes, event)
			? [{ key: 'entry', event: String(event) }]
			: [];
}

/** An error of the log's list; the one that a site without a log answers with says how to switch it on. */
export function logError(node: INode, error: NodeApiError): NodeApiError {
	if (error.httpCode !== '422') return error;
	return new NodeApiError(node, {} as JsonObject, {
		httpCode: '422',
		message: 'The activity log of this site is not enabled',
		description: `Enable the log with the node "Site Management Activity Log", operation Enable. The service said: ${error.message}`,
	});
}
