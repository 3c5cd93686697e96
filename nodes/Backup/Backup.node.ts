import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { backup } from './resources/backup';

const resources: Resources = [backup];

export class Backup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup',
		name: 'backup',
		icon: {
			light: 'file:../../icons/backup.svg',
			dark: 'file:../../icons/backup.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-backup'),
		subtitle: subtitle(resources),
		description: 'Back up, restore and migrate sites, download and upload backups',
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
