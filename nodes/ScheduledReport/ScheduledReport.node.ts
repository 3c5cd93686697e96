import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, methods, nodeOf, subtitle } from '../shared/node';
import { scheduledReport } from './resources/scheduledReport';

export class ScheduledReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Scheduled Report',
		name: 'scheduledReport',
		icon: {
			light: 'file:../../icons/scheduledReport.svg',
			dark: 'file:../../icons/scheduledReport.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-scheduled-report'),
		subtitle: subtitle(scheduledReport),
		description: 'Manage scheduled reports about sites',
		usableAsTool: true,
		...nodeOf(scheduledReport),
	};

	methods = methods;
}
