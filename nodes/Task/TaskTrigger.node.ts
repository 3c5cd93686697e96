import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { eventsSubtitle, idField, outputFields } from '../shared/describe';
import { groupedTaskTypes } from '../shared/vocabulary/taskValues';
import { methods } from '../shared/listSearch';
import { eventsField, pollOf, triggerOf } from '../shared/node/trigger';
import { simplified } from '../shared/receive/output';
import { steps } from './resources/details';
import { listed } from './resources/task';
import type { TaskChoice } from './resources/taskEvents';
import { taskEvents, taskFeed } from './resources/taskEvents';

const events = eventsField(
	taskEvents,
	['completed', 'failed'],
	'What starts the workflow, once for each task; Progress once for each percent',
);

const filters: Field = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{ ...idField('siteId', 'Only tasks that work on this site'), required: true },
		{
			displayName: 'Task Types',
			name: 'taskTypes',
			type: 'multiOptions',
			options: groupedTaskTypes,
			default: [],
			description: 'Only tasks of one of these types; all types when nothing is chosen',
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
				'Whether to add what was done on each site, step by step with its errors. This costs one more request for each event, and takes up to 100 events a poll. Where the steps can not be read, the event comes without them after five minutes.',
		},
	],
};

const parameters = [events, filters, ...outputFields(listed.fields), options];

export class TaskTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Task Trigger',
		name: 'taskTrigger',
		icon: {
			light: 'file:../../icons/siteManagement.svg',
			dark: 'file:../../icons/siteManagement.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		documentationUrl:
			'https://github.com/n8n-nodes-site-management/n8n-nodes-site-management/blob/main/docs/nodes.md#site-management-task-trigger',
		subtitle: eventsSubtitle(events),
		description:
			'Starts the workflow when background tasks start, go on or end, such as backups, updates and reports',
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
			const choice: TaskChoice = {
				events: set.events as string[],
				types: (set.taskTypes ?? []) as string[],
				siteId: set.siteId as string | undefined,
			};
			return {
				feeds: { tasks: { timed: taskFeed(choice) } },
				events: choice.events,
				...(set.includeStepDetails === true && { details: steps }),
				shape: simplified(listed.simplified, set, ['event', 'details']),
				nothingToShow: {
					message: 'There is no task to show yet',
					description:
						'Among the 100 tasks that changed last, none fits the chosen events and filters. Choose more events or fewer filters, or try again when such a task has run.',
				},
			};
		});
	}
}
