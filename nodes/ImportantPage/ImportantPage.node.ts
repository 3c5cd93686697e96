import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { importantPage } from './resources/importantPage';

export class ImportantPage implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Important Page',
		name: 'importantPage',
		icon: iconOf('importantPage'),
		documentationUrl: documentation('nodes.md#site-management-important-page'),
		subtitle: subtitle(importantPage),
		description: 'Manage the pages of a site that are monitored, and check pages',
		usableAsTool: true,
		...nodeOf(importantPage),
	};

	methods = methods;
}
