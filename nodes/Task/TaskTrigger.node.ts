import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { documentation, eventsSubtitle, idField, outputFields } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { eventsField, pollOf, triggerOf } from '../shared/node/trigger';
import { completing, simplified } from '../shared/receive/output';
import { steps } from './resources/details';
import { listed } from './resources/task';
import { chosenTasks, taskEvents } from './resources/taskEvents';
import { groupedTypeOptions } from './resources/taskTypeValues';

const events = eventsField(
	taskEvents,
	['completed', 'failed'],
	'What starts the workflow, once for each task. Progress can start it several times.',
);

const filters: Field = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{ ...idField('siteId', 'Only tasks for this site'), required: true },
		{
			displayName: 'Task Types',
			name: 'taskTypes',
			type: 'multiOptions',
			options: groupedTypeOptions,
			default: [],
			description: 'Only tasks of these types. If none is chosen, all types.',
		},
	],
};

const options: Field = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Include Step Details',
			name: 'includeStepDetails',
			type: 'boolean',
			default: false,
			description:
				'Whether to add each step of the task with its errors. This costs one more request for each event, for up to 100 events per poll. If the steps cannot be read for five minutes, the event comes without them.',
		},
	],
};

const parameters = [events, filters, ...outputFields(listed.fields), options];

export class TaskTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Task Trigger',
		name: 'taskTrigger',
		icon: {
			light: 'file:../../icons/task.svg',
			dark: 'file:../../icons/task.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-task-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Follow and cancel background tasks, or start a workflow when a task starts, progresses or ends',
		defaults: {
			name: 'Task Trigger',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		...triggerOf(parameters),
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollOf(this, parameters, (set) => {
			const tasks = chosenTasks({
				types: (set.taskTypes ?? []) as string[],
				siteId: set.siteId as string | undefined,
			});
			return {
				feeds: { tasks: { timed: tasks } },
				events: set.events as string[],
				...(set.includeStepDetails === true && { details: steps }),
				complete: completing(this, listed, set),
				shape: simplified(listed.simplified, set, ['event', 'details']),
				nothingToShow: {
					message: 'No task to show yet',
					description:
						'None of the 100 most recently changed tasks matches the chosen events and filters. Choose more events, remove a filter, or try again after such a task.',
				},
			};
		});
	}
}
