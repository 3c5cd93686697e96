import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { history } from './resources/history';
import { schedule } from './resources/schedule';

export class AutoUpdate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Auto Update',
		name: 'autoUpdate',
		icon: iconOf('autoUpdate'),
		documentationUrl: documentation('nodes.md#site-management-auto-update'),
		subtitle: subtitle(schedule, history),
		description: 'Schedule automatic updates for sites and see their history',
		usableAsTool: true,
		...nodeOf(
			{ ...schedule, description: 'Which sites are updated when' },
			{ ...history, description: 'Runs of the schedules' },
		),
	};

	methods = methods;
}
