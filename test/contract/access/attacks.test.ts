import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';
import { addNode, contentOf, runNode, type Access, type NodeRun } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward } from '../../support/wayward';

/** What attackers with a limited credential have tried, and what must go on to work with one. */

let fleet: Fleet;
beforeEach(async () => {
	fleet = await startFleet({ sites: 5 });
	inStep(fleet);
});
afterEach(async () => await fleet.close());

const OF_SERVICE = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };
const going = { onError: 'continueRegularOutput' } as const;
const atMost = (maxChanges: number) => ({ ...fleet, limits: { maxChanges } });
const changes = () => fleet.sent().filter(({ route }) => !route.startsWith('GET '));

const tag = (operation: string, parameters: object = {}, more: Partial<NodeRun> = {}): NodeRun => ({
	node: 'tag',
	parameters: { resource: 'tag', operation, ...parameters },
	...more,
});

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
		['POST /clients/delete', few, { ids: ['a,b,c'] }],
		['POST /clients/delete', few, { ids: [three] }],
		['POST /clients/delete', few, { ids: { ...three } }],
		['POST /tags/7/assign', few, { site_ids: 'a,b,c' }],
		['POST /tags/7/assign', few, { site_ids: JSON.stringify(three) }],
		['POST /tags/7/assign', few, { site_ids: 'all' }],
		['POST /tags/7/assign', few, { 'site_ids[0]': 'a', 'site_ids[1]': 'b', 'site_ids[2]': 'c' }],
		['POST /team-members/7/update', few, { team_member: { all_sites_access: 'true' } }],
		['POST /team-members/7/update', few, { team_member: { all_sites_access: 1 } }],
		['POST /sites/OWN/custom-works', few, { custom_works: [[work, work, work]] }],
		['POST /sites/OWN/custom-works', ofOwn, { custom_works: [{ ...work, site_ids: ['FAR'] }] }],
		['POST /sites/OWN/custom-works', ofOwn, { custom_works: { siteIds: 'FAR' } }],
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
		['GET /sites/wp/plugins', ofOwn, { site_ids: [['FAR']] }],
		['GET /sites/wp/plugins', ofOwn, { 'site_ids[]': 'FAR' }],
		['GET /tags', ofOwn, { filters: { 'a][site_ids': 'FAR' } }],
		['GET /tags', few, { _method: 'DELETE' }],
	])('%s is not sent: %j %j', async (route, limits, given) => {
		const [own, far] = (await fleet.sites(2)).map(({ id }) => id as string) as [string, string];
		const filled = (text: string) => text.replaceAll('OWN', own).replaceAll('FAR', far);
		const [method, path] = filled(route).split(' ') as [string, string];
		const { error } = await runNode(
			{ ...fleet, limits: { onlySites: own, ...limits } },
			{
				node: 'api',
				parameters: {
					...{ resource: 'request', operation: 'send', method, path },
					[method === 'GET' ? 'query' : 'body']: filled(JSON.stringify(given)),
				},
			},
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
		const { json } = await runNode(
			{ ...service, limits: { maxChanges: 1 } },
			tag('create', { name: 'A' }, { items: [{}, {}, {}, {}], settings: going }),
		);
		await service.close();
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
			...{
				changes: 1,
				harmful: 0,
				by: 'it',
				credential: '1',
				at: 0,
				execution: `again ${asked++}`,
			},
		});
		const [one, other] = [deed(), deed()];
		const told = await signing({ ...service, limits: { maxChanges: 1 } }, [
			...[one, { ...one }, other].map((judged) => ({
				...{ method: 'POST', url: `${service.baseUrl}/tags`, body: {} },
				[Symbol.for('n8n-nodes-site-management.deed')]: judged,
			})),
		] as never);
		await service.close();
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
	const { error } = await runNode(
		atMost(2),
		tag(
			'create',
			{ name: '={{ $json.name }}' },
			{
				items: [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
				settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
			},
		),
	);
	expect(error?.message).toContain('Changes per Execution is 2');
	expect(changes().map(({ body }: any) => body.tag.name)).toEqual(['A', 'B']);
});

it('files can be downloaded under every limit', async () => {
	const { data } = await fleet.api.get('/reports');
	const [{ id, site }] = data.reports;
	const files = await fleet.api.get(`/sites/${site.id}/files`);
	const file = files.data.files.find(({ type }: { type: string }) => type === 'file');
	for (const limits of [
		{ access: 'readOnly' },
		{ siteAccess: 'selected', onlySites: site.id },
		{ maxChanges: 1 },
	]) {
		const report = await runNode(
			{ ...fleet, limits },
			{
				node: 'report',
				parameters: { resource: 'report', operation: 'download', reportId: locator(id) },
			},
		);
		expect(report.error).toBeUndefined();
		expect(contentOf(report.items[0]!).subarray(0, 5).toString()).toBe('%PDF-');
		const content = await runNode(
			{ ...fleet, limits },
			{
				node: 'backupContent',
				parameters: {
					...{ resource: 'file', operation: 'download', fileId: locator(file.id) },
					siteId: locator(site.id),
				},
			},
		);
		expect(content.error).toBeUndefined();
		expect(contentOf(content.items[0]!).length).toBeGreaterThan(0);
	}
});
