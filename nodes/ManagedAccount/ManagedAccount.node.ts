import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { managedAccount } from './resources/managedAccount';

const resources: Resources = [managedAccount];

export class ManagedAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Managed Account',
		name: 'managedAccount',
		icon: {
			light: 'file:../../icons/managedAccount.svg',
			dark: 'file:../../icons/managedAccount.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-managed-account'),
		subtitle: subtitle(resources),
		description: 'Answer invitations to other accounts, and leave such accounts',
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
