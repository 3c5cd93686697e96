import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { teamMember } from './resources/teamMember';

export class TeamMember implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Team Member',
		name: 'teamMember',
		icon: iconOf('teamMember'),
		documentationUrl: documentation('nodes.md#site-management-team-member'),
		subtitle: subtitle(teamMember),
		description: 'Invite and manage the people who work in the account',
		usableAsTool: true,
		...nodeOf(teamMember),
	};

	methods = methods;
}
