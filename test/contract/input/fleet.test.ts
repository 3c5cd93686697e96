import type { INodeParameters } from 'n8n-workflow';
import { refusedInputs, type BadInput } from '../../support/badInput';
import { locator } from '../../support/locator';

const getTag = (tagId: unknown) => ({ operation: 'get', tagId }) as INodeParameters;
const getSites = (filters: INodeParameters) => ({ operation: 'getAll', filters });
const sorted = (by: INodeParameters, end: string): BadInput[] => [
	['tag', { operation: 'getAll', sort: { by } }, `The parameter "Sort > ${end}`],
];

const cases: BadInput[] = [
	['tag', getTag(locator('={{ "" }}', 'list')), 'The parameter "Tag" is empty'],
	['tag', getTag(locator('={{ "" }}')), 'The parameter "Tag" is empty'],
	['tag', getTag(locator('   ')), 'The parameter "Tag" is empty'],
	['tag', getTag(locator('={{ $json.missing }}')), 'The parameter "Tag" has no value'],
	['tag', getTag(locator('={{ null }}')), 'The parameter "Tag" has no value'],
	['tag', getTag('={{ $json.missing }}'), 'The parameter "Tag" has no value'],
	['tag', getTag(locator('.')), 'The parameter "Tag" is not an ID: "."'],
	['tag', getTag(locator('..')), 'The parameter "Tag" is not an ID: ".."'],
	['task', { operation: 'cancel', taskId: locator('={{ "" }}') }, 'The parameter "Task" is empty'],
	[
		'site',
		{ operation: 'delete', siteId: locator('={{ "" }}', 'url') },
		'The parameter "Site" is empty',
	],
	[
		'site',
		{ operation: 'get', siteId: locator('https://', 'url') },
		'The parameter "Site" is not a URL: "https://"',
	],
	...sorted({ field: '={{ $json.gone }}', direction: 'asc' }, 'Field" has no value'),
	...sorted({ field: '={{ "" }}', direction: 'asc' }, 'Field" is empty'),
	...sorted({ field: '={{ ["name"] }}', direction: 'asc' }, 'Field" takes one value, not a list'),
	...sorted({ field: 'name', direction: '={{ $json.gone }}' }, 'Direction" has no value'),
	...sorted(
		{ field: 'name', direction: '={{ ({ up: 1 }) }}' },
		'Direction" is an object, not a text: select a field, such as {{ $json.client.id }}',
	),
	[
		'site',
		{ operation: 'getAll', output: '={{ "full" }}' },
		'The parameter "Output" is "full", which is not one of "raw", "selected", "simplified"',
	],
	['site', { operation: 'getAll', output: '={{ "" }}' }, 'The parameter "Output" is empty'],
	[
		'site',
		{ operation: 'getAll', output: '={{ $json.gone }}' },
		'The parameter "Output" has no value',
	],
	[
		'site',
		getSites({ uptime: '={{ ["down"] }}' }),
		'The parameter "Uptime" takes one value, not a list',
	],
	['tag', { operation: 'create', name: '={{ "" }}' }, 'The parameter "Name" is empty'],
	['tag', { operation: 'create', name: '  ' }, 'The parameter "Name" is empty'],
	['tag', { operation: 'create', name: '={{ $json.gone }}' }, 'The parameter "Name" has no value'],
	[
		'tag',
		{ operation: 'create', name: 'A', additionalFields: { color: '={{ null }}' } },
		'The parameter "Color" has no value',
	],
	[
		'tag',
		{ operation: 'update', tagId: locator('1'), updateFields: {} },
		'The parameter "Update Fields" is empty. Add at least one field',
	],
	[
		'tag',
		{ operation: 'assign', tagId: locator('1'), siteIds: '={{ "" }}' },
		'The parameter "Site IDs or URLs" is empty',
	],
	[
		'tag',
		{ operation: 'assign', tagId: locator('1'), siteIds: ' , \n ' },
		'The parameter "Site IDs or URLs" is empty',
	],
	[
		'site',
		{ operation: 'get', siteId: locator('https://www.example.com', 'id') },
		'The parameter "Site" is a URL, not an ID: "https://www.example.com". To use the URL of a site, choose By URL',
	],
	[
		'tag',
		{ operation: 'remove', tagId: locator('1'), siteIds: '={{ [] }}' },
		'The parameter "Site IDs or URLs" is empty',
	],
	[
		'tag',
		{ operation: 'remove', tagId: locator('1'), siteIds: '={{ undefined }}' },
		'The parameter "Site IDs or URLs" has no value',
	],
	[
		'site',
		getSites({ clientId: locator('={{ $json.client.id }}') }),
		'The parameter "Client" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
	],
	[
		'site',
		getSites({ clientId: '={{ $json.client.id }}' }),
		'The parameter "Client" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
	],
	[
		'site',
		getSites({ clientId: locator('={{ null }}') }),
		'The parameter "Client" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
	],
	['site', getSites({ siteId: locator('..') }), 'The parameter "Site" is not an ID: ".."'],
	[
		'site',
		getSites({ siteId: locator('https://', 'url') }),
		'The parameter "Site" is not a URL: "https://"',
	],
	[
		'site',
		getSites({ tagIds: '={{ null }}' }),
		'The parameter "Tag Names or IDs" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
	],
	[
		'site',
		getSites({ createdAfter: 'yesterday' }),
		'The parameter "Created After" is not a date and time: "yesterday"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'site',
		getSites({ lastSyncBefore: '={{ undefined }}' }),
		'The parameter "Last Synced Before" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
	],
	[
		'site',
		getSites({ paused: '={{ "perhaps" }}' }),
		'The parameter "Sync Paused" must be true or false: "perhaps"',
	],
	[
		'site',
		{ operation: 'getAll', returnAll: false, limit: 0 },
		'The parameter "Limit" must be at least 1',
	],
	[
		'site',
		{ operation: 'getAll', returnAll: false, limit: '={{ $json.gone }}' },
		'The parameter "Limit" has no value',
	],
	[
		'site',
		{ operation: 'getAll', returnAll: false, limit: '={{ "many" }}' },
		'The parameter "Limit" is not a number: "many"',
	],
	[
		'site',
		{ operation: 'getAll', output: 'selected', outputFields: '={{ [] }}' },
		'The parameter "Fields" is empty',
	],
	['site', { operation: 'create', url: '={{ "" }}' }, 'The parameter "URL" is empty'],
	[
		'site',
		{
			operation: 'create',
			url: 'https://a.example.com',
			additionalFields: { httpAuth: {} },
		},
		'The parameter "HTTP Basic Auth" needs its "User and Password"',
	],
	[
		'site',
		{
			operation: 'create',
			url: 'https://a.example.com',
			additionalFields: { httpAuth: { credentials: { username: ' ', password: 'secret' } } },
		},
		'The parameter "HTTP Basic Auth > Username" is empty',
	],
	[
		'site',
		{
			operation: 'create',
			url: 'https://a.example.com',
			additionalFields: { httpAuth: { credentials: { username: 'guard', password: '' } } },
		},
		'The parameter "HTTP Basic Auth > Password" is empty',
	],
	[
		'site',
		{
			operation: 'update',
			siteId: locator('1'),
			updateFields: { stickyIp: '={{ "" }}' },
		},
		'The parameter "Sticky IP" is empty',
	],
	[
		'tag',
		{
			operation: 'update',
			tagId: locator('1'),
			updateFields: { color: '={{ "" }}' },
		},
		'The parameter "Color" is empty',
	],
	[
		'site',
		{
			operation: 'update',
			siteId: locator('1'),
			updateFields: { stickyIp: '203.0.113.7', clear: ['connection.sticky_ip'] },
		},
		'The parameter "Clear" clears "connection.sticky_ip", which you also set',
	],
	[
		'site',
		{ operation: 'update', siteId: locator('1'), updateFields: { clear: [] } },
		'The parameter "Clear" is empty',
	],
];

refusedInputs(cases);
