import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { effects } from '../nodes/effects';
import { checkAccess } from '../nodes/shared/access';

export class SiteManagementApi implements ICredentialType {
	name = 'siteManagementApi';

	displayName = 'Site Management API';

	icon: Icon = {
		light: 'file:../icons/siteManagement.svg',
		dark: 'file:../icons/siteManagement.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-site-management/n8n-nodes-site-management#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/api/v6',
			description: 'Address of the service with its version segment; it must start with https://',
		},
		{
			displayName: 'API Token',
			name: 'apiToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "Made by the account's owner in the dashboard, on the page for API credentials",
		},
		{
			displayName: 'Access',
			name: 'access',
			type: 'options',
			options: [
				{
					name: 'Everything',
					value: 'everything',
				},
				{
					name: 'No Irreversible Changes',
					value: 'noIrreversible',
					description: 'Nothing that cannot be undone, such as deleting, restoring or migrating',
				},
				{
					name: 'Read Only',
					value: 'readOnly',
					description: 'Nothing is changed',
				},
			],
			default: 'everything',
			description:
				'What nodes, tools of agents and requests with this credential may do. The token itself allows everything, so whoever can read it is not bound by this.',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'The most requests that each process of n8n sends in a minute, to leave room for other users of the account. In queue mode each worker is a process of its own and counts for itself. 0 means as many as the service allows, which is 200.',
		},
	];

	// Also requests of n8n's own nodes with this credential pass here.
	authenticate: IAuthenticate = async (credentials, options) => {
		checkAccess(credentials, options, effects);
		return {
			...options,
			headers: { ...options.headers, Authorization: `Bearer ${String(credentials.apiToken)}` },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			// The token must not go unencrypted to another host: such an address is replaced by one that is invalid.
			baseURL:
				'={{ /^(https:|http:\\/\\/(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])([:\\/]|$))/i.test($credentials.baseUrl.trim()) ? $credentials.baseUrl.trim().replace(/\\/+$/, "") : "Base URL must start with https://" }}',
			url: '/tags',
			qs: { perPage: 1 },
		},
		rules: [
			{
				type: 'responseCode',
				properties: { value: 401, message: 'The service did not accept the API Token' },
			},
			{
				type: 'responseCode',
				properties: { value: 403, message: 'The account is inactive' },
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'Nothing is there: does the Base URL end with the version segment, as /api/v6?',
				},
			},
		],
	};
}
