import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { backup } from './resources/backup';

export class Backup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup',
		name: 'backup',
		icon: iconOf('backup'),
		documentationUrl: documentation('nodes.md#site-management-backup'),
		subtitle: subtitle(backup),
		description: 'Back up, restore and migrate sites, download and upload backups',
		usableAsTool: true,
		...nodeOf(backup),
	};

	methods = methods;
}
