import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { file } from './resources/file';
import { table } from './resources/table';

export class BackupContent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup Content',
		name: 'backupContent',
		icon: iconOf('backupContent'),
		documentationUrl: documentation('nodes.md#site-management-backup-content'),
		subtitle: subtitle(file, table),
		description: 'Look into backups, and choose which files and tables they include',
		usableAsTool: true,
		...nodeOf(
			{ ...file, description: 'Files in the backups of a site' },
			{ ...table, description: 'Database tables in the backups of a site' },
		),
	};

	methods = methods;
}
