import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, nodeOf } from '../shared/node';
import { seam } from '../shared/run/send';
import { withDocument } from './anyOperation';
import { fieldsOfOperation, searchOperations } from './document/fields';
import { anyRequestItems } from './requestItems';
import { request } from './resources/request';

export class Api implements INodeType {
	description: INodeTypeDescription = {
		...nodeOf(request),
		displayName: 'Site Management API',
		name: 'api',
		icon: iconOf('api'),
		documentationUrl: documentation('nodes.md#site-management-api'),
		subtitle:
			'={{ $parameter["operation"] === "anyOperation" ? $parameter["apiOperation"] : $parameter["method"] + " " + $parameter["path"] }}',
		description: 'Send any request to the API, for what the other nodes cannot do yet',
		defaults: { name: 'Site Management API' },
		usableAsTool: true,
		properties: nodeOf(request).properties.map(withDocument),
		requestOperations: { pagination: seam(anyRequestItems) },
	};

	methods: INodeType['methods'] = {
		listSearch: { searchOperations },
		resourceMapping: { fieldsOfOperation },
	};
}
