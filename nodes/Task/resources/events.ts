import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { Occurrence } from '../../shared/polling/feed';
import { filtersOf } from '../../shared/polling/parameters';

/** The events of a task that a workflow can start on. */
export const taskEvents: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'cancelled', description: 'The task was cancelled' },
	{ name: 'Completed', value: 'completed', description: 'The task ended well' },
	{ name: 'Failed', value: 'failed', description: 'The task failed or was aborted' },
	{
		name: 'Progress',
		value: 'progress',
		description: 'A running task was seen at another percent: at most once a poll for each task',
	},
	{
		name: 'Started',
		value: 'started',
		description: 'A task was started, also when it has ended by the time of the poll',
	},
];

/** Which tasks count, and which events of them. */
export interface TaskChoice {
	events: string[];
	/** All types when it is empty. */
	types: string[];
	siteId?: string;
}

/** Which event a task in this state stands for. Source: Part A, 2.9. */
const endOf: Record<string, string> = {
	aborted: 'failed',
	cancelled: 'cancelled',
	completed: 'completed',
	failed: 'failed',
};

/** The query that lets through what can be chosen: the service takes one type only. Source: Part A, 4.8. */
export const taskQuery = ({ types }: TaskChoice): IDataObject =>
	filtersOf({ 'type:eq': types.length === 1 ? types[0] : undefined });

/**
 * The name under which the trigger remembers its list. With Started it begins anew when another choice is made:
 * the tasks that are let in by it have not started just now.
 */
export const feedName = ({ events, types, siteId = '' }: TaskChoice): string =>
	events.includes('started') ? `tasks ${[...types].sort().join()} ${siteId}` : 'tasks';

/** The chosen events of a task until now, in the order in which they happened. */
export function taskOccurrences(choice: TaskChoice) {
	return (task: IDataObject, begun: string): Occurrence[] =>
		counts(choice, task)
			? happened(task, begun).filter(({ event }) => choice.events.includes(event))
			: [];
}

function counts({ types, siteId }: TaskChoice, { type, input }: IDataObject): boolean {
	if (types.length > 0 && !types.includes(String(type))) return false;
	if (siteId === undefined) return true;
	const sites = (input as IDataObject | undefined)?.sites;
	return Array.isArray(sites) && sites.some((site) => String((site as IDataObject)?.id) === siteId);
}

function happened(task: IDataObject, begun: string): Occurrence[] {
	const { id, status, created_at: created, progress } = task;
	const isNew = !begun || Date.parse(String(created)) >= Date.parse(begun);
	const percent = (progress as IDataObject | undefined)?.percent;
	const end = endOf[String(status)];
	return [
		...(isNew ? [{ key: `${String(id)}:started`, event: 'started' }] : []),
		...(status === 'running' && typeof percent === 'number'
			? [{ key: `${String(id)}:progress`, value: percent, event: 'progress' }]
			: []),
		// A task ends once: what touches it later is no event.
		...(end ? [{ key: `${String(id)}:end`, event: end }] : []),
	];
}
