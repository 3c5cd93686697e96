import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { resources as known } from '../resources';
import type { Resources } from '../shared/describe';
import { builderHint, documentation, hints, properties } from '../shared/describe';
import { requestDefaults, seam } from '../shared/run/send';
import { anyRequestItems } from './requestItems';
import { request } from './resources/request';

const resources: Resources = [request];

export class Api implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management API',
		name: 'api',
		icon: {
			light: 'file:../../icons/api.svg',
			dark: 'file:../../icons/api.dark.svg',
		},
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		documentationUrl: documentation('nodes.md#site-management-api'),
		subtitle: '={{ $parameter["method"] + " " + $parameter["path"] }}',
		description: 'Send any request to the API, for what the other nodes cannot do yet',
		defaults: {
			name: 'Site Management API',
		},
		usableAsTool: true,
		builderHint: builderHint(resources),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		requestDefaults,
		requestOperations: { pagination: seam(anyRequestItems(request, known)) },
		hints: hints(resources),
		properties: properties(resources),
	};
}
