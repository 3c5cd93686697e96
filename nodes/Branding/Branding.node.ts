import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { loginScreenBranding } from './resources/loginScreenBranding';
import { pluginBranding } from './resources/pluginBranding';

const resources: Resources = [pluginBranding, loginScreenBranding];

export class Branding implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Branding',
		name: 'branding',
		icon: {
			light: 'file:../../icons/branding.svg',
			dark: 'file:../../icons/branding.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-branding'),
		subtitle: subtitle(resources),
		description: 'White-label the plugin and the login screen of your sites',
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
