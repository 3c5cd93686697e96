import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { task } from './resources/task';

export class Task implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Task',
		name: 'task',
		icon: iconOf('task'),
		documentationUrl: documentation('nodes.md#site-management-task'),
		subtitle: subtitle(task),
		description: 'Follow and cancel background tasks',
		usableAsTool: true,
		...nodeOf(task),
	};

	methods = methods;
}
