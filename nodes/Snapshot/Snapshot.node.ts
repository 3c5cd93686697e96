import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { snapshot } from './resources/snapshot';

const resources: Resources = [snapshot];

export class Snapshot implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Snapshot',
		name: 'snapshot',
		icon: {
			light: 'file:../../icons/snapshot.svg',
			dark: 'file:../../icons/snapshot.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-snapshot'),
		subtitle: subtitle(resources),
		description: 'Find the snapshots of a site',
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
