import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { managedAccount } from './resources/managedAccount';

export class ManagedAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Managed Account',
		name: 'managedAccount',
		icon: iconOf('managedAccount'),
		documentationUrl: documentation('nodes.md#site-management-managed-account'),
		subtitle: subtitle(managedAccount),
		description: 'Answer invitations to other accounts, and leave such accounts',
		usableAsTool: true,
		...nodeOf(managedAccount),
	};

	methods = methods;
}
