import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine';
import { startFleet, type Fleet } from '../support/fleet';

/** Bad input: each case names its parameter, and the service sees no request. */

let fleet: Fleet;
beforeAll(async () => {
	fleet = await startFleet({ sites: 3 });
});
afterAll(async () => await fleet.service.close());
beforeEach(() => fleet.forget());

const locator = (mode: string, value: unknown) =>
	({ __rl: true, mode, value }) as unknown as INodeParameters;
const getTag = (tagId: unknown) => ({ operation: 'get', tagId }) as INodeParameters;
const getSites = (filters: INodeParameters) => ({ operation: 'getAll', filters });

const cases: Array<[node: string, parameters: INodeParameters, message: string]> = [
	['tag', getTag(locator('list', '={{ "" }}')), 'The Tag is empty'],
	['tag', getTag(locator('id', '={{ "" }}')), 'The Tag is empty'],
	['tag', getTag(locator('id', '   ')), 'The Tag is empty'],
	['tag', getTag(locator('id', '={{ $json.missing }}')), 'The Tag is empty'],
	['tag', getTag(locator('id', '={{ null }}')), 'The Tag is empty'],
	['tag', getTag('={{ $json.missing }}'), 'The Tag is empty'],
	['tag', getTag(locator('id', '.')), 'The Tag "." is not an ID'],
	['tag', getTag(locator('id', '..')), 'The Tag ".." is not an ID'],
	['task', { operation: 'cancel', taskId: locator('id', '={{ "" }}') }, 'The Task is empty'],
	['site', { operation: 'delete', siteId: locator('url', '={{ "" }}') }, 'The Site is empty'],
	[
		'site',
		{ operation: 'get', siteId: locator('url', 'https://') },
		'The Site "https://" is not a URL',
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
		{ operation: 'update', tagId: locator('id', '1'), updateFields: {} },
		'The parameter "Update Fields" is empty: add at least one field to it',
	],
	[
		'tag',
		{ operation: 'assign', tagId: locator('id', '1'), siteIds: '={{ "" }}' },
		'The parameter "Site IDs" is empty',
	],
	[
		'tag',
		{ operation: 'assign', tagId: locator('id', '1'), siteIds: ' , \n ' },
		'The parameter "Site IDs" is empty',
	],
	[
		'tag',
		{ operation: 'remove', tagId: locator('id', '1'), siteIds: '={{ [] }}' },
		'The parameter "Site IDs" is empty',
	],
	[
		'tag',
		{ operation: 'remove', tagId: locator('id', '1'), siteIds: '={{ undefined }}' },
		'The parameter "Site IDs" has no value',
	],
	[
		'site',
		getSites({ clientId: '={{ $json.client.id }}' }),
		'The parameter "Client ID" has no value',
	],
	['site', getSites({ clientId: '={{ null }}' }), 'The parameter "Client ID" has no value'],
	['site', getSites({ tagIds: '={{ null }}' }), 'The parameter "Tag Names or IDs" has no value'],
	[
		'site',
		getSites({ createdAfter: 'yesterday' }),
		'The parameter "Created After" is not a date and time: "yesterday"',
	],
	[
		'site',
		getSites({ lastSyncBefore: '={{ undefined }}' }),
		'The parameter "Last Synced Before" has no value',
	],
	[
		'site',
		getSites({ paused: '={{ "perhaps" }}' }),
		'The parameter "Sync Paused" is neither true nor false: "perhaps"',
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
		'The parameter "HTTP Basic Auth" needs its "Username"',
	],
	[
		'site',
		{
			operation: 'update',
			siteId: locator('id', '1'),
			updateFields: { stickyIp: '={{ "" }}' },
		},
		'The parameter "Sticky IP" is empty',
	],
	[
		'tag',
		{
			operation: 'update',
			tagId: locator('id', '1'),
			updateFields: { color: '={{ "" }}' },
		},
		'The parameter "Color" is empty',
	],
	[
		'site',
		{
			operation: 'update',
			siteId: locator('id', '1'),
			updateFields: { stickyIp: '203.0.113.7', clear: ['connection.sticky_ip'] },
		},
		'The parameter "Clear" clears "connection.sticky_ip", which is also set',
	],
	[
		'site',
		{ operation: 'update', siteId: locator('id', '1'), updateFields: { clear: [] } },
		'The parameter "Clear" is empty',
	],
];

it.each(cases)('%s %j is refused', async (node, parameters, message) => {
	const { error } = await runNode(fleet.service, {
		node,
		parameters: { resource: node, ...parameters },
	});
	expect(error?.message).toBe(message);
	expect(error?.description).toContain('Nothing was sent');
	expect(fleet.sent()).toEqual([]);
});

it.each([
	['tag', getTag(locator('list', '')), 'Tag'],
	['tag', { operation: 'create', name: '' }, 'Name'],
	['tag', { operation: 'assign', tagId: locator('id', '1'), siteIds: '' }, 'Site IDs'],
	['site', { operation: 'getAll', output: 'selected', outputFields: [] }, 'Fields'],
] as Array<[string, INodeParameters, string]>)(
	'%s %j is refused by n8n itself before the run',
	async (node, parameters, name) => {
		const run = runNode(fleet.service, { node, parameters: { resource: node, ...parameters } });
		await expect(run).rejects.toThrow(`Parameter "${name}" is required`);
		expect(fleet.sent()).toEqual([]);
	},
);

it('an empty filter is not set, and a filter that is false is', async () => {
	const { error } = await runNode(fleet.service, {
		node: 'site',
		parameters: { resource: 'site', ...getSites({ clientId: '', tagIds: [], locked: false }) },
	});
	expect(error).toBeUndefined();
	expect(fleet.sent()[0]!.query).toEqual({
		page: '1',
		perPage: '50',
		'filters[locked:eq]': 'false',
	});
});

it('local times are read in the time zone of the workflow and sent in UTC', async () => {
	await runNode(fleet.service, {
		node: 'site',
		parameters: {
			resource: 'site',
			...getSites({
				createdAfter: '2026-07-01T00:00:00',
				createdBefore: '2026-07-02T12:00:00+05:00',
				updatedAfter: '={{ DateTime.fromISO("2026-07-01T08:00:00Z") }}',
			}),
		},
		timezone: 'Europe/Berlin',
	});
	expect(fleet.sent()[0]!.query).toMatchObject({
		'filters[created_at:gte]': '2026-06-30T22:00:00Z',
		'filters[created_at:lte]': '2026-07-02T07:00:00Z',
		'filters[updated_at:gte]': '2026-07-01T08:00:00Z',
	});
});

it('ids are percent-encoded', async () => {
	const { error } = await runNode(fleet.service, {
		node: 'tag',
		parameters: { resource: 'tag', ...getTag(locator('id', '../sites?x=1#y')) },
	});
	expect(fleet.sent()[0]!.route).toBe('GET /tags/..%2Fsites%3Fx%3D1%23y');
	expect(error?.message).toContain('does not know this item');
});
