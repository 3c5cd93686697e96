import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { loginScreenBranding } from './resources/loginScreenBranding';
import { pluginBranding } from './resources/pluginBranding';

export class Branding implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Branding',
		name: 'branding',
		icon: iconOf('branding'),
		documentationUrl: documentation('nodes.md#site-management-branding'),
		subtitle: subtitle(pluginBranding, loginScreenBranding),
		description: 'White-label the plugin and the login screen of your sites',
		usableAsTool: true,
		...nodeOf(
			{ ...pluginBranding, description: "The service's plugin on the sites" },
			{ ...loginScreenBranding, description: 'The login screen of the sites' },
		),
	};

	methods = methods;
}
