import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { nodeType, runNode, type NodeRun } from '../../support/engine';
import { fleetEach, inStep } from '../../support/fleet';
import { toolOf } from '../../support/tool';

/** Any Operation: what it refuses, what it returns, and what it does without the API document. */

const fleet = fleetEach({ sites: 3 });
let sites: Array<Record<string, any>>;
beforeEach(async () => {
	inStep(fleet);
	sites = await fleet.sites(3);
	fleet.forget();
});

const asked = (operation: string, value: IDataObject = {}, more: INodeParameters = {}) => ({
	node: 'api',
	parameters: {
		...{ resource: 'request', operation: 'anyOperation' },
		apiOperation: { __rl: true, mode: 'id', value: operation },
		apiParameters: { mappingMode: 'defineBelow', value, schema: [] } as unknown as INodeParameters,
		...more,
	},
});

const run = async (
	operation: string,
	value?: IDataObject,
	more?: INodeParameters,
	rest?: Partial<NodeRun>,
) => await runNode(fleet, { ...asked(operation, value, more), ...rest });

/** What was sent, without the document. */
const sent = () => fleet.sent().filter(({ route }) => !route.endsWith('/openapi.json'));

it.each(['createTag', 'POST /tags'])(
	'takes the name or the route of an operation: %s',
	async (operation) => {
		const { json, error } = await run(operation, { 'body.tag.name': 'Shops' });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: expect.anything(), name: 'Shops' }]);
	},
);

it.each<[what: string, operation: string, value: IDataObject, says: string]>([
	[
		'an operation that is none',
		'GET /tagz',
		{},
		'The parameter "API Operation" is "GET /tagz", which the API document does not have',
	],
	[
		'a required value that is missing',
		'POST /tags',
		{},
		'The parameter "Values to Send > name" has no value',
	],
	[
		'a missing ID',
		'GET /tags/{tag_id}',
		{},
		'The parameter "Values to Send > tag_id" has no value',
	],
	[
		'a parameter that it does not have',
		'POST /tags',
		{ 'body.tag.name': 'A', 'body.tag.icon': 'x' },
		'has "body.tag.icon", which the operation does not have',
	],
	[
		'a value in another form',
		'POST /tags',
		{ 'body.tag.name': 'A', 'body.tag.color': 'red' },
		'The parameter "Values to Send > color" has "red", which is not in the form',
	],
	[
		'a choice that is none',
		'GET /sites',
		{ 'query.sort': 'size,asc' },
		'The parameter "Values to Send > sort" has "size,asc", which is not one of created_at,asc',
	],
	[
		'another type',
		'POST /tags/{tag_id}/assign',
		{ 'path.tag_id': '7', 'body.site_ids': { id: '1' } },
		'The parameter "Values to Send > site_ids" has "{"id":"1"}", which is not of the type array',
	],
	[
		'a part of a path',
		'GET /tags/{tag_id}',
		{ 'path.tag_id': '..' },
		'has "..", which cannot be a part of a path',
	],
])('refuses %s, and sends nothing', async (_what, operation, value, says) => {
	const { error, json } = await run(operation, value);
	expect(json).toEqual([]);
	expect(error?.message).toContain(says);
	expect(sent()).toEqual([]);
});

it('refuses a blank result of an expression, and leaves out a parameter that is blank', async () => {
	const value = { 'body.tag.name': '={{ $json.name }}', 'body.tag.color': null };
	const items = [{ name: 'Shops' }, { other: 1 }];
	const { json, error } = await run(
		'POST /tags',
		value,
		{},
		{ items, settings: { onError: 'continueRegularOutput' } },
	);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([
		{ name: 'Shops' },
		{ error: expect.stringContaining('The parameter "Values to Send > body.tag.name" is empty') },
	]);
	expect(sent().map(({ body }) => body)).toEqual([{ tag: { name: 'Shops' } }]);
});

it('reads numbers, switches and JSON in texts as what the document wants', async () => {
	const ids = JSON.stringify(sites.map(({ id }) => String(id)));
	const {
		json: [tag],
	} = await run('POST /tags', { 'body.tag.name': 7 });
	const { error } = await run('POST /tags/{tag_id}/assign', {
		'path.tag_id': tag!.id,
		'body.site_ids': ids,
	});
	expect(error).toBeUndefined();
	expect(sent().map(({ body }) => body)).toEqual([
		{ tag: { name: '7' } },
		{ site_ids: sites.map(({ id }) => String(id)) },
	]);
});

it('reads all pages of a list, or as many records as Limit says', async () => {
	const all = await run('listSites', {}, { returnAll: true });
	expect(all.json.map(({ id }) => id)).toEqual(sites.map(({ id }) => id));
	const two = await run('listSites', {}, { limit: 2 });
	expect(two.json).toHaveLength(2);
});

it('waits for the end of a task', async () => {
	const started = await run('POST /reports', reportOf());
	expect(started.json).toMatchObject([{ status: 'queued' }]);
	const ended = await run('POST /reports', reportOf(), { options: { waitForCompletion: true } });
	expect(ended.error).toBeUndefined();
	expect(ended.json).toMatchObject([{ status: 'completed' }]);
});

const reportOf = () => ({
	'body.report.site_id': String(sites[0]!.id),
	'body.report.start_date': '2026-02-01',
	'body.report.end_date': '2026-02-28',
});

it('puts a file into a binary field', async () => {
	const {
		json: [task],
	} = await run('POST /reports', reportOf(), { options: { waitForCompletion: true } });
	expect(task).toBeDefined();
	const { json: reports } = await run('listReports', {}, { returnAll: true });
	const { items, error } = await run('GET /reports/{report_id}/download', {
		'path.report_id': reports[0]!.id as string,
	});
	expect(error).toBeUndefined();
	expect(items[0]!.binary!.data).toMatchObject({ mimeType: 'application/pdf' });
});

it('shows in a preview what would be sent', async () => {
	const { json } = await run('POST /tags', { 'body.tag.name': 'Shops' }, { preview: true });
	expect(json).toMatchObject([
		{ preview: true, request: { method: 'POST', body: { tag: { name: 'Shops' } } } },
	]);
	expect(sent()).toEqual([]);
});

describe('without an API document', () => {
	const without = () => ({
		...fleet,
		limits: { apiDocumentUrl: 'http://127.0.0.1:9/openapi.json' },
	});

	it('refuses a change, and says why', async () => {
		const { error } = await runNode(without(), asked('POST /tags', { 'body.tag.name': 'A' }));
		expect(error?.message).toContain(
			'POST /tags cannot be checked, because the API document cannot be used: The service refused',
		);
		expect(sent()).toEqual([]);
	});

	it('sends a read', async () => {
		const { json, error } = await runNode(
			without(),
			asked('GET /sites', { 'query.filters[url:contains]': 'a' }),
		);
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
		expect(sent()).toMatchObject([
			{ route: 'GET /sites', query: { 'filters[url:contains]': 'a' } },
		]);
	});
});

describe('with limits of the credential', () => {
	const limited = (limits: IDataObject) => ({ ...fleet, limits });

	it('is judged as the operation of the reference that it is', async () => {
		const { error } = await runNode(
			limited({ access: 'readOnly' }),
			asked('POST /tags', { 'body.tag.name': 'A' }),
		);
		expect(error?.message).toContain('its Access is Read Only');
		const { json } = await runNode(limited({ access: 'readOnly' }), asked('listSites'));
		expect(json).toHaveLength(3);
		expect(sent().map(({ route }) => route)).toEqual(['GET /sites']);
	});
});

it('is described to a model by the document, and leaves blanks of the model out', async () => {
	const value = { 'body.tag.name': '={{ $json.name }}', 'body.tag.color': '={{ $json.color }}' };
	const { parameters } = asked('POST /tags', value, { confirmation: 'none' });
	const schema = [{ id: 'body.tag.name', displayName: 'name', description: 'Shown in lists.' }];
	const fields = { ...(parameters.apiParameters as object), schema };
	const tool = toolOf(await nodeType('api'), { ...parameters, apiParameters: fields as never });
	expect(tool.description).toMatch(
		/^POST \/tags\.\nname\. Shown in lists\.\nRun any API operation\. /,
	);
	const { json, error } = await runNode(fleet, {
		...{ node: 'api', parameters, asTool: true },
		items: [{ name: 'Shops', color: '' }],
	});
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ name: 'Shops', color: null }]);
});
