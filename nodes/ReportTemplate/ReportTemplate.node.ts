import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { reportTemplate } from './resources/reportTemplate';

const resources: Resources = [reportTemplate];

export class ReportTemplate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Report Template',
		name: 'reportTemplate',
		icon: {
			light: 'file:../../icons/reportTemplate.svg',
			dark: 'file:../../icons/reportTemplate.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-report-template'),
		subtitle: subtitle(resources),
		description: 'Manage report templates',
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
