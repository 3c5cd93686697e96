import type { IDataObject } from 'n8n-workflow';
import {
	activate,
	addNode,
	nodeType,
	type NodeRun,
	runNode,
	searchList,
} from '../../support/engine';
import { locator } from '../../support/locator';
import { inStep, startFleet, type Fleet, type Sent } from '../../support/fleet';
import { startWayward } from '../../support/wayward';

/** What a credential allows, as nodes, tools, triggers and n8n's other nodes meet it. */

let fleet: Fleet;
let sites: Array<Record<string, any>>;
beforeEach(async () => {
	fleet = await startFleet({ sites: 4 });
	sites = await fleet.sites(4);
	fleet.forget();
});
afterEach(async () => await fleet.close());

const changes = () => fleet.sent().filter(({ route }: Sent) => !route.startsWith('GET '));

const limited = (limits: IDataObject) => ({ ...fleet, limits });

const on = (
	resource: string,
	operation: string,
	parameters: object = {},
	more: object = {},
): NodeRun =>
	({ node: resource, parameters: { resource, operation, ...parameters }, ...more }) as NodeRun;

const createTag = on('tag', 'create', { name: 'New' });

const deleteSite = (site: unknown) => on('site', 'delete', { siteId: locator(site) });

describe('Access', () => {
	it('with an unknown choice allows nothing', async () => {
		const { error } = await runNode(limited({ access: 'readonly' }), createTag);
		expect(error?.message).toContain('Access of the credential is not one of its options');
		expect(fleet.sent()).toEqual([]);
	});

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
		expect(changes()).toHaveLength(1);
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

	it('refuses another site before anything is sent, and allows its own', async () => {
		const [own, other] = sites as [any, any];
		const run = on('site', 'delete', { siteId: locator('={{ $json.id }}') });
		const refused = await runNode(only(own.id), { ...run, items: [{ id: other.id }] });
		expect(refused.error?.message).toBe(
			`DELETE /sites/${other.id} is not allowed by the credential "Sandbox": the site ${other.id} is not in its Only Sites`,
		);
		expect(fleet.sent()).toEqual([]);
		expect(
			(await runNode(only(own.id), { ...run, items: [{ id: own.id }] })).error,
		).toBeUndefined();
	});

	it('includes the sites that have a tag at the time', async () => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Ours' } });
		const tag = String(data.tag.id);
		const access = limited({ siteAccess: 'selected', onlySites: '', onlyTags: tag });
		const note = on('note', 'create', {
			siteId: locator(sites[0]!.id),
			content: 'Hello',
		});
		const before = await runNode(access, note);
		expect(before.error?.message).toContain('is not in its Only Sites');
		await fleet.api.post(`/tags/${tag}/assign`, { site_ids: [sites[0]!.id] });
		expect((await runNode(access, note)).error).toBeUndefined();
		await fleet.api.post(`/tags/${tag}/remove`, { site_ids: [sites[0]!.id] });
		expect((await runNode(access, note)).error?.message).toContain('not in its Only Sites');
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
		expect(changes()).toEqual([]);
		const right = await runNode(only(own.id), { ...assign, items: [{ ids: [own.id] }] });
		expect(right.error).toBeUndefined();
	});

	it('a request that Also Allowed names is sent, for its own sites', async () => {
		const [own, other] = sites as [any, any];
		const allowed = (line: string) =>
			limited({ ...only(own.id).limits, access: 'readOnly', alsoAllowed: line });
		const remove = (id: string) => on('site', 'delete', { siteId: locator(id) });
		const { error } = await runNode(allowed('DELETE /tags/{id}'), remove(own.id));
		expect(error?.message).toContain('its Access is Read Only');
		const foreign = await runNode(allowed('DELETE /sites/{id}'), remove(other.id));
		expect(foreign.error?.message).toContain('is not in its Only Sites');
		expect(changes()).toEqual([]);
		expect((await runNode(allowed('DELETE /sites/*'), remove(own.id))).error).toBeUndefined();
		expect(changes()).toHaveLength(1);
	});

	it('names a tag of the credential that does not exist', async () => {
		const access = limited({ siteAccess: 'selected', onlySites: '', onlyTags: '999999' });
		const parameters = { siteId: locator(sites[0]!.id), content: 'Hello' };
		for (const run of [on('note', 'create', parameters), on('site', 'getAll')]) {
			const { error } = await runNode(access, run);
			expect(error?.message).toBe(
				'Only Tags of the credential "Sandbox" has the tag 999999, which does not exist',
			);
			expect(error?.description).toContain('Open the credential');
		}
		expect(changes()).toEqual([]);
	});
});

describe('Changes per Execution', () => {
	const items = () => sites.map(({ id }) => ({ id }));
	const remove = () => ({ ...deleteSite('={{ $json.id }}'), items: items() });

	it('refuses a change over the limit with the number, and keeps the earlier ones', async () => {
		const { error } = await runNode(limited({ maxHarmful: 2 }), remove());
		expect(error?.message).toContain(
			'is not allowed by the credential "Sandbox": Harmful Changes per Execution is 2. This execution has already made 2, and this request would make 1 more',
		);
		expect(changes()).toHaveLength(2);
	});

	it('each execution has its own count', async () => {
		for (let run = 0; run < 3; run++) {
			const { error } = await runNode(limited({ maxChanges: 1 }), createTag);
			expect(error).toBeUndefined();
		}
	});

	it('counts entries that an update drops from a list as destroyed', async () => {
		const [first, second, third] = sites.map(({ id }) => id as string);
		const team_member = {
			name: 'A',
			email: 'a@example.com',
			role: 'collaborator',
			company_name: 'A',
			note: '',
			all_sites_access: false,
			site_ids: [first, second, third],
		};
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
		expect(changes()).toEqual([]);
		expect((await runNode(limited({ maxHarmful: 1 }), keep(first, second))).error).toBeUndefined();
		expect(changes()).toHaveLength(1);
	});

	it('gives back the count of a change that the service refuses', async () => {
		for (const { internal } of fleet.world.store.sites.all()) internal.client_id = null;
		const [taken, free] = sites as [any, any];
		const client = { email: 'a@example.com', site_ids: [taken.id] };
		await fleet.api.post('/clients', { client });
		fleet.forget();
		const create = on('client', 'create', { additionalFields: { siteIds: '={{ $json.id }}' } });
		const { json } = await runNode(limited({ maxChanges: 1 }), {
			...create,
			items: [{ id: taken.id }, { id: free.id }, { id: free.id }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json[0]!.error).toContain('The service rejected');
		expect(json[1]!.site_ids).toEqual([free.id]);
		expect(json[2]!.error).toContain('This execution has already made 1');
		expect(changes()).toHaveLength(2);
	});

	it('counts a change with an unknown outcome', async () => {
		const service = await startWayward(() => ({ status: 500, body: {} }));
		const { json } = await runNode(
			{ ...service, limits: { maxChanges: 1 } },
			{ ...createTag, items: [{}, {}], settings: { onError: 'continueRegularOutput' } },
		);
		expect(json[1]!.error).toContain('This execution has already made 1');
		expect(service.requests).toHaveLength(1);
		await service.close();
	});

	it('counts per ten minutes without an execution', async () => {
		inStep(fleet);
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
		expect(changes()).toHaveLength(2);
	});
});
