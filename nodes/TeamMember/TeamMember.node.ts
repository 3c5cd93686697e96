import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { teamMember } from './resources/teamMember';

const resources: Resources = [teamMember];

export class TeamMember implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Team Member',
		name: 'teamMember',
		icon: {
			light: 'file:../../icons/teamMember.svg',
			dark: 'file:../../icons/teamMember.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-team-member'),
		subtitle: subtitle(resources),
		description: 'Invite and manage the people who work in the account',
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
