import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { senderEmail } from './resources/senderEmail';

export class SenderEmail implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Sender',
		name: 'senderEmail',
		icon: iconOf('senderEmail'),
		documentationUrl: documentation('nodes.md#site-management-sender'),
		subtitle: subtitle(senderEmail),
		description: 'Manage sender emails and verify their DNS records',
		usableAsTool: true,
		...nodeOf(senderEmail),
	};

	methods = methods;
}
