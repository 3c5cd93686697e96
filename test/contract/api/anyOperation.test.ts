import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readProfile } from '../../../sandbox/service/otherService';
import { anyOperation } from '../../support/apiNode';
import { mustSucceed, nodeType, runNode, runOn } from '../../support/engine';
import { fleetEach, inStep } from '../../support/fleet';
import { root } from '../../support/reference';
import { toolOf } from '../../support/tool';

/** Any Operation: what it refuses, what it returns, and what it does without the API document. */

const profile = readProfile(join(root, 'sandbox/service/otherService/part-d.json'));
const fleet = fleetEach({ sites: 3, profile });
let sites: Array<Record<string, any>>;
let id: string;
beforeEach(async () => {
	inStep(fleet);
	sites = await fleet.sites(3);
	id = sites[0]!.id;
	fleet.forget();
});

const run = async (...asked: Parameters<typeof anyOperation>) =>
	await runNode(fleet, anyOperation(...asked));

/** What was sent, without the document. */
const sent = () => fleet.sent().filter(({ route }) => !route.endsWith('/openapi.json'));

const named = { 'body.tag.name': 'A' };
const list = { 'path.tag_id': '7', 'body.site_ids': { id: '1' } };

it.each<[operation: string, value: IDataObject, says: string]>([
	[
		'GET /tagz',
		{},
		'The parameter "API Operation" is "GET /tagz", which the API document does not have',
	],
	['POST /tags', {}, 'Values to Send > name" has no value'],
	['GET /tags/{tag_id}', {}, 'Values to Send > tag_id" has no value'],
	[
		'POST /tags',
		{ ...named, 'body.tag.icon': 'x' },
		'The parameter "Values to Send" has "body.tag.icon", which the operation does not have',
	],
	[
		'POST /tags',
		{ ...named, 'body.tag.color': 'red' },
		'The parameter "Values to Send > color" has "red", which is not in the form',
	],
	['GET /sites', { 'query.sort': 'up' }, '> sort" has "up", which is not one of created_at,asc'],
	[
		'POST /tags/{tag_id}/assign',
		list,
		'The parameter "Values to Send > site_ids" has "{"id":"1"}", which is not of the type array',
	],
	[
		'GET /sites',
		{ 'query.filters[tags:in][]': '={{ [] }}' },
		'> filters[tags:in][]" is an empty list',
	],
	['GET /sites', { 'query.filters[tags:in][]': ' , ' }, '> filters[tags:in][]" is an empty list'],
	['GET /tags/{tag_id}', { 'path.tag_id': '..' }, '"..", which cannot be a part of a path'],
])('refuses %s with %j, and sends nothing', async (operation, value, says) => {
	const { error, json } = await run(operation, value);
	expect(json).toEqual([]);
	expect(error?.message).toMatch(/^The parameter "/);
	expect(error?.message).toContain(says);
	expect(sent()).toEqual([]);
});

it('refuses a blank result of an expression, and leaves out a parameter that is blank', async () => {
	const value = { 'body.tag.name': '={{ $json.name }}', 'body.tag.color': null };
	const items = [{ name: 'Shops' }, { other: 1 }];
	const settings = { onError: 'continueRegularOutput' as const };
	const { json } = mustSucceed(await run('POST /tags', value, {}, { items, settings }));
	expect(json).toMatchObject([
		{ name: 'Shops' },
		{ error: expect.stringContaining('The parameter "Values to Send > body.tag.name" is empty') },
	]);
	expect(sent().map(({ body }) => body)).toEqual([{ tag: { name: 'Shops' } }]);
});

it('reads numbers, switches and JSON in texts as what the document wants', async () => {
	const ids = JSON.stringify(sites.map(({ id }) => String(id)));
	const [tag] = (await run('POST /tags', { 'body.tag.name': 7 })).json;
	const value = { 'path.tag_id': tag!.id, 'body.site_ids': ids };
	mustSucceed(await run('POST /tags/{tag_id}/assign', value));
	expect(sent().map(({ body }) => body)).toEqual([
		{ tag: { name: '7' } },
		{ site_ids: sites.map(({ id }) => String(id)) },
	]);
});

it('shows in a preview what would be sent', async () => {
	const { json } = await run('POST /tags', { 'body.tag.name': 'Shops' }, { preview: true });
	expect(json).toMatchObject([
		{ preview: true, request: { method: 'POST', body: { tag: { name: 'Shops' } } } },
	]);
	expect(sent()).toEqual([]);
});

describe('without an API document', () => {
	const limits = { apiDocumentUrl: 'http://127.0.0.1:9/openapi.json' };
	const without = async (...asked: Parameters<typeof anyOperation>) =>
		await runNode({ ...fleet, limits }, anyOperation(...asked));

	it.each([
		[{ returnAll: true }, 120],
		[{ limit: 50 }, 50],
	])('reads a list that has several pages as %j', async (more, count) => {
		for (let index = 0; index < 120; index++)
			await fleet.api.post('/tags', { tag: { name: `Tag ${index}` } });
		const only = { 'query.filters[name:contains]': 'Tag ' };
		const { json } = mustSucceed(await without('GET /tags', only, more));
		expect(new Set(json.map(({ name }) => name)).size).toBe(count);
	});

	it('says to a model that there are no records', async () => {
		const none = { 'query.filters[name:eq]': 'None' };
		const { json } = await without('GET /tags', none, {}, { asTool: true });
		expect(json).toMatchObject([{ count: 0, message: 'No records were found' }]);
	});
});

it('is described to a model by the document, and leaves blanks of the model out', async () => {
	const value = { 'body.tag.name': '={{ $json.name }}', 'body.tag.color': '={{ $json.color }}' };
	const { parameters } = anyOperation('POST /tags', value, { confirmation: 'none' });
	const schema = [{ id: 'body.tag.name', displayName: 'name', description: 'Shown in lists.' }];
	const fields = { ...(parameters.apiParameters as object), schema };
	const tool = toolOf(await nodeType('api'), { ...parameters, apiParameters: fields as never });
	expect(tool.description).toMatch(
		/^POST \/tags\.\nname\. Shown in lists\.\nRun any API operation\. /,
	);
	const call = { node: 'api', parameters, asTool: true, items: [{ name: 'Shops', color: '' }] };
	const { json } = mustSucceed(await runNode(fleet, call));
	expect(json).toMatchObject([{ name: 'Shops', color: null }]);
});

describe('an operation that no node has', () => {
	interface Plugin {
		slug: string;
		active: boolean;
	}
	const deactivate = 'POST /sites/wp/plugins/deactivate';

	async function plugins(): Promise<Plugin[]> {
		const { json } = mustSucceed(await run('GET /sites/wp/plugins', { 'query.site_ids[]': [id] }));
		expect(json).toHaveLength(1);
		return (json[0]!.wp as IDataObject).plugins as unknown as Plugin[];
	}

	it('waits for a task that comes with other information', async () => {
		const task = { id: 't1', status: 'queued', created_at: '2026-03-01T00:00:00Z' };
		const ended = { task: { ...task, status: 'completed' } };
		const answers = { 'GET /sites/1/scan': { body: { task, meta: {} } } };
		const { json, error } = await runOn(
			{ ...answers, 'GET /tasks/t1': { body: ended } },
			anyOperation('GET /sites/1/scan', {}, { options: { waitForCompletion: true } }),
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ status: 'completed' }]);
	});

	it('deactivates a plugin, waits for the task, and sees it in the list', async () => {
		const { slug } = (await plugins()).find(({ active }) => active)!;
		const value = { 'body.sites': [{ id, plugins: [{ slug }] }] };
		const waiting = { options: { waitForCompletion: true } };
		const { json } = mustSucceed(await run(deactivate, value, waiting));
		expect(json).toMatchObject([{ status: 'completed' }]);
		expect((await plugins()).find((plugin) => plugin.slug === slug)!.active).toBe(false);
	});

	it.each<[value: (id: string) => IDataObject, says: string]>([
		[(id) => ({ 'body.sites': [{ id, plugins: [{}] }] }), ' at 0.plugins.0.slug'],
		[() => ({}), '. Its form is [{ id, plugins: [{ slug, name?, version? }] }]'],
	])('says the form of a value that is missing: %#', async (value, says) => {
		const { error } = await run(deactivate, value(id));
		const missing = 'The parameter "Values to Send > sites" has no value';
		expect(error?.message.startsWith(`${missing}${says}`)).toBe(true);
		expect(fleet.changes()).toEqual([]);
	});

	it.each([
		(id) => id,
		(id) => [id],
		(id) => `={{ ["${id}"] }}`,
		(id) => `={{ "${id}" }}`,
		(id) => `${id}, ${id}`,
	] as Array<(id: string) => unknown>)('takes a list as the editor saves it: %#', async (given) => {
		const key = 'query.site_ids[]';
		const schema = [{ id: key, displayName: key, type: 'string', required: false, display: true }];
		const apiParameters = { mappingMode: 'defineBelow', value: { [key]: given(id) }, schema };
		const { json } = mustSucceed(await run('GET /sites/wp/plugins', {}, { apiParameters }));
		expect(json).toMatchObject([{ id }]);
	});

	it('returns a file', async () => {
		const value = { 'path.site_id': id };
		const { items } = mustSucceed(await run('GET /sites/{site_id}/performance/report', value));
		expect(items[0]!.binary!.data).toMatchObject({ mimeType: 'application/pdf' });
	});

	it('reads a list with pages', async () => {
		const attempts = async (more: INodeParameters) =>
			await run('GET /sites/{site_id}/security/login-attempts', { 'path.site_id': id }, more);
		const all = await attempts({ returnAll: true });
		expect(all.error).toBeUndefined();
		expect((await attempts({ limit: 2 })).json).toEqual(all.json.slice(0, 2));
	});
});

describe('with limits of the credential', () => {
	const readOnly = { access: 'readOnly' };
	const some = { siteAccess: 'selected', onlySites: 'a' };
	const under = async (limits: IDataObject, operation: string, value: IDataObject = {}) =>
		await runNode({ ...fleet, limits }, anyOperation(operation, value));
	const firewall = '/sites/{site_id}/security/firewall';
	const signIn = 'GET /sites/{site_id}/wp/users/{user_id}/sso-login-url';
	const ofSite = () => ({ 'path.site_id': id });

	it('is judged as the operation of the reference that it is', async () => {
		const { error } = await under(readOnly, 'POST /tags', named);
		expect(error?.message).toContain('its Access is Read Only');
		expect((await under(readOnly, 'listSites')).json).toHaveLength(3);
		expect(sent().map(({ route }) => route)).toEqual(['GET /sites']);
	});

	it('reads what no node knows', async () => {
		mustSucceed(await under(readOnly, `GET ${firewall}/ip-list`, ofSite()));
		expect(fleet.routes()).toContain(`GET /sites/${id}/security/firewall/ip-list`);
	});

	it.each<[what: string, operation: string, limits: IDataObject]>([
		['a sign-in link', signIn, readOnly],
		['a change', `POST ${firewall}/disable`, readOnly],
		['a change with a limit of changes', `POST ${firewall}/disable`, { maxChanges: 9 }],
		['a read where sites are limited', `GET ${firewall}/ip-list`, some],
	])('refuses %s', async (_what, operation, limits) => {
		const more = operation === signIn ? { 'path.user_id': '1' } : {};
		const { error } = await under(limits, operation, { ...ofSite(), ...more });
		expect(error?.message).toContain('is not allowed by the credential');
		expect(sent()).toEqual([]);
	});

	it('sends a change that Also Allowed names', async () => {
		const limits = { ...readOnly, alsoAllowed: 'POST /sites/{id}/security/firewall/disable' };
		expect((await under(limits, `POST ${firewall}/disable`, ofSite())).error).toBeUndefined();
	});
});

describe('several changes', () => {
	const items = (...names: Array<string | null>) => ({
		items: names.map((name) => (name === null ? {} : { name })),
	});
	const create = anyOperation('POST /tags', { 'body.tag.name': '={{ $json.name }}' });
	const madeNames = () => sent().map(({ body }: any) => body.tag.name);

	/** As with a database of several connections: the credential of an earlier item comes later. */
	const late = () => {
		let reads = 0;
		const onRead = async () => {
			const ticks = 20 - (reads++ % 10);
			for (let tick = 0; tick < ticks; tick++) await new Promise((next) => setImmediate(next));
		};
		return { ...fleet, onRead };
	};

	it('are sent in the order of their items, once the input of all was read', async () => {
		// From here on, the document is known.
		await run('GET /tags');
		fleet.forget();
		const { error } = await runNode(late(), { ...create, ...items('A', 'B', 'C', 'D') });
		expect(error).toBeUndefined();
		expect(madeNames()).toEqual(['A', 'B', 'C', 'D']);
		fleet.forget();
		const bad = await runNode(late(), { ...create, ...items('E', 'F', null) });
		expect(bad.error?.message).toMatch(/is empty \(item 3 of 3\)$/);
		expect(sent()).toEqual([]);
	});
});
