import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { report } from './resources/report';

export class Report implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Report',
		name: 'report',
		icon: iconOf('report'),
		documentationUrl: documentation('nodes.md#site-management-report'),
		subtitle: subtitle(report),
		description: 'Create, download and send reports about sites',
		usableAsTool: true,
		...nodeOf(report),
	};

	methods = methods;
}
