import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { Occurrence, TimedFeed } from '../../shared/polling/feed';
import { filtersOf } from '../../shared/polling/parameters';
import { otherStatus, otherStatusEvent } from '../../shared/resources/otherStatus';
import type { StatusClass } from '../../shared/vocabulary/statusWords';
import { mayGoOn, statusClass, statusWord } from '../../shared/vocabulary/statusWords';

/** The events of a task that a workflow can start on. */
export const taskEvents: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'cancelled', description: 'The task was cancelled' },
	{ name: 'Completed', value: 'completed', description: 'The task completed successfully' },
	{ name: 'Failed', value: 'failed', description: 'The task failed or was aborted' },
	otherStatusEvent(
		'A task has a status that this node does not know. Reported once for each task and status. The task is followed for a day after that.',
	),
	{
		name: 'Progress',
		value: 'progress',
		description: 'The progress of a running task changed. Reported at most once per task and poll.',
	},
	{
		name: 'Started',
		value: 'started',
		description:
			'A task started. Also reported if the task has already ended by the time of the poll.',
	},
];

/** Which tasks count, and which events of them. */
export interface TaskChoice {
	events: string[];
	/** All types when it is empty. */
	types: string[];
	siteId?: string;
}

/** The event of a task that has ended. */
const endOf: Partial<Record<StatusClass, string>> = {
	cancelled: 'cancelled',
	failed: 'failed',
	succeeded: 'completed',
};

/** The states of a task that has not ended, of those that can be asked for. Source: Part A, 2.9. */
const UNDER_WAY = ['initializing', 'running'];

/** The query that lets through what can be chosen: the service takes one type only. Source: Part A, 4.8. */
export const taskQuery = ({ types }: TaskChoice): IDataObject =>
	filtersOf({ 'type:eq': types.length === 1 ? types[0] : undefined });

/** The tasks: a change of one moves it to the end of the list by `updated_at`. */
export function taskFeed(choice: TaskChoice): TimedFeed {
	const { types, siteId } = choice;
	return {
		url: '/tasks',
		timeField: 'updated_at',
		born: ({ created_at: at }) => String(at),
		query: taskQuery(choice),
		choice: [[...types].sort(), siteId],
		occurrences: taskOccurrences(choice),
		isOpen: (task) => counts(choice, task) && mayGoOn('task', task.status),
		isUncertain: ({ status }) => statusClass('task', status) === 'unknown',
		openQueries: UNDER_WAY.map((status) => filtersOf({ 'status:eq': status })),
	};
}

/** What has happened to a task until now, in the order in which it happened. */
export const taskOccurrences =
	(choice: TaskChoice) =>
	(task: IDataObject): Occurrence[] =>
		counts(choice, task) ? happened(task) : [];

function counts({ types, siteId }: TaskChoice, { type, input }: IDataObject): boolean {
	if (types.length > 0 && !types.includes(String(type))) return false;
	if (siteId === undefined) return true;
	const sites = (input as IDataObject | undefined)?.sites;
	return Array.isArray(sites) && sites.some((site) => String((site as IDataObject)?.id) === siteId);
}

function happened({ status, progress, created_at: at }: IDataObject): Occurrence[] {
	const percent = (progress as IDataObject | undefined)?.percent;
	const end = endOf[statusClass('task', status)];
	return [
		{ key: 'start', event: 'started', at },
		...(statusWord(status) === 'running' && typeof percent === 'number'
			? [{ key: `p${percent}`, replaces: 'p', event: 'progress' }]
			: []),
		...otherStatus('task', status),
		// A task ends once: what touches it later is no event.
		...(end ? [{ key: 'end', event: end }] : []),
	];
}
