import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { activityLog } from './resources/activityLog';

const resources: Resources = [activityLog];

export class ActivityLog implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Activity',
		name: 'activityLog',
		icon: {
			light: 'file:../../icons/activityLog.svg',
			dark: 'file:../../icons/activityLog.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-activity'),
		subtitle: subtitle(resources),
		description: 'Read the activity log of a site, enable and disable it',
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
