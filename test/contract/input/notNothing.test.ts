import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { actionNodes, activate, runNode, type NodeRun } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** What is set is never "nothing": each case once went out as less, more or something else than what was set. */

let fleet: Fleet;
beforeAll(async () => {
	fleet = await startFleet({ sites: 3 });
	useClock({ now: () => fleet.clock.now(), sleep: (ms) => fleet.clock.advance(ms) });
});
beforeEach(() => fleet.forget());

const run = async (node: string, parameters: INodeParameters, more: Partial<NodeRun> = {}) => {
	const [name, resource = name] = node.split('/') as [string, string?];
	return await runNode(fleet, {
		node: name,
		parameters: { resource, ...parameters },
		...more,
	});
};

const id = locator('1');
const onSnapshot = { siteId: id, snapshotId: locator('2') };
const restore = (parameters: INodeParameters) => ({
	operation: 'restore',
	...onSnapshot,
	...parameters,
});
const listSites = (filters: INodeParameters) => ({ operation: 'getAll', filters });
const createTag = (name: unknown) => ({ operation: 'create', name }) as INodeParameters;
const deleteTag = (tagId: unknown) => ({ operation: 'delete', tagId }) as INodeParameters;

type Case = [node: string, parameters: INodeParameters, message: string | RegExp];

const nothing = ['undefined', 'null', 'NaN', '""', '" "', '[]', '[""]', '", ,"', '{}'];

const refused: Case[] = [
	...nothing.map((value): Case => [
		'site',
		listSites({ clientId: locator(`={{ ${value} }}`) }),
		/^The parameter "Client" .*/,
	]),
	...nothing.map((value): Case => [
		'backup',
		restore({ paths: `={{ ${value} }}` }),
		/^The parameter "Paths" .*/,
	]),
	...nothing.map((value): Case => [
		'backup',
		restore({ additionalFields: { subsiteIds: `={{ ${value} }}` } }),
		/^The parameter "Subsite IDs" .*/,
	]),
	[
		'site',
		listSites({ clientId: '={{ $json.client }}' }),
		'The parameter "Client" is an object, not one ID: select its ID, such as {{ $json.client.id }}',
	],
	[
		'site',
		listSites({ clientId: locator('={{ $json.client }}') }),
		'The parameter "Client" is an object, not one ID: select its ID, such as {{ $json.client.id }}',
	],
	[
		'site',
		listSites({ clientId: '={{ [$json.client.id] }}' }),
		'The parameter "Client" is a list, not one ID: select one entry, such as {{ $json.sites[0].id }}',
	],
	['backup', restore({ paths: ', ,' }), 'The parameter "Paths" is empty'],
	['backup', restore({ includeFiles: '' as never }), 'The parameter "Include Files" is empty'],
	[
		'backup',
		restore({ paths: '={{ $json.files }}' }),
		'The parameter "Paths" is a list of records: select one field of each, such as {{ $json.sites.map(s => s.path) }}',
	],
	[
		'tag',
		{ operation: 'assign', tagId: id, siteIds: '={{ $json.files }}' },
		'The parameter "Site IDs or URLs" is a list of records: select one field of each, such as {{ $json.sites.map(s => s.id) }}',
	],
	[
		'autoUpdate/schedule',
		{
			operation: 'update',
			scheduleId: id,
			updateFields: { sites: { scope: { selection: '', siteIds: 'a' } } },
		},
		'The parameter "Replace Sites > Selection" is empty',
	],
	[
		'autoUpdate/schedule',
		{
			operation: 'update',
			scheduleId: id,
			updateFields: { sites: { scope: { selection: '={{ "all" }}', siteIds: 'a' } } },
		},
		'The parameter "Replace Sites > Site IDs or URLs" is set, but "Selection" is not "Specific"',
	],
	['tag', createTag('={{ NaN }}'), 'The parameter "Name" has no value'],
	[
		'tag',
		createTag('={{ $json.client }}'),
		'The parameter "Name" is an object, not a text: select a field, such as {{ $json.client.id }}',
	],
	[
		'tag',
		createTag('={{ ["a", "b"] }}'),
		'The parameter "Name" is a list, not a text: select one entry, such as {{ $json.sites[0].id }}',
	],
	[
		'tag',
		createTag('Of {{ $json.client }}'.replace('Of', '=Of')),
		'The parameter "Name" contains "[object Object]": select a field of the object, such as {{ $json.client.id }}',
	],
	[
		'tag',
		{ operation: 'getAll', filters: { nameContains: '={{ ["a"] }}' } },
		'The parameter "Name Contains" is a list, not a text: select one entry, such as {{ $json.sites[0].id }}',
	],
	...['true', '$json.client', '[7]'].map((value): Case => [
		'tag',
		deleteTag(`={{ ${value} }}`),
		/^The parameter "Tag" is (true|an object|a list), not (an|one) ID/,
	]),
	['tag', deleteTag('={{ NaN }}'), 'The parameter "Tag" has no value'],
	[
		'tag',
		deleteTag('={{ 12345678901234567890 }}'),
		'The parameter "Tag" is not an ID: 12345678901234567000',
	],
	[
		'tag',
		deleteTag('={{ "\\ud800" }}'),
		'The parameter "Tag" contains a broken character (half of a surrogate pair): " "',
	],
	[
		'site',
		listSites({ createdAfter: '={{ 12 }}' }),
		'The parameter "Created After" is not a date and time: 12; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	['site', listSites({ createdAfter: '12' }), /^The parameter "Created After" is not a date/],
	['site', { operation: 'getAll', limit: '' as never }, 'The parameter "Limit" is empty'],
	['site', { operation: 'getAll', limit: '={{ " " }}' }, 'The parameter "Limit" is empty'],
	[
		'backup',
		restore({ waitForCompletion: '={{ "soon" }}' }),
		'The parameter "Wait for Completion" must be true or false: "soon"',
	],
	[
		'tag',
		{ operation: 'create', name: 'A', additionalFields: { color: '={{ "red" }}' } },
		'The parameter "Color" is not a hex color, such as #2f80ed: "red"',
	],
	[
		'stagingSite',
		{ operation: 'updatePhpVersion', stagingSiteId: id, phpVersion: '={{ "new" }}' },
		'The parameter "PHP Version" is not a PHP version, such as 8, 8.2 or 8.2.14: "new"',
	],
	[
		'site',
		{ operation: 'create', url: 'www.example.com' },
		'The parameter "URL" is not a URL that starts with http:// or https://: "www.example.com"',
	],
	[
		'senderEmail',
		{
			operation: 'update',
			senderEmailId: id,
			updateFields: { additionalBodyFields: '{ "__proto__": { "a": 1 } }' },
		},
		'The parameter "Additional Body Fields" contains the field "__proto__", which cannot be sent,',
	],
	[
		'backup',
		restore({ connectionMethod: 'ftp', ftpCredentials: 'password=hunter2' }),
		'The parameter "FTP Credentials" is not valid JSON',
	],
	['tag', { operation: 'explode', tagId: id }, 'The parameter "Operation" is unknown. Choose one'],
];

it.each(refused)('%s %j is refused', async (node, parameters, message) => {
	const { error } = await run(node, parameters, {
		items: [{ client: { id: 'c1', email: 'a@example.com' }, files: [{ path: './a', id: '1' }] }],
	});
	expect(error?.message).toMatch(message);
	expect(error?.message).not.toContain('hunter2');
	expect(error?.message.length).toBeLessThan(220);
	expect(fleet.sent()).toEqual([]);
});

describe('exactly what is set goes out', () => {
	const bodies = () => fleet.sent().map(({ body }) => body);
	const queries = () => fleet.sent().map(({ query }) => query);

	it.each([
		['={{ 8.2 }}', '8.2'],
		['={{ true }}', 'true'],
		['={{ $json.number }}', '42'],
		[' spaced ', ' spaced '],
	])('the text %s', async (name, sent) => {
		await run('tag', createTag(name), { items: [{ number: 42 }] });
		expect(bodies()).toEqual([{ tag: { name: sent } }]);
	});

	it('a number as an ID', async () => {
		await run('tag', deleteTag('={{ 7 }}'));
		expect(fleet.sent().map(({ route }) => route)).toEqual(['DELETE /tags/7']);
	});

	it('numbers in a list of IDs', async () => {
		await run('tag', {
			operation: 'assign',
			tagId: id,
			siteIds: '={{ [7041000001, "7041000002"] }}',
		});
		expect(bodies()).toEqual([{ site_ids: ['7041000001', '7041000002'] }]);
	});

	it('a choice by expression, with its unused fields blank', async () => {
		await run('backup', {
			operation: 'upload',
			...onSnapshot,
			provider: '={{ "cloudstore_a" }}',
			options: { allowHackedSnapshot: true },
		});
		await run('backupContent/file', {
			operation: 'getVersions',
			siteId: id,
			findBy: '={{ "path" }}',
			path: './a',
		});
		expect(bodies()).toMatchObject([
			undefined,
			{ upload: { destination: { provider: 'cloudstore_a' } } },
			undefined,
		]);
		expect(queries()[2]).toEqual({ path: './a' });
	});

	it('Return All and Wait for Completion by expression', async () => {
		await run('tag', { operation: 'getAll', returnAll: '={{ "true" }}' });
		expect(queries()[0]).toEqual({ page: '1', perPage: '100' });
		const [site] = await fleet.sites(1);
		fleet.forget();
		await run('stagingSite', {
			operation: 'create',
			siteId: locator(site!.id),
			snapshotId: locator(site!.backups.latest_snapshot.id),
			waitForCompletion: '={{ "true" }}',
			waitOptions: { timeLimit: 1 },
		});
		expect(fleet.sent().length).toBeGreaterThan(1);
	});

	it('a path with blanks around it, from an array', async () => {
		await run('backupContent/file', {
			operation: 'skip',
			siteId: id,
			paths: '={{ ["./a ", "./b,c"] }}',
		});
		expect(bodies()).toEqual([{ paths: ['./a ', './b,c'] }]);
	});

	it('a time with microseconds', async () => {
		const time = '2026-03-01T12:00:00.123456Z';
		await run('backupContent/file', {
			operation: 'download',
			siteId: id,
			findBy: 'path',
			path: './a',
			modifiedAt: time,
			size: 3,
		});
		expect(queries()[0]).toMatchObject({ modified_at: time });
	});
});

describe('blank filters', () => {
	const blanks = ['undefined', 'null', "''", '[]', '{}'];

	it('of every list by expression are refused: never a request', async () => {
		let count = 0;
		for (const { name: node, properties } of await actionNodes()) {
			const lists = properties.filter(({ name }) => name === 'filters');
			for (const { options, displayOptions } of lists) {
				const { resource, operation } = displayOptions!.show!;
				for (const filter of options as INodeProperties[]) {
					for (const blank of blanks) {
						const { error } = await runNode(fleet, {
							node,
							parameters: {
								resource: resource![0] as string,
								operation: operation![0] as string,
								siteId: id,
								filters: { [filter.name]: `={{ ${blank} }}` },
							},
						});
						expect(`${filter.displayName}: ${error?.message}`).toContain(
							`The parameter "${filter.displayName}"`,
						);
						count += 1;
					}
				}
			}
		}
		expect(count).toBeGreaterThan(500);
		expect(fleet.sent()).toEqual([]);
	});

	it.each(['undefined', 'null', '""', '[]', '[null]', '{}', 'NaN'])(
		'that are %s are left out if chosen',
		async (blank) => {
			const { error } = await run('site', {
				operation: 'getAll',
				filters: {
					clientId: locator(`={{ ${blank} }}`),
					tagIds: `={{ ${blank} }}`,
					urlContains: `={{ ${blank} }}`,
					locked: true,
				},
				options: { ignoreBlankFilters: true },
			});
			expect(error).toBeUndefined();
			expect(fleet.sent()[0]!.query).toEqual({
				page: '1',
				perPage: '50',
				'filters[locked:eq]': 'true',
			});
		},
	);

	it('the refusal names the option, which is checked itself', async () => {
		const filters = { urlContains: '={{ "" }}' };
		const { error } = await run('site', listSites(filters));
		expect(error?.message).toContain('Options > Ignore Blank Filters');
		const bad = await run('site', {
			...listSites(filters),
			options: { ignoreBlankFilters: '={{ "" }}' },
		});
		expect(bad.error?.message).toBe('The parameter "Ignore Blank Filters" is empty');
		expect(fleet.sent()).toEqual([]);
	});

	it('that a model leaves blank are not set in a list, and other fields must not be blank', async () => {
		const items: IDataObject[] = [{ text: '', client: '', paths: '' }];
		const filters = {
			urlContains: "={{ $fromAI('text') }}",
			clientId: locator("={{ $fromAI('client') }}"),
		};
		const asTool = { items, asTool: true };
		const { error } = await run('site', listSites(filters), asTool);
		expect(error).toBeUndefined();
		expect(fleet.sent()[0]!.query).toEqual({ page: '1', perPage: '50' });
		fleet.forget();
		const change = await run('backup', restore({ paths: "={{ $fromAI('paths') }}" }), asTool);
		expect(change.error?.message).toBe('The parameter "Paths" is empty');
		const missing = await run('site', listSites({ urlContains: '={{ null }}' }), asTool);
		expect(missing.error?.message).toBe(
			'The parameter "URL Contains" has no value; to list without this filter, use an empty text',
		);
		expect(fleet.sent()).toEqual([]);
	});

	it('that a model writes as JSON in a text are read as the list', async () => {
		const items: IDataObject[] = [
			{ ids: ' ["1", 2]', none: '[]', one: '["1"]', object: '{"id":1}' },
		];
		const asTool = { items, asTool: true };
		const listed = async (name: string) =>
			await run('site', listSites({ tagIds: `={{ $json.${name} }}` }), asTool);
		expect((await listed('ids')).error).toBeUndefined();
		expect(fleet.sent().at(-1)!.query).toMatchObject({ 'filters[tags:in][]': ['1', '2'] });
		fleet.forget();
		expect((await listed('none')).error?.message).toBe(
			'The parameter "Tag Names or IDs" is an empty list',
		);
		expect((await listed('object')).error?.message).toContain('is an object, not a list');
		for (const name of ['one', 'object']) {
			const { error } = await run('tag', deleteTag(locator(`={{ $json.${name} }}`)), asTool);
			expect(error?.message).toMatch(/^The parameter "Tag" is an? (list|object), not one ID/);
		}
		expect(fleet.sent()).toEqual([]);
	});

	it('a model gets a message that there are no records, and a workflow gets none', async () => {
		const list = listSites({ urlContains: 'no site has this' });
		const none = { count: 0, message: 'No records were found' };
		expect((await run('site', list, { asTool: true })).json).toEqual([none]);
		expect((await run('site', list)).json).toEqual([]);
	});
});

describe('triggers report the same messages', () => {
	it.each<[node: string, parameters: INodeParameters, message: string | RegExp]>([
		[
			'taskTrigger',
			{ events: ['failed'], filters: { taskTypes: [''] } },
			'The parameter "Task Types" is empty',
		],
		[
			'taskTrigger',
			{ events: ['failed'], filters: { taskTypes: '={{ [] }}' } },
			'The parameter "Task Types" is empty',
		],
		[
			'siteTrigger',
			{ output: '={{ "full" }}' },
			'The parameter "Output" is "full", which is not one of "raw", "selected", "simplified"',
		],
		[
			'siteTrigger',
			{ output: 'selected', outputFields: '={{ ["a..b"] }}' },
			/^The parameter "Fields" contains something that is not a field or path, /,
		],
		[
			'siteTrigger',
			{ scope: 'tag', tagId: locator('..') },
			'The parameter "Tag" is not an ID: ".."',
		],
		[
			'siteTrigger',
			{ scope: 'tag', tagId: locator('={{ undefined }}') },
			'The parameter "Tag" has no value',
		],
		[
			'siteTrigger',
			{ scope: '={{ "tag" }}', tagId: locator('={{ undefined }}') },
			'The parameter "Sites" is "{{ "tag" }}", which is not one of "all", "client", "tag", "sites"',
		],
		[
			'activityLogTrigger',
			{ siteId: id, filters: { username: '={{ "" }}' } },
			'The parameter "Username" is empty',
		],
	])('%s %j', async (node, parameters, message) => {
		const { poll, test } = await activate(fleet, { node, parameters });
		await expect(poll()).rejects.toThrow(message);
		await expect(test()).rejects.toThrow(message);
		expect(fleet.sent()).toEqual([]);
	});

	it('a scope needs nothing of the others', async () => {
		const { poll } = await activate(fleet, {
			node: 'siteTrigger',
			parameters: { events: ['down'], scope: 'all', tagId: locator(''), siteIds: [] },
		});
		await expect(poll()).resolves.toBeNull();
	});
});

describe('the credential', () => {
	const tags = { node: 'tag', parameters: { resource: 'tag', operation: 'getAll' } };

	it.each([
		['https://user:hunter2@api.example.com/api/v6', 'must be a plain URL'],
		['hunter2', 'is not a URL'],
		['https://api.example.com/api/v6#', 'must be a plain URL'],
		['https://api.example.com/api/v6?', 'must be a plain URL'],
	])('the base URL %s is refused, and not repeated', async (baseUrl, problem) => {
		const { error } = await runNode({ baseUrl, token: 'x' }, tags);
		expect(error?.message).toContain(`The Base URL of the credential ${problem}`);
		expect(JSON.stringify([error, error?.stack])).not.toContain('hunter2');
	});

	it.each(['', ' ', 'a b', 'token\n'])('the token %j is refused', async (token) => {
		const { error } = await runNode({ baseUrl: fleet.baseUrl, token }, tags);
		expect(error?.message).toContain('The API Token of the credential');
		expect(fleet.sent()).toEqual([]);
	});

	it.each([-1, 0.5, 'many' as never])('the cap %j is refused', async (requestsPerMinute) => {
		const { error } = await runNode({ ...fleet, requestsPerMinute }, tags);
		expect(error?.message).toContain('The Requests per Minute of the credential');
		expect(fleet.sent()).toEqual([]);
	});
});
