import type { IDataObject, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { recordAt } from '../shared/client/records';
import {
	asRequired,
	choices,
	collection,
	idField,
	namesIn,
	outputFields,
	queryOptions,
	toggle,
} from '../shared/describe';
import { recordIn, textsIn } from '../shared/lib';
import { documentation, eventNames, eventsField, methods, pollOf, triggerOf } from '../shared/node';
import type { EventDetails, Occurrence, TimedFeed } from '../shared/polling/feed';
import { completing, simplified } from '../shared/receive/output';
import { taskSites } from '../shared/receive/task';
import { taskEnd, taskFeed } from '../shared/resources/statusEvents';
import { groupedTypeOptions, statusWord } from '../shared/vocabulary/values';
import { listed } from './resources/task';

const events = eventsField(
	{
		cancelled: ['Cancelled', 'The task was cancelled'],
		completed: ['Completed', 'The task completed successfully'],
		failed: ['Failed', 'The task failed or was aborted'],
		otherStatus: [
			'Other Status',
			'A task has a status that this node does not know. Reported once for each task and status.',
		],
		progress: [
			'Progress',
			'The progress of a running task changed. Reported at most once per task and poll.',
		],
		started: [
			'Started',
			'A task started. Also reported if the task has already ended by the time of the poll.',
		],
	},
	['completed', 'failed'],
	'What starts the workflow, once for each task. Progress can start it several times.',
);

const filters = collection('Filters', 'filters', 'Add Filter', [
	asRequired(idField('siteId', 'Only tasks for this site')),
	choices('taskTypes', 'Task Types', {
		options: groupedTypeOptions,
		description: 'Only tasks of these types. If none is chosen, all types.',
	}),
]);

const options = queryOptions([
	toggle('includeStepDetails', 'Include Step Details', {
		description:
			'Whether to add each step of the task with its errors. This costs one more request for each event, for up to 100 events per poll.',
	}),
]);

const parameters = [events, filters, ...outputFields(listed.fields), ...options];

export const chosenTasks = (types: readonly string[], siteId?: unknown): TimedFeed =>
	taskFeed(
		types,
		[[...types].sort(), siteId],
		(task) => siteId === undefined || taskSites(task).some(({ id }) => String(id) === siteId),
		happened,
	);

const ends = { cancelled: 'cancelled', failed: 'failed', succeeded: 'completed' };

function happened(task: IDataObject): Occurrence[] {
	const { status, progress } = task;
	const { percent } = recordIn(progress);
	return [
		{ key: 'start', event: 'started' },
		...(statusWord(status) === 'running' && typeof percent === 'number'
			? [{ key: `p${percent}`, replaces: 'p', event: 'progress' }]
			: []),
		...taskEnd(task, ends),
	];
}

/** Adds the steps of the task. Source: Part A, 2.9 and 4.8. */
const steps: EventDetails = {
	read: async (context, json) => {
		const task = await recordAt(context, `/tasks/${encodeURIComponent(String(json.id))}`);
		return { json: { ...json, ...(task?.details !== undefined && { details: task.details }) } };
	},
};

const added = ['event', 'details'];

export class TaskTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Task Trigger',
		name: 'taskTrigger',
		icon: {
			light: 'file:../../icons/task.svg',
			dark: 'file:../../icons/task.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-task-trigger'),
		subtitle: eventNames(events),
		description:
			'Follow and cancel background tasks, or start a workflow when a task starts, progresses or ends',
		defaults: { name: 'Task Trigger' },
		...triggerOf(parameters, namesIn(listed.simplified, ...added)),
	};

	methods = methods;

	poll = pollOf(parameters, (set, context) => ({
		feeds: { tasks: chosenTasks(textsIn(set.taskTypes), set.siteId) },
		...(set.includeStepDetails === true && { details: steps }),
		complete: completing(context, listed, set),
		shape: simplified(listed.simplified, set, added),
		what: 'task',
		nothingToShow:
			'None of the 100 most recently changed tasks matches the chosen events and filters. Choose more events, remove a filter, or try again after such a task.',
	}));
}
