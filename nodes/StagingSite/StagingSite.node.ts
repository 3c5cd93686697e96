import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { stagingSite } from './resources/stagingSite';

export class StagingSite implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Staging Site',
		name: 'stagingSite',
		icon: iconOf('stagingSite'),
		documentationUrl: documentation('nodes.md#site-management-staging-site'),
		subtitle: subtitle(stagingSite),
		description: 'Create, extend, sign in to and delete staging sites',
		usableAsTool: true,
		// Simplified output leaves the passwords out. n8n up to 2.41 does not hide them in Raw output.
		sensitiveOutputFields: [
			'credentials.http_auth.password',
			'credentials.server.password',
			'credentials.database.password',
			'credentials_http_auth_password',
			'credentials_server_password',
			'credentials_database_password',
			'sso_login_url',
		],
		...nodeOf(stagingSite),
	};

	methods = methods;
}
