import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { reportTemplate } from './resources/reportTemplate';

export class ReportTemplate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Report Template',
		name: 'reportTemplate',
		icon: iconOf('reportTemplate'),
		documentationUrl: documentation('nodes.md#site-management-report-template'),
		subtitle: subtitle(reportTemplate),
		description: 'Manage report templates',
		usableAsTool: true,
		...nodeOf(reportTemplate),
	};

	methods = methods;
}
