import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { task } from './resources/task';

const resources: Resources = [task];

export class Task implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Task',
		name: 'task',
		icon: {
			light: 'file:../../icons/task.svg',
			dark: 'file:../../icons/task.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-task'),
		subtitle: subtitle(resources),
		description: 'Follow and cancel background tasks',
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
