import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { snapshot } from './resources/snapshot';

export class Snapshot implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Snapshot',
		name: 'snapshot',
		icon: iconOf('snapshot'),
		documentationUrl: documentation('nodes.md#site-management-snapshot'),
		subtitle: subtitle(snapshot),
		description: 'Find the snapshots of a site',
		usableAsTool: true,
		...nodeOf(snapshot),
	};

	methods = methods;
}
