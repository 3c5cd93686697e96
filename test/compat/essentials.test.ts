import { importWorkflow, saveCredential } from '../../sandbox/lib/content';
import { requireNodes } from '../../sandbox/lib/otherN8n';
import { setFlaw } from '../../sandbox/service/domain/content/flaws';
import { setVersion } from '../../sandbox/service/domain/content/components';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import { MCP_SERVER, startAgents, type Agents } from '../support/agents';
import { only, startExamples, succeeded, type Examples } from '../support/examples';
import { clientsOf } from '../support/fleet';
import { locator } from '../support/locator';
import { press } from '../support/mails';
import { openMcp, type Mcp } from '../support/mcp';
import { finishedExecutions, output, runWorkflow, testCredential } from '../support/n8n';
import { AT_ONCE, stateOf } from '../support/brokenUpdates';
import { addSafeUpdate, healthySites, tagOnly } from '../support/safeUpdate';
import { until } from '../support/until';
import { versionsNamed } from '../support/versions';
import { addActive, AS_TEXT, chain, CREDENTIAL, nodeOf } from '../support/workflow';
import { pollEvery, saveAccount } from '../support/workflow';

/** What most workflows rest on, on each n8n that the README names, with the package as its users install it. */

const DAY_MS = 86_400_000;

describe.each(versionsNamed(process.env.COMPAT_ONLY))('n8n $version', (version) => {
	const { isOlder } = version;
	let examples: Examples;
	let credentialId: string;

	beforeAll(async () => {
		const options = { rateLimit: { limit: 10_000 } };
		examples = await startExamples(`compat-${version.name}`, options, version);
		credentialId = await saveAccount(examples.n8n, examples.service);
	});

	afterAll(async () => await examples?.stop());

	it('is the requested version', async () => {
		const { data } = await examples.n8n.rest.get<{ data: { versionCli: string } }>('/settings');
		expect(data.data.versionCli).toBe(version.version);
	});

	it('gets the examples from a start of the sandbox, unless it is too old for them', async () => {
		const required = requireNodes(examples.n8n, 'package.tgz');
		const refusal = await required.catch((error: Error) => error.message);
		expect(refusal).toEqual(
			version.name === '1.x'
				? expect.stringMatching(/is version 1\.\d+\.\d+.* Update it, or leave out --n8n/)
				: undefined,
		);
	});

	it('tests the credential', async () => {
		const { baseUrl, token } = examples.service;
		const check = async (data: { baseUrl: string; apiToken: string }) =>
			await testCredential(examples.n8n.rest, credentialId, { ...CREDENTIAL, data });
		expect(await check({ baseUrl, apiToken: token })).toMatchObject({ status: 'OK' });
		const words = isOlder ? 'Authorization failed' : 'rejected the API token';
		expect(await check({ baseUrl, apiToken: 'wrong-token' })).toEqual({
			status: 'Error',
			message: expect.stringContaining(words),
		});
		for (const wrong of [baseUrl.replace('/v6', '/v5'), 'http://api.example.com/api/v6']) {
			const { status } = await check({ baseUrl: wrong, apiToken: token });
			expect({ wrong, status }).toEqual({ wrong, status: 'Error' });
		}
	});

	it('shows the parameters of an operation of the API document, and sends them', async () => {
		const { n8n, service } = examples;
		const { type, name } = CREDENTIAL;
		const value = { 'body.tag.name': 'Of the document' };
		const parameters = {
			...{ resource: 'request', operation: 'anyOperation' },
			apiOperation: locator('POST /tags', 'list'),
			apiParameters: { mappingMode: 'defineBelow', value, schema: [] },
		};
		const asked = {
			nodeTypeAndVersion: { name: 'n8n-nodes-site-management.api', version: 1 },
			currentNodeParameters: parameters,
			credentials: { [type]: { id: credentialId, name } },
		};
		const call = async (what: string, methodName: string, more: object) =>
			(await n8n.rest.post(`/dynamic-node-parameters/${what}`, { ...asked, methodName, ...more }))
				.data.data;
		const path = 'parameters.apiOperation';
		const listed = { path, filter: 'tag post' };
		const { results } = await call('resource-locator-results', 'searchOperations', listed);
		expect(results).toContainEqual(expect.objectContaining({ value: 'POST /tags' }));
		const mapper = { path: 'parameters.apiParameters' };
		const { fields } = await call('resource-mapper-fields', 'fieldsOfOperation', mapper);
		expect(fields).toMatchObject([
			{ id: 'body.tag.name', displayName: 'name', required: true, type: 'string' },
			{ id: 'body.tag.color', displayName: 'color', required: false, type: 'string' },
		]);
		const forTool = await call('resource-mapper-fields', 'fieldsOfOperation', {
			...mapper,
			nodeTypeAndVersion: { name: 'n8n-nodes-site-management.apiTool', version: 1 },
			currentNodeParameters: {
				...parameters,
				apiOperation: locator('POST /auto-update-schedules', 'list'),
			},
		});
		expect(forTool.fields).toContainEqual(
			expect.objectContaining({
				...{ id: 'body.auto_update_schedule.scope', displayName: 'scope' },
				description: expect.stringMatching(/^\{ sites: \{ selection/),
			}),
		);
		const start = nodeOf(credentialId, 'Start', 'n8n-nodes-base.manualTrigger', {});
		const node = nodeOf(credentialId, 'Create it', 'api', parameters);
		const id = (await importWorkflow(n8n.rest, chain('any-operation', start, node)))!;
		const execution = succeeded(await runWorkflow(n8n.rest, id, 'Start'));
		expect(output(execution, 'Create it')).toMatchObject([{ name: 'Of the document' }]);
		expect(service.world.store.tags.peek().at(-1)).toMatchObject({ name: 'Of the document' });
	});

	it('enforces the limits of a credential, also for objects from expressions, and shows no token', async () => {
		const { n8n, service } = examples;
		const { baseUrl, token: apiToken } = service;
		const limited = async (limits: object) => {
			const credential = { ...CREDENTIAL, data: { baseUrl, apiToken, ...limits } };
			const name = JSON.stringify(limits);
			const id = await saveCredential(n8n.rest, { ...credential, name });
			const { status } = await testCredential(n8n.rest, id, credential);
			expect({ limits, status }).toEqual({ limits, status: 'OK' });
			return id;
		};
		const readOnly = await limited({ access: 'readOnly' });
		const atMostOne = await limited({ maxChanges: 1 });
		await limited({ siteAccess: 'selected', onlySites: '652fd84c1f3ca8e1b1e3a1f0' });

		/** An object that says one thing that often, and then another. */
		const turning = (times: number, first: unknown, then: unknown) => {
			const next = `() => (times-- > 0 ? ${JSON.stringify(first)} : ${JSON.stringify(then)})`;
			return `={{ (() => { let times = ${times}; const next = ${next}; return Object.assign(${JSON.stringify(first)}, { toString: next, toJSON: next }); })() }}`;
		};
		const [tag] = service.world.store.tags.peek();
		const path = `/tags/${tag!.id}`;
		const http = (method: string, options: object = {}) => ({
			...{ method, url: `${baseUrl}${path}`, authentication: 'predefinedCredentialType' },
			...{ nodeCredentialType: CREDENTIAL.type, options },
		});
		const paginationMode = 'updateAParameterInEachRequest';
		const place = { type: 'siteManagementTest', name: 'a', value: true };
		const pagination = { paginationMode, parameters: { parameters: [place] } };
		const request = { resource: 'request', operation: 'send' };
		const ids = ['1', '2', '3'];
		const attempts = [0, 1, 2, 3, 4].flatMap((times) => {
			const method = turning(times, 'GET', 'DELETE');
			const clientIds = turning(times, ['1'], ids);
			const body = turning(times, { ids: ['1'] }, { ids });
			return [
				[readOnly, 'n8n-nodes-base.httpRequest', http(method)],
				[readOnly, 'api', { ...request, path, method }],
				[readOnly, 'tag', { resource: 'tag', operation: 'delete', tagId: locator(method) }],
				[atMostOne, 'client', { resource: 'client', operation: 'delete', clientIds }],
				[atMostOne, 'api', { ...request, method: 'POST', path: '/clients/delete', body }],
			] as const;
		});
		const options = [{ timeout: 1 }, { pagination: { pagination } }];
		const reads = options.map(
			(each) => [readOnly, 'n8n-nodes-base.httpRequest', http('GET', each)] as const,
		);
		const nodes = [...attempts, ...reads].map(([id, type, given], index) => ({
			...nodeOf(id, `Attempt ${index}`, type, given, {
				...(type.includes('.') && { typeVersion: 4.2 }),
				onError: 'continueRegularOutput',
			}),
			credentials: { [CREDENTIAL.type]: { id, name: 'limited' } },
		}));
		service.requests.splice(0);
		for (const [index, node] of nodes.entries()) {
			const start = nodeOf(readOnly, 'Start', 'n8n-nodes-base.manualTrigger', {});
			const workflowId = (await importWorkflow(n8n.rest, chain(`limits-${index}`, start, node)))!;
			const { id } = await runWorkflow(n8n.rest, workflowId, 'Start');
			const saved = JSON.stringify((await n8n.rest.get<object>(`/executions/${id}`)).data);
			expect(saved).not.toContain(apiToken);
		}
		const changes = service.requests.filter(({ method }) => method !== 'GET');
		expect(changes.filter(({ body }) => (body as any)?.ids?.length !== 1)).toEqual([]);
		expect(service.requests.filter(({ path: to }) => to.endsWith(path))).toEqual([]);
	});

	it('runs example 01: asks a person, backs up and updates sites, and reverts the failing update', async () => {
		const { service } = examples;
		const id = await addSafeUpdate(examples);
		const [site, broken] = healthySites(service, 2);
		tagOnly(service, [site!, broken!]);
		for (const plugin of ['page-cache', 'image-slider']) {
			setVersion(service.world, broken!, plugin, '1.0.0');
		}
		setFlaw(service.world, broken!, { plugin: 'image-slider', ...AT_ONCE });
		const run = examples.run(id);
		await press(await examples.mail(/^Approve the update of 2 sites\?/), 'Update them');
		succeeded(await run);
		const text = only(await examples.newTexts());
		const line = (site: SiteRow, what: RegExp) =>
			expect(text.split('\n').find((each) => each.startsWith(`- ${site.title} (`))).toMatch(what);
		line(site!, /: core [\d.]+ → 6\.8\.3/);
		line(broken!, /: Image Slider 2\.1\.0 in image-slider \(back to 1\.0\.0\)/);
		const { versions } = stateOf(service, broken!);
		expect([versions.get('page-cache'), versions.get('image-slider')]).toEqual(['3.2.1', '1.0.0']);
		const notes = service.world.store.snapshots.ofSite(site!.id).map(({ note }) => note);
		expect(notes).toContain('Before the safe update');
	});

	it('starts a workflow on a new report, once, and downloads its file', async () => {
		const { n8n, service } = examples;
		const node = (name: string, type: string, parameters: object) =>
			nodeOf(credentialId, name, type, parameters);
		const workflow = chain(
			'report-file',
			node('Trigger', 'reportTrigger', { events: ['created'], pollTimes: pollEvery(6) }),
			node('Download', 'report', {
				resource: 'report',
				operation: 'download',
				reportId: locator('={{ $json.id }}'),
			}),
			node('Read', 'n8n-nodes-base.moveBinaryData', AS_TEXT),
		);
		const id = await addActive(n8n, workflow);

		const { api } = clientsOf(service);
		const [site] = healthySites(service, 1);
		const day = (daysAgo: number) =>
			service.world.timestamp(service.world.now - daysAgo * DAY_MS).slice(0, 10);
		const report = { site_id: site!.id, start_date: day(7), end_date: day(0) };
		await api.post('/reports', { report });

		const runs = await until('the run of the trigger', async () => {
			const found = await finishedExecutions(n8n.rest, id);
			return found.length > 0 && found;
		});
		const run = succeeded(only(runs));
		const event = only(output(run, 'Trigger'));
		expect(event).toMatchObject({ event: 'created', site_id: site!.id });
		const pdf = await api.get<ArrayBuffer>(`/reports/${event.id}/download`, {
			responseType: 'arraybuffer',
		});
		expect(only(output(run, 'Read')).data).toBe(Buffer.from(pdf.data).toString('base64'));
	});

	describe('with an agent', () => {
		let agents: Agents;
		let mcp: Mcp;

		beforeAll(async () => {
			agents = await startAgents(examples.n8n);
			mcp = await openMcp(`${agents.n8n.baseUrl}/mcp/${MCP_SERVER}`);
		});
		afterAll(async () => {
			await mcp?.close();
			await agents?.stop();
		});

		const site = () => agents.service.world.store.sites.peek()[0]!;

		it('offers it the nodes as tools, with their results and their errors', async () => {
			const [reading, tagging] = [agents.tools['Get a site']!, agents.tools['Create a tag']!];
			const path = 'agent';
			await agents.add({
				path,
				agentVersion: agents.newest,
				tools: {
					Reading: { ...reading, settings: { onError: 'continueRegularOutput' } },
					Tagging: tagging,
				},
			});
			const { results } = await agents.talk(
				[
					[['Reading', { site_id: site().id }]],
					[['Reading', { site_id: 'no-such-site' }]],
					[['Tagging', { name: 'By an agent', color: '#112233' }]],
				],
				path,
			);
			expect(results[0]).toContain(site().url);
			expect(results[1]).toContain('no-such-site');
			expect(results[2]).toContain('By an agent');
			expect(agents.service.world.store.tags.peek().map(({ name }) => name)).toContain(
				'By an agent',
			);
		});

		it('passes it errors without a setting, where n8n supports that', async () => {
			const path = 'stopping';
			const tools = { Reading: agents.tools['Get a site']! };
			await agents.add({ path, agentVersion: agents.newest, tools });
			const talk = agents.talk([[['Reading', { site_id: 'no-such-site' }]]], path);
			if (isOlder) await expect(talk).rejects.toThrow('500');
			else expect((await talk).results[0]).toContain('no-such-site');
		});

		it('has a change that cannot be undone confirmed', async () => {
			const tags = agents.service.world.store.tags;
			const { id, name } = tags.peek()[0]!;
			const call = async (more: object) =>
				await mcp.call('Delete_a_tag_with_a_code', { tag_id: id, ...more });
			const first = await call({ what: '', code: '' });
			expect(first).toEqual({ isError: false, text: expect.stringContaining(name) });
			expect(tags.get(id)).toBeDefined();
			const [{ what, code }] = JSON.parse(first.text) as [{ what: string; code: string }];
			expect((await call({ what, code: `${code}x` })).isError).toBe(true);
			expect(tags.get(id)).toBeDefined();
			expect((await call({ what, code })).isError).toBe(false);
			expect(tags.get(id)).toBeUndefined();
		});

		it("offers them to other agents through n8n's MCP server", async () => {
			const { isError, text } = await mcp.call('Get_a_site', { site_id: site().id });
			expect(isError).toBe(false);
			expect(text).toContain(site().url);
		});
	});
});
