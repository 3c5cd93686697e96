import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { client } from './resources/client';

export class Client implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Client',
		name: 'client',
		icon: iconOf('client'),
		documentationUrl: documentation('nodes.md#site-management-client'),
		subtitle: subtitle(client),
		description: 'Manage clients and the sites that belong to them',
		usableAsTool: true,
		...nodeOf(client),
	};

	methods = methods;
}
