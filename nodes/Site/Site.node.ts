import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { setting } from './resources/setting';
import { site } from './resources/site';

export class Site implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Site',
		name: 'site',
		icon: iconOf('site'),
		documentationUrl: documentation('nodes.md#site-management-site'),
		subtitle: subtitle(site, setting),
		description: 'Manage sites and their settings',
		usableAsTool: true,
		// Simplified output leaves it out. n8n up to 2.41 does not hide it in Raw output.
		sensitiveOutputFields: ['connection.http_auth.password', 'connection_http_auth_password'],
		...nodeOf(
			{ ...site, description: 'Sites of the account' },
			{ ...setting, description: 'Settings of one site' },
		),
	};

	methods = methods;
}
