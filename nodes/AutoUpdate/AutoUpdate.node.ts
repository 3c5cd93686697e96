import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { history } from './resources/history';
import { schedule } from './resources/schedule';

const resources: Resources = [schedule, history];

export class AutoUpdate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Auto Update',
		name: 'autoUpdate',
		icon: {
			light: 'file:../../icons/autoUpdate.svg',
			dark: 'file:../../icons/autoUpdate.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-auto-update'),
		subtitle: subtitle(resources),
		description: 'Schedule automatic updates for sites and see their history',
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
