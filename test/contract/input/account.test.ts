import type { INodeParameters } from 'n8n-workflow';
import { refusedInputs, type BadInput } from '../../support/badInput';
import { locator } from '../../support/locator';

const id = locator('1');
const createClient = (additionalFields: INodeParameters) => ({
	operation: 'create',
	additionalFields,
});
const updateClient = (updateFields: INodeParameters) => ({
	operation: 'update',
	clientId: id,
	updateFields,
});
const updateSender = (updateFields: INodeParameters) => ({
	operation: 'update',
	senderEmailId: id,
	updateFields,
});
const invite = (changes: INodeParameters) => ({
	operation: 'create',
	name: 'New Member',
	email: 'new@team.example.com',
	role: 'collaborator',
	...changes,
});
const getAccounts = (filters: INodeParameters) => ({ operation: 'getAll', filters });
const updateLogin = (updateFields: INodeParameters) => ({ operation: 'update', updateFields });

const fileOf = (mimeType: string) => ({ logo: { mimeType, content: Buffer.from('a file') } });
const login = 'branding/loginScreenBranding';
const plugin = 'branding/pluginBranding';
const dataUri = 'data:image/png;base64,YQ==';

const cases: BadInput[] = [
	['client', updateClient({ firstName: ' ' }), 'First Name" is empty'],
	['client', { operation: 'delete', clientIds: ' ,\n ' }, 'Client Names or IDs" is empty'],
	[
		'teamMember',
		{ operation: 'update', teamMemberId: id, updateFields: { siteIds: [] } },
		'Replace Site Names or IDs" is empty',
	],
	['client', createClient({}), 'Additional Fields" is empty. Add at least one field'],
	[
		'client',
		createClient({ firstName: '' }),
		'Additional Fields" is empty. Add at least one field',
	],
	[
		'client',
		createClient({ email: 'owner at example.com' }),
		'Email" is not an email address: "owner at example.com" contains " ". Enter only the address, such as name@example.com',
	],
	['client', updateClient({}), 'Update Fields" is empty. Add at least one field'],
	[
		'client',
		updateClient({ siteIds: ['5f0c2a9d41'], clear: ['site_ids'] }),
		'Clear" clears "site_ids", which you also set',
	],
	[
		'client',
		updateClient({ clear: '={{ ["email"] }}' }),
		'Clear" is "email", which is not one of "address", "note", "site_ids"',
	],
	[
		'managedAccount',
		getAccounts({ roles: '={{ [{ role: "owner" }] }}' }),
		'Role Is One Of" is a list of records: select one field of each, such as {{ $json.sites.map(s => s.id) }}',
	],
	[
		'managedAccount',
		getAccounts({ allSitesAccess: '={{ "all" }}' }),
		'All Sites Access" must be true or false: "all"',
	],
	[
		'backupDestination',
		{ operation: 'disconnect', backupDestinationId: locator('..') },
		'Backup Destination" is not an ID: ".."',
	],
	[
		'senderEmail',
		{ operation: 'create', name: 'Reports', email: 'reports@example' },
		'Email" is not an email address: "reports@example"',
	],
	[
		'senderEmail',
		updateSender({ additionalBodyFields: '["mail.example.com"]' }),
		'Additional Body Fields" is not a JSON object, such as { "name": "value" }',
	],
	[
		'senderEmail',
		updateSender({ name: 'Reports', additionalBodyFields: '{ "name": "Other" }' }),
		'Additional Body Fields" sets "name", which has its own field in the node',
	],
	[
		'teamMember',
		invite({ email: 'new@team.example.com, other@team.example.com' }),
		'Email" is not an email address: "new@team.example.com, other@team.example.com" contains ",". Enter only the address, such as name@example.com',
	],
	[
		'teamMember',
		invite({ role: '={{ "owner" }}' }),
		'Role" is "owner", which is not one of "administrator", "co_owner", "collaborator"',
	],
	[
		plugin,
		{ operation: 'update', type: '={{ "none" }}' },
		'Type" is "none", which is not one of "custom", "default", "hidden"',
	],
	[
		plugin,
		{ operation: 'update', type: '={{ "hidden" }}', additionalFields: { name: 'Shown' } },
		'Name" can only be set with the type "custom"',
	],
	[
		plugin,
		{ operation: 'update', type: '={{ "default" }}', additionalFields: { authorUrl: 'a' } },
		'Author URL" can only be set with the type "custom"',
	],
	[
		login,
		updateLogin({ logoDataUri: 'https://www.example.com/logo.png' }),
		'Logo Data URI" is not an image as a data URI, such as data:image/png;base64,iVBORw0KGgo=: "https://www.example.com/logo.png"',
	],
	[
		login,
		updateLogin({ logoBinaryField: 'logo' }),
		'Logo Input Binary Field" is not a binary field of this item: "logo"',
	],
	[
		login,
		updateLogin({ logoBinaryField: 'logo' }),
		'Logo Input Binary Field" is not an image but a file of type "application/pdf"',
		fileOf('application/pdf'),
	],
	[
		login,
		updateLogin({ logoBinaryField: 'logo', logoDataUri: dataUri }),
		'Logo Input Binary Field" is set together with the data URI. Use only one of them',
		fileOf('image/png'),
	],
	[
		login,
		updateLogin({ clear: ['logo_file'], logoBinaryField: 'logo' }),
		'Logo Input Binary Field" sets a field that you also clear',
		fileOf('image/png'),
	],
	[
		login,
		updateLogin({ clear: ['sender_email'], senderEmailId: id }),
		'Clear" clears "sender_email", which you also set',
	],
];

refusedInputs(cases);
