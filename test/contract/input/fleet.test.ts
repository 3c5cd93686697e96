import type { INodeParameters } from 'n8n-workflow';
import { refusedInputs, type BadInput } from '../../support/badInput';
import { locator } from '../../support/locator';

const getTag = (tagId: unknown) => ({ operation: 'get', tagId }) as INodeParameters;
const getSites = (filters: INodeParameters) => ({ operation: 'getAll', filters });
const sorted = (by: INodeParameters, end: string): BadInput[] => [
	['tag', { operation: 'getAll', sort: { by } }, `Sort > ${end}`],
];

const cases: BadInput[] = [
	['tag', getTag(locator('   ')), 'Tag" is empty'],
	['tag', { operation: 'create', name: '  ' }, 'Name" is empty'],
	[
		'tag',
		{ operation: 'assign', tagId: locator('1'), siteIds: ' , \n ' },
		'Site IDs or URLs" is empty',
	],
	[
		'site',
		{ operation: 'update', siteId: locator('1'), updateFields: { clear: [] } },
		'Clear" is empty',
	],
	['tag', getTag(locator('.')), 'Tag" is not an ID: "."'],
	['tag', getTag(locator('..')), 'Tag" is not an ID: ".."'],
	[
		'site',
		{ operation: 'get', siteId: locator('https://', 'url') },
		'Site" is not a URL: "https://"',
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
		'Output" is "full", which is not one of "raw", "selected", "simplified"',
	],
	['site', getSites({ uptime: '={{ ["down"] }}' }), 'Uptime" takes one value, not a list'],
	[
		'tag',
		{ operation: 'update', tagId: locator('1'), updateFields: {} },
		'Update Fields" is empty. Add at least one field',
	],
	[
		'site',
		{ operation: 'get', siteId: locator('https://www.example.com', 'id') },
		'Site" is a URL, not an ID: "https://www.example.com". To use the URL of a site, choose By URL',
	],
	['site', getSites({ siteId: locator('..') }), 'Site" is not an ID: ".."'],
	['site', getSites({ siteId: locator('https://', 'url') }), 'Site" is not a URL: "https://"'],
	[
		'site',
		getSites({ createdAfter: 'yesterday' }),
		'Created After" is not a date and time: "yesterday"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'site',
		getSites({ paused: '={{ "perhaps" }}' }),
		'Sync Paused" must be true or false: "perhaps"',
	],
	['site', { operation: 'getAll', returnAll: false, limit: 0 }, 'Limit" must be at least 1'],
	[
		'site',
		{ operation: 'getAll', returnAll: false, limit: '={{ "many" }}' },
		'Limit" is not a number: "many"',
	],
	[
		'site',
		{
			operation: 'create',
			url: 'https://a.example.com',
			additionalFields: { httpAuth: {} },
		},
		'HTTP Basic Auth" needs its "User and Password"',
	],
	[
		'site',
		{
			operation: 'create',
			url: 'https://a.example.com',
			additionalFields: { httpAuth: { credentials: { username: ' ', password: 'secret' } } },
		},
		'HTTP Basic Auth > Username" is empty',
	],
	[
		'site',
		{
			operation: 'create',
			url: 'https://a.example.com',
			additionalFields: { httpAuth: { credentials: { username: 'guard', password: '' } } },
		},
		'HTTP Basic Auth > Password" is empty',
	],
	[
		'site',
		{
			operation: 'update',
			siteId: locator('1'),
			updateFields: { stickyIp: '203.0.113.7', clear: ['connection.sticky_ip'] },
		},
		'Clear" clears "connection.sticky_ip", which you also set',
	],
];

refusedInputs(cases);
