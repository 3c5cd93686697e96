import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { EFFECTS, effectTexts } from '../nodes/shared/access/effects';
import { signed, TEST, TEST_PATH } from '../nodes/shared/access/sign';

/** Statuses of a redirect: the token would go where it points. */
const REDIRECTS = [301, 302, 303, 307, 308];

const BASE_URL_HINT =
	'is the Base URL the address of the API with its version, such as https://api.example.com/api/v6?';

/** Signs that a response is not from the API; n8n shows the first match. */
const notAnswers = [
	{
		key: 'constructor',
		value: String,
		message: `The response is a web page or empty: ${BASE_URL_HINT}`,
	},
	{ key: 'tags', value: undefined, message: `The response is not from the API: ${BASE_URL_HINT}` },
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
			description: 'Address of the service with its version. It must start with https://.',
		},
		{
			displayName: 'API Token',
			name: 'apiToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Created by the owner of the account in the dashboard, on the page for API credentials',
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
					description: 'No changes, and no passwords or sign-in links',
				},
				{
					name: 'Selected',
					value: 'selected',
					description: 'Reading, and what you choose below',
				},
			],
			default: 'everything',
			description:
				'What nodes and agent tools with this credential may do. The token itself allows everything, so this does not limit anyone who can read the token.',
			hint: 'With any limit, the credential works in the nodes of this package only',
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
					description:
						'Only the sites below. Lists leave out records of other sites, and changes beyond these sites are refused.',
				},
			],
			default: 'all',
			description: 'Which sites can be read and changed',
		},
		{
			displayName: 'Only Sites',
			name: 'onlySites',
			type: 'string',
			displayOptions: { show: { siteAccess: ['selected'] } },
			default: '',
			placeholder: 'e.g. 652fd84c1f3ca8e1b1e3a1f0, 652fd84c1f3ca8e1b1e3a1f1',
			description: 'IDs of sites, separated by commas. Names and addresses are refused.',
			hint: 'IDs, from Site: Get Many. Allowed are these sites and those with one of Only Tags.',
		},
		{
			displayName: 'Only Tags',
			name: 'onlyTags',
			type: 'string',
			displayOptions: { show: { siteAccess: ['selected'] } },
			default: '',
			placeholder: 'e.g. 12, 15',
			description:
				'IDs of tags, separated by commas. A site is allowed as long as it has one of these tags.',
			hint: 'IDs, from Tag: Get Many. Allowed are sites with one of these tags and those of Only Sites.',
		},
		{
			displayName: 'Changes per Execution',
			name: 'maxChanges',
			type: 'string',
			default: '',
			placeholder: 'No limit',
			description:
				'Maximum number of records that an execution may change. Behind an MCP server, n8n has no executions, so this is the maximum for any ten minutes. Each n8n process counts separately. Empty for no limit.',
		},
		{
			displayName: 'Harmful Changes per Execution',
			name: 'maxHarmful',
			type: 'string',
			default: '',
			placeholder: 'No limit',
			description:
				'Maximum number of these changes that may change live sites or destroy something. Empty for no limit.',
		},
		{
			displayName: 'Also Allowed',
			name: 'alsoAllowed',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. POST /team-members/{id}/update',
			description:
				'Requests to allow although Access or Sites would refuse them, one per line: a method and a path, with {id} for any ID. Sites that a request names must still be allowed.',
		},
		{
			displayName: 'API Document URL',
			name: 'apiDocumentUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://docs.example.com/openapi.json',
			description:
				'OpenAPI document of the service in JSON, for Any Operation of the node Site Management API. If empty, openapi.json below the Base URL. The token is sent only below the Base URL.',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'string',
			default: '',
			placeholder: 'As many as the service allows',
			description:
				'Maximum number of requests that each n8n process sends per minute, to leave room for other users of the account. In queue mode, each worker is a separate process and counts separately. Empty for as many as the service allows, which is 200.',
		},
	];

	// Also requests of n8n's own nodes with this credential pass here.
	authenticate: IAuthenticate = async (credentials, options) => signed(credentials, options);

	test: ICredentialTestRequest = {
		request: {
			// What is wrong with it, `authenticate` says.
			baseURL: '={{ String($credentials.baseUrl ?? "").trim() }}',
			url: TEST_PATH,
			qs: { perPage: 1 },
			disableFollowRedirect: true,
			// n8n's type does not know that it hands on each key.
			...{ [TEST]: true },
		},
		rules: [
			...REDIRECTS.map((value) => ({
				type: 'responseCode' as const,
				properties: { value, message: `The response is a redirect: ${BASE_URL_HINT}` },
			})),
			{
				type: 'responseCode',
				properties: { value: 401, message: 'The service rejected the API token' },
			},
			{
				type: 'responseCode',
				properties: { value: 403, message: 'The account is inactive' },
			},
			{
				type: 'responseCode',
				properties: { value: 404, message: `Nothing was found there: ${BASE_URL_HINT}` },
			},
			...notAnswers.map((properties) => ({
				type: 'responseSuccessBody' as const,
				properties,
			})),
			// The type knows lists of one kind alone; n8n takes both.
		] as ICredentialTestRequest['rules'],
	};
}
