import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { file } from './resources/file';
import { table } from './resources/table';

const resources: Resources = [file, table];

export class BackupContent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup Content',
		name: 'backupContent',
		icon: {
			light: 'file:../../icons/backupContent.svg',
			dark: 'file:../../icons/backupContent.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-backup-content'),
		subtitle: subtitle(resources),
		description: 'Look into backups, and choose which files and tables they include',
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
