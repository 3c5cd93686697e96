import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { customWork } from './resources/customWork';

export class CustomWork implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Custom Work',
		name: 'customWork',
		icon: iconOf('customWork'),
		documentationUrl: documentation('nodes.md#site-management-custom-work'),
		subtitle: subtitle(customWork),
		description:
			'Record work that you did by hand on a site, such as a repaired form, for its reports',
		usableAsTool: true,
		...nodeOf(customWork),
	};

	methods = methods;
}
