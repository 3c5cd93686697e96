import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { documentation, eventsSubtitle, outputFields } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { pollOf, triggerOf } from '../shared/node/trigger';
import { simplified } from '../shared/receive/output';
import { backupChoice, choiceFields, events, options } from './resources/backupChoice';
import { backupFeeds } from './resources/backupEvents';
import { backupOutput } from './resources/backupOutput';
import { taskDetails } from './resources/backupTasks';

const parameters: Field[] = [...choiceFields, ...outputFields(backupOutput.fields), ...options];

export class BackupTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup Trigger',
		name: 'backupTrigger',
		icon: {
			light: 'file:../../icons/backup.svg',
			dark: 'file:../../icons/backup.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-backup-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Back up, restore and migrate sites, download and upload backups, or start a workflow when a backup, restore or migration ends, or a backup is overdue',
		defaults: {
			name: 'Backup Trigger',
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
			const choice = backupChoice(set);
			return {
				feeds: backupFeeds(choice),
				events: choice.events,
				details: taskDetails(choice.scope),
				shape: simplified(backupOutput.simplified, set, ['event']),
				nothingToShow: {
					message: 'No backup to show yet',
					description:
						'No site and none of the 100 most recently changed tasks matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
				},
			};
		});
	}
}
