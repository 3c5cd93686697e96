import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { documentation, eventsSubtitle, outputFields } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { omit } from '../shared/lib/omit';
import { pollOf, triggerOf } from '../shared/node/trigger';
import { simplified } from '../shared/receive/output';
import { siteOutput } from '../shared/resources/siteRecords';
import { backupChoice, choiceFields, events } from './resources/backupChoice';
import { backupFacts, backupFeeds, withFacts } from './resources/backupEvents';

const parameters: Field[] = [...choiceFields, ...outputFields(siteOutput.fields)];

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
			'Back up, restore and migrate sites, download and upload backups, or start a workflow when a backup fails, finishes or is overdue',
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
			const toOutput = simplified(siteOutput.simplified, set, backupFacts);
			const choice = backupChoice(set);
			return {
				feeds: backupFeeds(choice),
				events: choice.events,
				shape: (json) => toOutput(withFacts(withoutPassword(json))),
				nothingToShow: {
					message: 'No backup to show yet',
					description:
						'No site matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
				},
			};
		});
	}
}

/** Only the single record of a site has it, so that it would come with some events and not with others. */
function withoutPassword(site: IDataObject): IDataObject {
	return { ...site, connection: omit((site.connection ?? {}) as IDataObject, 'http_auth') };
}
