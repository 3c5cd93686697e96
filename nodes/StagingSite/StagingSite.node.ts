import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { stagingSite } from './resources/stagingSite';

const resources: Resources = [stagingSite];

export class StagingSite implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Staging Site',
		name: 'stagingSite',
		icon: {
			light: 'file:../../icons/stagingSite.svg',
			dark: 'file:../../icons/stagingSite.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-staging-site'),
		subtitle: subtitle(resources),
		description: 'Create, extend, sign in to and delete staging sites',
		defaults: {
			name: 'Site Management',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		// Simplified output leaves the passwords out; in Raw output they are for n8n to hide, which 2.41 does not do yet.
		sensitiveOutputFields: [
			'credentials.http_auth.password',
			'credentials.server.password',
			'credentials.database.password',
			'credentials_http_auth_password',
			'credentials_server_password',
			'credentials_database_password',
			'sso_login_url',
		],
		...nodeOf(resources),
	};

	methods = methods;
}
