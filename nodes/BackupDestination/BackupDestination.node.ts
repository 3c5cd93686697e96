import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { backupDestination } from './resources/backupDestination';

export class BackupDestination implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup Destination',
		name: 'backupDestination',
		icon: iconOf('backupDestination'),
		documentationUrl: documentation('nodes.md#site-management-backup-destination'),
		subtitle: subtitle(backupDestination),
		description: 'Check, test and disconnect the storage that backups are uploaded to',
		usableAsTool: true,
		...nodeOf(backupDestination),
	};

	methods = methods;
}
