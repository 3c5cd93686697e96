import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, methods, nodeOf, subtitle } from '../shared/node';
import { snapshot } from './resources/snapshot';

export class Snapshot implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Snapshot',
		name: 'snapshot',
		icon: {
			light: 'file:../../icons/snapshot.svg',
			dark: 'file:../../icons/snapshot.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-snapshot'),
		subtitle: subtitle(snapshot),
		description: 'Find the snapshots of a site',
		usableAsTool: true,
		...nodeOf(snapshot),
	};

	methods = methods;
}
