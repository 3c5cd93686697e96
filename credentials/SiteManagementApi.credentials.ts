import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { rules } from '../nodes/rules';
import { EFFECTS, effectTexts } from '../nodes/shared/access/effects';
import { signed } from '../nodes/shared/access/sign';

/** Statuses of a redirect: the token would go where it points. */
const REDIRECTS = [301, 302, 303, 307, 308];

const BASE_URL_HINT =
	'is the Base URL the address of the API with its version segment, such as https://api.example.com/api/v6?';

/** What an answer is not that comes from the API; n8n shows the first that fits. */
const notAnswers = [
	{
		key: 'constructor',
		value: String,
		message: `The answer is a web page or empty: ${BASE_URL_HINT}`,
	},
	{ key: 'tags', value: undefined, message: `The answer is not one of the API: ${BASE_URL_HINT}` },
];

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
					name: 'Read Only',
					value: 'readOnly',
					description: 'Nothing is changed, and passwords and sign-in links are not given',
				},
				{
					name: 'Selected',
					value: 'selected',
					description: 'Reading, and what you choose below',
				},
			],
			default: 'everything',
			description:
				'What nodes, tools of agents and requests with this credential may do. The token itself allows everything, so whoever can read it is not bound by this.',
		},
		{
			displayName: 'Allowed',
			name: 'allowed',
			type: 'multiOptions',
			displayOptions: { show: { access: ['selected'] } },
			options: EFFECTS.filter((effect) => effect !== 'reads').map((value) => ({
				value,
				...effectTexts[value],
			})),
			default: ['cares', 'organises'],
			description: 'An operation that does several of these needs all of them',
		},
		{
			displayName: 'Sites',
			name: 'siteAccess',
			type: 'options',
			options: [
				{ name: 'All', value: 'all' },
				{
					name: 'Selected',
					value: 'selected',
					description: 'Only the sites below; what is about all sites is refused',
				},
			],
			default: 'all',
			description: 'Which sites can be looked into and changed',
		},
		{
			displayName: 'Only Sites',
			name: 'onlySites',
			type: 'string',
			displayOptions: { show: { siteAccess: ['selected'] } },
			default: '',
			placeholder: 'e.g. 652fd84c1f3ca8e1b1e3a1f0, 652fd84c1f3ca8e1b1e3a1f1',
			description: 'IDs of sites, separated by commas',
		},
		{
			displayName: 'Only Tags',
			name: 'onlyTags',
			type: 'string',
			displayOptions: { show: { siteAccess: ['selected'] } },
			default: '',
			placeholder: 'e.g. 12, 15',
			description:
				"IDs of tags, separated by commas: sites with one of them are allowed, too. They are looked up for each request, and n8n's HTTP Request node cannot be used with them.",
		},
		{
			displayName: 'Changes per Execution',
			name: 'maxChanges',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'The most records that an execution may change, in each process of n8n. 0 means no limit.',
		},
		{
			displayName: 'Harmful Changes per Execution',
			name: 'maxHarmful',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'The most of these that may change live sites or destroy something. 0 means no limit.',
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
		// Lets requests of n8n's other nodes count for their execution, too.
		{
			displayName: 'Execution',
			name: 'execution',
			type: 'hidden',
			default: '={{ $execution.id }}',
		},
	];

	// Also requests of n8n's own nodes with this credential pass here.
	authenticate: IAuthenticate = async (credentials, options) => signed(credentials, options, rules);

	test: ICredentialTestRequest = {
		request: {
			// What is wrong with it, `authenticate` says.
			baseURL: '={{ String($credentials.baseUrl ?? "").trim() }}',
			url: '/tags',
			qs: { perPage: 1 },
			disableFollowRedirect: true,
		},
		rules: [
			...REDIRECTS.map((value) => ({
				type: 'responseCode' as const,
				properties: { value, message: `The answer is a redirect: ${BASE_URL_HINT}` },
			})),
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
				properties: { value: 404, message: `Nothing is there: ${BASE_URL_HINT}` },
			},
			...notAnswers.map((properties) => ({
				type: 'responseSuccessBody' as const,
				properties,
			})),
			// The type knows lists of one kind alone; n8n takes both.
		] as ICredentialTestRequest['rules'],
	};
}
