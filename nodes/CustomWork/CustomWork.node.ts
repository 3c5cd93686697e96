import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { customWork } from './resources/customWork';

const resources: Resources = [customWork];

export class CustomWork implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Custom Work',
		name: 'customWork',
		icon: {
			light: 'file:../../icons/customWork.svg',
			dark: 'file:../../icons/customWork.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-custom-work'),
		subtitle: subtitle(resources),
		description: 'Manage work that you did on a site, for its reports',
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
