import type { INodeProperties, INodeType } from 'n8n-workflow';
import { addNode } from '../support/engine';

/** The same requests with what n8n itself offers a declarative node, and with nothing of this package. */

const id: INodeProperties = { displayName: 'ID', name: 'id', type: 'string', default: '' };

const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	default: 'getSite',
	options: [
		{
			name: 'Get Sites',
			value: 'getSites',
			routing: {
				request: { method: 'GET', url: '/sites', qs: { page: 1, perPage: 100 } },
				send: { paginate: true },
				operations: {
					pagination: {
						type: 'generic',
						properties: {
							continue:
								'={{ $response.body.meta.pagination.page < $response.body.meta.pagination.totalPages }}',
							request: {
								qs: {
									page: '={{ ($response.body?.meta.pagination.page ?? 0) + 1 }}',
									perPage: 100,
								},
							},
						},
					},
				},
				output: { postReceive: [{ type: 'rootProperty', properties: { property: 'sites' } }] },
			},
		},
		{
			name: 'Get Site',
			value: 'getSite',
			routing: { request: { method: 'GET', url: '=/sites/{{ $parameter.id }}' } },
		},
	],
};

const plain: INodeType = {
	description: {
		displayName: 'Plain',
		name: 'plain',
		group: ['transform'],
		version: 1,
		description: 'Sends the same requests',
		defaults: { name: 'Plain' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'siteManagementApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		properties: [operation, id],
	},
};

addNode(plain);
