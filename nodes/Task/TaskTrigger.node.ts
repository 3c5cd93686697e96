import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	asRequired,
	choices,
	collection,
	idField,
	outputFields,
	queryOptions,
	toggle,
} from '../shared/describe';
import { textsIn } from '../shared/lib';
import {
	documentation,
	eventsField,
	eventsSubtitle,
	methods,
	pollOf,
	triggerOf,
} from '../shared/node';
import { completing, simplified } from '../shared/receive/output';
import { groupedTypeOptions } from '../shared/vocabulary/values';
import { listed } from './resources/task';
import { chosenTasks, steps, taskEvents } from './resources/taskEvents';

const events = eventsField(
	taskEvents,
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
			'Whether to add each step of the task with its errors. This costs one more request for each event, for up to 100 events per poll. If the steps cannot be read for five minutes, the event comes without them.',
	}),
]);

const parameters = [events, filters, ...outputFields(listed.fields), ...options];

export class TaskTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Task Trigger',
		name: 'taskTrigger',
		icon: {
			light: 'file:../../icons/task.svg',
			dark: 'file:../../icons/task.dark.svg',
		},
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-task-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Follow and cancel background tasks, or start a workflow when a task starts, progresses or ends',
		defaults: { name: 'Task Trigger' },
		...triggerOf(parameters),
	};

	methods = methods;

	poll = pollOf(parameters, (set, context) => ({
		feeds: { tasks: chosenTasks({ types: textsIn(set.taskTypes), siteId: set.siteId }) },
		...(set.includeStepDetails === true && { details: steps }),
		complete: completing(context, listed, set),
		shape: simplified(listed.simplified, set, ['event', 'details']),
		nothingToShow: {
			message: 'No task to show yet',
			description:
				'None of the 100 most recently changed tasks matches the chosen events and filters. Choose more events, remove a filter, or try again after such a task.',
		},
	}));
}
