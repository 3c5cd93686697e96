import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { Occurrence } from '../../shared/polling/feed';

/** The events of a task that a workflow can start on. */
export const taskEvents: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'cancelled', description: 'The task was cancelled' },
	{ name: 'Completed', value: 'completed', description: 'The task ended well' },
	{ name: 'Failed', value: 'failed', description: 'The task failed or was aborted' },
];

/** Which event a task in this state stands for. Source: Part A, 2.9. */
const eventOfStatus: Record<string, string> = {
	aborted: 'failed',
	cancelled: 'cancelled',
	completed: 'completed',
	failed: 'failed',
};

/** The end of a task, if it is one of the chosen events: a task ends once. */
export function occurrences(events: string[]): (task: IDataObject) => Occurrence[] {
	return ({ id, status }) => {
		const event = eventOfStatus[String(status)];
		return event !== undefined && events.includes(event)
			? [{ key: `${String(id)}:end`, event }]
			: [];
	};
}
