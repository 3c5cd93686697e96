import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { activityLog } from './resources/activityLog';

export class ActivityLog implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Activity',
		name: 'activityLog',
		icon: iconOf('activityLog'),
		documentationUrl: documentation('nodes.md#site-management-activity'),
		subtitle: subtitle(activityLog),
		description: 'Read the activity log of a site, enable and disable it',
		usableAsTool: true,
		...nodeOf(activityLog),
	};

	methods = methods;
}
