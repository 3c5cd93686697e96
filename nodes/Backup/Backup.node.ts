import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, methods, nodeOf, subtitle } from '../shared/node';
import { backup } from './resources/backup';

export class Backup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup',
		name: 'backup',
		icon: {
			light: 'file:../../icons/backup.svg',
			dark: 'file:../../icons/backup.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-backup'),
		subtitle: subtitle(backup),
		description: 'Back up, restore and migrate sites, download and upload backups',
		usableAsTool: true,
		...nodeOf(backup),
	};

	methods = methods;
}
