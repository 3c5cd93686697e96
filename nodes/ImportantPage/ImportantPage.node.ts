import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { importantPage } from './resources/importantPage';

const resources: Resources = [importantPage];

export class ImportantPage implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Important Page',
		name: 'importantPage',
		icon: {
			light: 'file:../../icons/importantPage.svg',
			dark: 'file:../../icons/importantPage.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-important-page'),
		subtitle: subtitle(resources),
		description: 'Manage the pages of a site that are monitored',
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
