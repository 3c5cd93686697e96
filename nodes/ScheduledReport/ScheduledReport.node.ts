import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { scheduledReport } from './resources/scheduledReport';

export class ScheduledReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Scheduled Report',
		name: 'scheduledReport',
		icon: iconOf('scheduledReport'),
		documentationUrl: documentation('nodes.md#site-management-scheduled-report'),
		subtitle: subtitle(scheduledReport),
		description: 'Manage scheduled reports about sites',
		usableAsTool: true,
		...nodeOf(scheduledReport),
	};

	methods = methods;
}
