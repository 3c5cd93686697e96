import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { senderEmail } from './resources/senderEmail';

const resources: Resources = [senderEmail];

export class SenderEmail implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Sender',
		name: 'senderEmail',
		icon: {
			light: 'file:../../icons/senderEmail.svg',
			dark: 'file:../../icons/senderEmail.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-sender'),
		subtitle: subtitle(resources),
		description: 'Manage sender emails and verify their DNS records',
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
