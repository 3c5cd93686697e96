import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { report } from './resources/report';

const resources: Resources = [report];

export class Report implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Report',
		name: 'report',
		icon: {
			light: 'file:../../icons/report.svg',
			dark: 'file:../../icons/report.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-report'),
		subtitle: subtitle(resources),
		description: 'Create, download and send reports about sites',
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
