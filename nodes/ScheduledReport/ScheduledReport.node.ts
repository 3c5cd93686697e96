import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { scheduledReport } from './resources/scheduledReport';

const resources: Resources = [scheduledReport];

export class ScheduledReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Scheduled Report',
		name: 'scheduledReport',
		icon: {
			light: 'file:../../icons/scheduledReport.svg',
			dark: 'file:../../icons/scheduledReport.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-scheduled-report'),
		subtitle: subtitle(resources),
		description: 'Manage scheduled reports about sites',
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
