import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { outputFields } from '../shared/describe';
import { documentation, eventsSubtitle, methods, pollOf, triggerOf } from '../shared/node';
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
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-backup-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Back up, restore and migrate sites, download and upload backups, or start a workflow when a backup, restore or migration ends, or a backup is overdue',
		defaults: { name: 'Backup Trigger' },
		...triggerOf(parameters),
	};

	methods = methods;

	poll = pollOf(parameters, (set) => {
		const choice = backupChoice(set);
		return {
			feeds: backupFeeds(choice),
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
