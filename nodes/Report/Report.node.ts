import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, methods, nodeOf, subtitle } from '../shared/node';
import { report } from './resources/report';

export class Report implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Report',
		name: 'report',
		icon: {
			light: 'file:../../icons/report.svg',
			dark: 'file:../../icons/report.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-report'),
		subtitle: subtitle(report),
		description: 'Create, download and send reports about sites',
		usableAsTool: true,
		...nodeOf(report),
	};

	methods = methods;
}
