import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { poll } from '../shared/polling/poll';
import { occurrences, taskEvents } from './resources/events';

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
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description:
			'Starts the workflow when background tasks end, such as backups, updates and reports',
		defaults: {
			name: 'Site Management Task Trigger',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		properties: [
			{
				displayName:
					'Each poll costs one request of the 200 that the service allows in a minute. The first poll after activation only notes where to start.',
				name: 'pollNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				options: taskEvents,
				default: ['completed', 'failed'],
				required: true,
				description: 'The ends of a task that start the workflow, each of them once',
			},
		],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const events = this.getNodeParameter('events', []) as string[];
		return await poll(this, {
			feeds: {
				tasks: {
					timed: { url: '/tasks', timeField: 'updated_at', occurrences: occurrences(events) },
				},
			},
			nothingToShow: {
				message: 'There is no task to show yet',
				description:
					'Among the 100 tasks that changed last, none has ended with one of the chosen events. Choose more events, or try again when a task has ended.',
			},
		});
	}
}
