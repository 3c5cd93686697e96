import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { tag } from './resources/tag';

export class Tag implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Tag',
		name: 'tag',
		icon: iconOf('tag'),
		documentationUrl: documentation('nodes.md#site-management-tag'),
		subtitle: subtitle(tag),
		description: 'Group sites by tags',
		usableAsTool: true,
		...nodeOf(tag),
	};

	methods = methods;
}
