import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { client } from './resources/client';

const resources: Resources = [client];

export class Client implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Client',
		name: 'client',
		icon: {
			light: 'file:../../icons/client.svg',
			dark: 'file:../../icons/client.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-client'),
		subtitle: subtitle(resources),
		description: 'Manage clients and the sites that belong to them',
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
