import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { backupDestination } from './resources/backupDestination';

const resources: Resources = [backupDestination];

export class BackupDestination implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup Destination',
		name: 'backupDestination',
		icon: {
			light: 'file:../../icons/backupDestination.svg',
			dark: 'file:../../icons/backupDestination.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-backup-destination'),
		subtitle: subtitle(resources),
		description: 'Check, test and disconnect the storage that backups are uploaded to',
		defaults: {
			name: 'Site Management',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		...nodeOf(resources),
	};

	methods = methods;
}
