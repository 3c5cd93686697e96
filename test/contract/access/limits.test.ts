import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';
import { OF_SERVICE } from '../../support/apiNode';
import {
	type Access,
	activate,
	addNode,
	nodeType,
	operationRun as on,
	runNode,
	runOf,
	searchList,
} from '../../support/engine';
import { locator } from '../../support/locator';
import { fleetEach, inStep } from '../../support/fleet';
import { startWayward } from '../../support/wayward';

/** What a credential allows, as nodes, tools, triggers, n8n's other nodes and attackers meet it. */

const fleet = fleetEach({ sites: 4 });
let sites: Array<Record<string, any>>;
beforeEach(async () => {
	inStep(fleet);
	sites = await fleet.sites(4);
});

const limited = (limits: IDataObject) => ({ ...fleet, limits });

const createTag = on('tag', 'create', { name: 'New' });

/** Creates tags with Continue On Fail, of which only one is allowed. */
const createTags = async (service: Access, count: number) => {
	const settings = { onError: 'continueRegularOutput' as const };
	const run = { ...createTag, items: Array(count).fill({}), settings };
	return (await runNode({ ...service, limits: { maxChanges: 1 } }, run)).json;
};

/** What becomes of requests that another node sends with the credential: the message of its error, where it has one. */
async function signing(access: Access, requests: IHttpRequestOptions[]): Promise<unknown[]> {
	const description = { name: 'signing', displayName: 'Signing', properties: [], version: 1 };
	const credentials = [{ name: 'siteManagementApi' }];
	addNode({
		description: { ...description, credentials, group: [], inputs: ['main'], outputs: ['main'] },
		async execute(this: IExecuteFunctions) {
			const json = [];
			for (const options of requests) {
				const sent = this.helpers.httpRequestWithAuthentication.call(
					this,
					'siteManagementApi',
					options,
				);
				const told = await sent.then(() => undefined).catch(({ message }: Error) => message);
				json.push({ json: { told } });
			}
			return [json];
		},
	} as unknown as INodeType);
	const { json } = await runNode(access, { node: 'signing', parameters: {} });
	return json.map(({ told }) => told);
}

describe('Access', () => {
	it('a site By URL is not looked up for a forbidden operation', async () => {
		const limits = { access: 'selected', allowed: ['organises', 'cares', 'changesSites'] };
		const run = on('site', 'delete', { siteId: locator(sites[0]!.url, 'url') });
		const { error } = await runNode(limited(limits), run);
		expect(error?.message).toBe(
			'Site: Delete is not allowed by the credential "Sandbox": its Access does not include "Destroy"',
		);
		expect(error?.description).toContain('Nothing was sent');
		expect(fleet.sent()).toEqual([]);
	});

	it('applies item by item with Continue On Fail, and to tools of agents', async () => {
		for (const settings of [{ onError: 'continueRegularOutput' as const }, {}]) {
			const run = { ...createTag, items: [{}, {}], settings, asTool: !settings.onError };
			const { json, error } = await runNode(limited({ access: 'readOnly' }), run);
			const told = error?.message ?? String(json[0]!.error);
			expect(told).toContain('Tag: Create is not allowed by the credential "Sandbox"');
		}
		expect(fleet.sent()).toEqual([]);
	});

	it('allows nothing without declared effects', async () => {
		const { read } = require('../../../dist/nodes/shared/client/request') as {
			read: (context: unknown, options: object, accept: () => void) => Promise<unknown>;
		};
		const tagNode = await nodeType('tag');
		addNode({
			description: {
				...tagNode.description,
				name: 'rawRequest',
				requestDefaults: undefined,
				requestOperations: undefined,
				properties: [],
			},
			async execute() {
				const body = { tag: { name: 'New' } };
				const does = this.getInputData()[0]!.json.does;
				const request = { method: 'POST', url: '/tags', body, ...(does && { does }) };
				await read(this, request, () => undefined);
				return [[]];
			},
		});
		const run = { node: 'rawRequest', parameters: {} };
		const most = limited({ maxChanges: 100 });
		for (const access of [limited({ access: 'readOnly' }), most]) {
			const unknown = { ...run, items: [{ does: { touches: {} } }] };
			const { error } = await runNode(access, unknown);
			expect(error?.message).toContain(
				'POST /tags is not allowed by the credential "Sandbox": this package does not know the request',
			);
		}
		expect(fleet.sent()).toEqual([]);
		expect((await runNode(fleet, run)).error).toBeUndefined();
		expect(fleet.changes()).toHaveLength(1);
	});

	it('triggers and list searches work with the lowest access', async () => {
		const reader = limited({ access: 'readOnly' });
		const parameters = { events: ['disconnected'] };
		const { poll } = await activate(reader, { node: 'siteTrigger', parameters });
		expect(await poll()).toBeNull();
		const search = { node: 'site', method: 'searchSites', parameters: { resource: 'site' } };
		expect((await searchList(reader, search)).results).not.toEqual([]);
	});
});

describe('passwords in Raw', () => {
	const getRaw = (id: string) => on('site', 'get', { siteId: locator(id), output: 'raw' });

	beforeEach(async () => {
		const http_auth = { username: 'me', password: 'hush hush' };
		await fleet.api.post(`/sites/${sites[0]!.id}/update`, { site: { connection: { http_auth } } });
	});

	it.each([
		['********', { access: 'readOnly' }],
		['********', { access: 'selected', allowed: ['changesSites', 'destroys'] }],
		['hush hush', { access: 'selected', allowed: ['givesAccess'] }],
		['hush hush', {}],
	])('are %s with %j', async (password, limits) => {
		const { json } = await runNode(limited(limits), getRaw(sites[0]!.id as string));
		expect(json[0]).toMatchObject({ connection: { http_auth: { username: 'me', password } } });
	});
});

describe('Only Sites', () => {
	const only = (...ids: unknown[]) =>
		limited({ siteAccess: 'selected', onlySites: ids.join(', '), onlyTags: '' });

	it('includes the sites that have a tag at the time', async () => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Ours' } });
		const tag = String(data.tag.id);
		const access = limited({ siteAccess: 'selected', onlySites: '', onlyTags: tag });
		const note = on('note', 'create', { siteId: locator(sites[0]!.id), content: 'Hello' });
		expect((await runNode(access, note)).error?.message).toBe(
			`Note: Create is not allowed by the credential "Sandbox": the site ${sites[0]!.id} has none of its Only Tags`,
		);
		await fleet.api.post(`/tags/${tag}/assign`, { site_ids: [sites[0]!.id] });
		expect((await runNode(access, note)).error).toBeUndefined();
		await fleet.api.post(`/tags/${tag}/remove`, { site_ids: [sites[0]!.id] });
		expect((await runNode(access, note)).error?.message).toContain('has none of its Only Tags');
	});

	it('does not fail a change whose sites cannot be named afterwards', async () => {
		const posts = () => service.routes().filter((route) => route.startsWith('POST ')).length;
		const ids = Array.from({ length: 11 }, (_, index) => `s${index}`);
		const service = await startWayward((_url, _count, route) => {
			if (route === 'GET /tags/7' && posts() === ids.length) return { status: 403, body: {} };
			if (route === 'GET /tags/7') return { body: { tag: { id: '7', site_ids: ids } } };
			const id = route.split('/')[2];
			return { body: route.startsWith('GET ') ? { site: { id } } : { note: { id: `of-${id}` } } };
		});
		const access = { ...service, limits: { siteAccess: 'selected', onlySites: '', onlyTags: '7' } };
		const set = { siteId: locator('={{ $json.id }}'), content: 'Hello' };
		const note = async (some: string[]) =>
			await runNode(access, { ...on('note', 'create', set), items: some.map((id) => ({ id })) });
		// From the eleventh on, the names come from the list of sites.
		await note(ids.slice(0, 10));
		const { json, error } = await note(ids.slice(10));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: 'of-s10', site_title: null }]);
		expect(service.routes().at(-1)).toBe('GET /tags/7');
	});

	it('checks IDs in bodies, from expressions and from tools of agents', async () => {
		const [own, other] = sites as [any, any];
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Own' } });
		fleet.forget();
		const assign = on('tag', 'assign', {
			tagId: locator(String(data.tag.id)),
			siteIds: '={{ $json.ids }}',
		});
		for (const asTool of [false, true]) {
			for (const ids of [[own.id, other.id], `${own.id},${other.id}`]) {
				const run = { ...assign, asTool, items: [{ ids }] };
				const { error, json } = await runNode(only(own.id), run);
				expect(error?.message ?? json[0]!.error).toContain(`the site ${other.id} is not in`);
			}
		}
		expect(fleet.changes()).toEqual([]);
		const right = await runNode(only(own.id), { ...assign, items: [{ ids: [own.id] }] });
		expect(right.error).toBeUndefined();
	});

	it('shows no record of others where nothing is left to do', async () => {
		const [own = '', other = ''] = sites.map(({ id }) => String(id));
		fleet.world.store.sites.get(other)!.internal.client_id = null;
		const email = 'theirs@example.com';
		const { data } = await fleet.api.post('/clients', { client: { email, site_ids: [other] } });
		const clientId = locator(String(data.client.id));
		fleet.forget();
		for (const preview of [false, true]) {
			for (const [operation, set] of [
				['addSites', { clientId, siteIds: other }],
				['removeSites', { clientId, siteIds: own }],
				['upsert', { email }],
			] as const) {
				const run = on('client', operation, { ...set, preview });
				const { json, error } = await runNode(only(own), run);
				expect(error?.message).toContain(`the site ${other} is not in its Only Sites`);
				expect(json).toEqual([]);
				expect((await runNode(only(own, other), run)).error).toBeUndefined();
			}
		}
		expect(fleet.changes()).toEqual([]);
	});

	it('names a tag of the credential that does not exist', async () => {
		const access = limited({ siteAccess: 'selected', onlySites: '', onlyTags: '999999' });
		const parameters = { siteId: locator(sites[0]!.id), content: 'Hello' };
		for (const run of [on('note', 'create', parameters), on('site', 'getAll', {})]) {
			const { error } = await runNode(access, run);
			expect(error?.message).toBe(
				'Only Tags of the credential "Sandbox" has the tag 999999, which does not exist',
			);
			expect(error?.description).toContain('Open the credential');
		}
		expect(fleet.changes()).toEqual([]);
	});
});

describe('Changes per Execution', () => {
	it('counts entries that an update drops from a list as destroyed', async () => {
		const [first, second, third] = sites.map(({ id }) => id as string);
		const site_ids = [first, second, third];
		const team_member = { name: 'A', email: 'a@example.com', role: 'collaborator', site_ids };
		const { data } = await fleet.api.post('/team-members', { team_member });
		fleet.forget();
		const keep = (...siteIds: unknown[]) =>
			on('teamMember', 'update', {
				teamMemberId: locator(String(data.team_member.id)),
				updateFields: { siteIds: siteIds.join() },
			});
		const { error } = await runNode(limited({ maxHarmful: 1 }), keep(first));
		expect(error?.message).toContain('Harmful Changes per Execution is 1');
		expect(error?.message).toContain('this request would make 2 more');
		expect(fleet.changes()).toEqual([]);
		expect((await runNode(limited({ maxHarmful: 1 }), keep(first, second))).error).toBeUndefined();
		expect(fleet.changes()).toHaveLength(1);
	});

	it('counts the sites that an update adds to a list or drops from it, not those that stay', async () => {
		const ids = sites.map(({ id }) => id as string);
		for (const id of ids) fleet.world.store.sites.get(id)!.internal.client_id = null;
		const client = { company_name: 'A', email: 'a@example.com', site_ids: ids.slice(0, 3) };
		const { data } = await fleet.api.post('/clients', { client });
		const clientId = locator(String(data.client.id));
		const access = limited({ maxChanges: 1 });
		const add = on('client', 'addSites', { clientId, siteIds: ids[3] });
		expect((await runNode(access, add)).error).toBeUndefined();
		const update = (updateFields: object) => on('client', 'update', { clientId, updateFields });
		for (const siteIds of [ids[0], ids.slice(0, 2).join()]) {
			const { error } = await runNode(access, update({ siteIds }));
			expect(error?.message).toContain('Changes per Execution is 1');
		}
		fleet.forget();
		const { error } = await runNode(access, update({ clear: ['site_ids'] }));
		expect(error?.message).toContain('this request would make 4 more');
		expect(fleet.changes()).toEqual([]);
	});

	it.each([
		['null', { site_ids: null }],
		['left out', {}],
	])('counts all sites that are sent where the list of the record is %s', async (_, list) => {
		const client = { id: '7', email: 'a@example.com', ...list };
		const service = await startWayward(() => ({ body: { client } }));
		const access = { ...service, limits: { maxChanges: 2 } };
		const clientId = locator('7');
		const siteIds = String(sites.slice(1).map(({ id }) => id));
		for (const run of [
			on('client', 'update', { clientId, updateFields: { siteIds } }),
			...('site_ids' in list ? [on('client', 'addSites', { clientId, siteIds })] : []),
		]) {
			const { error } = await runNode(access, run);
			expect(error?.message).toContain('this request would make 3 more');
		}
		expect(service.routes().filter((route) => route.startsWith('POST'))).toEqual([]);
	});

	it('counts no sites where a schedule of all plugins gets some of them', async () => {
		const updates = { cms_core: true, plugins: { selection: 'all' }, themes: { selection: 'all' } };
		const scope = { sites: { selection: 'specific', ids: [sites[0]!.id] }, updates };
		const schedule = { name: 'A', schedule: 'daily', started_at: '2030-01-01T00:00:00Z', scope };
		const { data } = await fleet.api.post('/auto-update-schedules', {
			auto_update_schedule: schedule,
		});
		fleet.forget();
		const categories = { plugins: 'specific', pluginFileNames: 'x/x.php', themes: 'all' };
		const run = runOf('autoUpdate/schedule/update', {
			scheduleId: locator(String(data.auto_update_schedule.id)),
			updateFields: { updates: { categories } },
		});
		expect((await runNode(limited({ maxHarmful: 1 }), run)).error).toBeUndefined();
		expect(fleet.changes()).toHaveLength(1);
	});

	it('counts a change with an unknown outcome', async () => {
		const service = await startWayward(() => ({ status: 500, body: {} }));
		const json = await createTags(service, 2);
		expect(json[1]!.error).toContain('This execution has already made 1');
		expect(service.requests).toHaveLength(1);
	});

	it('does not count a change that was not sent', async () => {
		const service = await startWayward(() => ({}));
		await service.close();
		const json = await createTags(service, 2);
		expect(json.map(({ error }) => error)).toEqual(
			[1, 2].map(
				(item) => `The service could not be reached: this change was not sent (item ${item} of 2)`,
			),
		);
	});

	it('counts per ten minutes without an execution', async () => {
		const call = async (name: string) =>
			await runNode(limited({ maxChanges: 1 }), {
				...on('tag', 'create', { name }),
				isOutside: true,
			});
		expect((await call('First')).error).toBeUndefined();
		fleet.clock.advance(599_000);
		expect((await call('Second')).error?.message).toContain(
			'Changes per Execution is 1, here for any ten minutes. In the last ten minutes 1 were made',
		);
		fleet.clock.advance(1_000);
		expect((await call('Third')).error).toBeUndefined();
		expect(fleet.changes()).toHaveLength(2);
	});
});

it('ignores the mark of the credential test where all objects inherit it', async () => {
	const request = { method: 'GET', url: '/tags', baseURL: fleet.baseUrl } as const;
	const readOnly = { ...fleet, limits: { access: 'readOnly' } };
	const shared = Object.prototype as { siteManagementTest?: boolean };
	shared.siteManagementTest = true;
	const told = await signing(readOnly, [{ ...request }]).finally(
		() => delete shared.siteManagementTest,
	);
	expect(told).toEqual([expect.stringContaining('This credential has limits')]);
	expect(fleet.sent()).toEqual([]);
	const own = { ...request, siteManagementTest: true } as IHttpRequestOptions;
	expect(await signing(readOnly, [own])).toEqual([undefined]);
});

describe('a body or a query in another form', () => {
	const work = { title: 'A', performed_on: '2026-01-01' };
	const few = { maxChanges: 2 };
	const ofOwn = { siteAccess: 'selected' };
	const three = ['a', 'b', 'c'];

	it.each<[string, object, object]>([
		['POST /clients/delete', few, { ids: ['["a","b","c"]'] }],
		['POST /clients/delete', few, { ids: [three] }],
		['POST /tags/7/assign', few, { site_ids: JSON.stringify(three) }],
		['POST /tags/7/assign', few, { site_ids: 'all' }],
		['POST /tags/7/assign', few, { 'site_ids[0]': 'a', 'site_ids[1]': 'b', 'site_ids[2]': 'c' }],
		['POST /team-members/7/update', few, { team_member: { all_sites_access: 'true' } }],
		['POST /sites/OWN/custom-works', few, { custom_works: [[work, work, work]] }],
		['POST /sites/OWN/custom-works', ofOwn, { custom_works: [{ ...work, site_ids: ['FAR'] }] }],
		[
			'POST /sites/OWN/backups/9/restore',
			ofOwn,
			{
				restore: {
					scope: { include_files: true },
					connection: { credentials: { http_auth: { server: 'ftp.example.com' } } },
				},
			},
		],
		['GET /sites/wp/plugins', ofOwn, { site_ids: ['OWN'], include_vulnerabilities: { s: 'FAR' } }],
		['GET /sites/wp/plugins', ofOwn, { 'site_ids[]': 'FAR' }],
		['GET /tags', ofOwn, { filters: { 'a][site_ids': 'FAR' } }],
		['GET /tags', few, { _method: 'DELETE' }],
	])('%s is not sent: %j %j', async (route, limits, given) => {
		const [own, far] = (await fleet.sites(2)).map(({ id }) => id as string) as [string, string];
		const filled = (text: string) => text.replaceAll('OWN', own).replaceAll('FAR', far);
		const [method, path] = filled(route).split(' ') as [string, string];
		const { error } = await runNode(
			{ ...fleet, limits: { onlySites: own, ...limits } },
			runOf('api/request/send', {
				...{ method, path, [method === 'GET' ? 'query' : 'body']: filled(JSON.stringify(given)) },
			}),
		);
		expect(error?.context!.details).toMatchObject({ outcome: 'notSent' });
		expect(fleet.sent().filter(({ route: sent }) => sent === `${method} ${path}`)).toEqual([]);
	});
});

describe('a change that the service refuses', () => {
	it('with 401 is an error, and its count is given back', async () => {
		let status = 401;
		const service = await startWayward(
			(_, count) => ({ status, body: { tag: { id: String(count), name: 'A' } } }),
			OF_SERVICE,
		);
		service.onRequest = () => void (status = service.requests.length < 2 ? 401 : 201);
		const json = await createTags(service, 4);
		expect(json.map(({ error }) => error)).toEqual([
			expect.stringContaining('API token'),
			expect.stringContaining('API token'),
			undefined,
			expect.stringContaining('This execution has already made 1'),
		]);
		expect(service.requests).toHaveLength(3);
	});

	it('counts once when n8n signs it a second time after a 401', async () => {
		let asked = 0;
		const service = await startWayward(() => ({ status: 401 }));
		const deed = (): object => ({
			...{ method: 'POST', path: '/tags', effects: ['organises'], sites: [], tagged: [] },
			...{ changes: 1, harmful: 0, by: 'it', credential: '1', at: 0 },
			execution: `again ${asked++}`,
		});
		const [one, other] = [deed(), deed()];
		const told = await signing({ ...service, limits: { maxChanges: 1 } }, [
			...[one, { ...one }, other].map((judged) => ({
				...{ method: 'POST', url: `${service.baseUrl}/tags`, body: {} },
				[Symbol.for('n8n-nodes-site-management.deed')]: judged,
			})),
		] as never);
		// Each that is signed at all is signed and sent twice; another one of its execution is not.
		expect(told).toEqual([
			expect.stringContaining('Authorization failed'),
			expect.stringContaining('Changes per Execution is 1'),
			expect.stringContaining('Authorization failed'),
		]);
		expect(service.requests).toHaveLength(4);
	});
});

it('Retry On Fail keeps counting, since it is the same execution', async () => {
	const { error } = await runNode(limited({ maxChanges: 2 }), {
		...on('tag', 'create', { name: '={{ $json.name }}' }),
		items: [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
	});
	expect(error?.message).toContain('Changes per Execution is 2');
	expect(fleet.sent().map(({ body }: any) => body.tag.name)).toEqual(['A', 'B']);
});
