import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { setting } from './resources/setting';
import { site } from './resources/site';

const resources: Resources = [site, setting];

export class Site implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Site',
		name: 'site',
		icon: {
			light: 'file:../../icons/site.svg',
			dark: 'file:../../icons/site.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-site'),
		subtitle: subtitle(resources),
		description: 'Manage sites and their settings',
		defaults: {
			name: 'Site Management',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		// Simplified output leaves it out; in Raw output it is for n8n to hide, which 2.41 does not do yet.
		sensitiveOutputFields: ['connection.http_auth.password', 'connection_http_auth_password'],
		...nodeOf(resources),
	};

	methods = methods;
}
