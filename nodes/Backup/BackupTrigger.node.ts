import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { number, outputFields, queryOptions, toggle } from '../shared/describe';
import { textsIn } from '../shared/lib';
import {
	documentation,
	eventsField,
	eventsSubtitle,
	methods,
	pollOf,
	triggerOf,
} from '../shared/node';
import { simplified } from '../shared/receive/output';
import { exceptTags, scopeFields, scopeOf } from '../shared/resources/siteScope';
import { backupEvents, backupFeeds } from './resources/backupEvents';
import { backupOutput } from './resources/backupOutput';
import { taskDetails } from './resources/backupTasks';

const events = eventsField(
	backupEvents,
	['backupFailed'],
	'What starts the workflow, each time it happens to a site',
);

const overdueHours = number('overdueHours', 'Overdue After (Hours)', {
	typeOptions: { minValue: 1, maxValue: 8760 },
	default: 36,
	required: true,
	displayOptions: { show: { events: ['backupOverdue'] } },
	description:
		'How many hours after its last good backup a site is overdue. Sites that are already overdue when you publish the workflow are not reported.',
});

const includesNever = toggle('includeSitesWithoutBackups', 'Include Sites Without Backups', {
	default: true,
	displayOptions: { show: { '/events': ['backupOverdue'] } },
	description:
		'Whether to report sites that have never had a good backup. For these, the hours count from when the site was added.',
});

const everyMinutes = number('checkEveryMinutes', 'Check Every (Minutes)', {
	typeOptions: { minValue: 1, maxValue: 1440 },
	default: 60,
	required: true,
	displayOptions: { show: { events: ['backupOverdue'] } },
	description:
		'Minimum time between two checks for overdue backups. Each check reads all sites: one request for every 100 sites, and one for each site whose newest backup failed.',
});

const parameters: Field[] = [
	events,
	overdueHours,
	everyMinutes,
	...scopeFields,
	...outputFields(backupOutput.fields),
	...queryOptions([exceptTags, includesNever]),
];

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
		const scope = scopeOf(set);
		const numberOf = ({ name, default: byDefault }: Field) => Number(set[name] ?? byDefault);
		const overdue = {
			hours: numberOf(overdueHours),
			includesNever: set[includesNever.name] !== false,
			everyMinutes: numberOf(everyMinutes),
		};
		return {
			feeds: backupFeeds(textsIn(set.events), scope, overdue),
			details: taskDetails(scope),
			shape: simplified(backupOutput.simplified, set, ['event']),
			nothingToShow: {
				message: 'No backup to show yet',
				description:
					'No site and none of the 100 most recently changed tasks matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
			},
		};
	});
}
