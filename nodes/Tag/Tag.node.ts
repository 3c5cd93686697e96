import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { tag } from './resources/tag';

const resources: Resources = [tag];

export class Tag implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Tag',
		name: 'tag',
		icon: {
			light: 'file:../../icons/tag.svg',
			dark: 'file:../../icons/tag.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-tag'),
		subtitle: subtitle(resources),
		description: 'Group sites by tags',
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
