import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { component } from './resources/component';

export class Component implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Component',
		name: 'component',
		icon: iconOf('component'),
		documentationUrl: documentation('nodes.md#site-management-component'),
		subtitle: subtitle(component),
		description:
			'Read and update plugins and themes, and find the sites with old or vulnerable versions',
		usableAsTool: true,
		...nodeOf(component),
	};

	methods = methods;
}
