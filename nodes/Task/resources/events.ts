import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

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

/** Names the end of a task, if it is one of the chosen events: a task ends once. */
export function eventKey(events: string[]): (task: IDataObject) => string | undefined {
	return ({ id, status }) => {
		const event = eventOfStatus[String(status)];
		return event !== undefined && events.includes(event) ? String(id) : undefined;
	};
}
