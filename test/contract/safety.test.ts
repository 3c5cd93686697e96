import { beginsWith, type Resource } from '../../nodes/shared/operation';
import { builtOperations } from '../support/builtOperations';
import { nodeType, runNode } from '../support/engine';
import { locator } from '../support/locator';
import { effectsOf, resourceFile, rowOf, TABLE } from '../support/reference';
import { toolOf } from '../support/tool';
import { startFleet, type Fleet, type Sent } from '../support/fleet';
import { startWayward } from '../support/wayward';

/** What keeps a node from doing harm: what each operation does, Access, Only If and Preview. */

describe('what each operation does', () => {
	it('is what the reference says', async () => {
		const { resources } = require('../../dist/nodes/resources') as { resources: Resource[] };
		const does = new Map(
			resources.flatMap(({ operations }) =>
				operations.flatMap(({ composed, route, effects }) =>
					composed ? [] : [[route as string, effects.join(' ')]],
				),
			) as Array<[string, string]>,
		);
		const all = (await builtOperations()).map(({ name, url }) => [name, does.get(url)] as const);
		const wrong = all.filter(([name, is]) => is !== effectsOf(name).join(' '));
		expect(
			wrong.map(([name, is]) =>
				is === undefined
					? `nodes/resources.ts: run "npm run build", which adds the resource of ${name}`
					: `${TABLE}: does ${name} "${is}", or is ${resourceFile(name)} wrong?`,
			),
		).toEqual([]);
	});

	it('decides about Preview, the notice, and what a model reads', async () => {
		for (const { name, action, fields } of await builtOperations()) {
			const [node, resource, operation] = name.split('/') as [string, string, string];
			const names = fields.map((field) => field.name);
			const reads = effectsOf(name).includes('reads');
			expect([name, names.includes('preview')]).toEqual([name, !reads]);
			if (rowOf(name).final === undefined) continue;
			expect([name, names.includes('notice')]).toEqual([name, true]);
			const told = toolOf(await nodeType(node), { resource, operation }).description;
			expect([name, beginsWith(action, told)]).toEqual([name, true]);
			expect(told).toContain(', cannot be undone.');
		}
	});

	it('Only If is there for whatever cannot be undone and is about one record with a name', async () => {
		const bare = (await builtOperations())
			.filter(({ name }) => rowOf(name).final !== undefined)
			.filter(({ fields }) => !fields.some(({ name }) => name === 'onlyIf'));
		// Many at once, the account as a whole, and a task, which has no name.
		expect(bare.map(({ name }) => name).sort()).toEqual([
			'branding/loginScreenBranding/reset',
			'branding/pluginBranding/reset',
			'client/client/delete',
			'reportTemplate/reportTemplate/delete',
			'task/task/cancel',
		]);
	});
});

let fleet: Fleet;
let sites: Array<Record<string, any>>;
beforeEach(async () => {
	fleet = await startFleet({ sites: 30 });
	sites = await fleet.sites(30);
	fleet.forget();
});
afterEach(async () => await fleet.close());

const changes = () => fleet.sent().filter(({ route }: Sent) => !route.startsWith('GET '));
const routes = () => fleet.sent().map(({ route }) => route);

const deleteSite = (more: object = {}, id: unknown = '={{ $json.id }}') => ({
	node: 'site',
	parameters: {
		resource: 'site',
		operation: 'delete',
		siteId: locator(id),
		...more,
	},
});

describe('Only If', () => {
	const onlyUrl = (url: string) => ({ onlyIf: 'url', onlyIfUrl: url });

	it.each([
		['the host', (site: any) => new URL(site.url).host],
		[
			'the host in capitals with a slash',
			(site: any) => `${new URL(site.url).host.toUpperCase()}/`,
		],
		['the URL', (site: any) => site.url],
	])('%s of the right site lets it through, with one read before', async (_what, url) => {
		const [site] = sites as [any];
		const run = deleteSite(onlyUrl(url(site)), site.id);
		const { error } = await runNode(fleet, run);
		expect(error).toBeUndefined();
		expect(routes()).toEqual([`GET /sites/${site.id}`, `DELETE /sites/${site.id}`]);
	});

	it.each([
		['another host', (site: any) => `staging.${new URL(site.url).host}`],
		['a path that the site has not', (site: any) => `${site.url}/blog`],
		['another port', (site: any) => `${site.url}:8443`],
	])('%s refuses it, with both in the message', async (_what, url) => {
		const [site] = sites as [any];
		const run = deleteSite(onlyUrl(url(site)), site.id);
		const { error } = await runNode(fleet, run);
		expect(error?.message).toContain(
			`Delete was refused by Only If: the site ${site.id} has the url "${site.url}", not "${url(site)}"`,
		);
		expect(changes()).toEqual([]);
	});

	it('a site below a path is not the one at its root', async () => {
		const [site] = sites as [any];
		await fleet.api.post(`/sites/${site.id}/update`, { site: { url: `${site.url}/blog` } });
		fleet.forget();
		const run = deleteSite(onlyUrl(site.url), site.id);
		expect((await runNode(fleet, run)).error?.message).toContain('refused by Only If');
		expect(changes()).toEqual([]);
	});

	it('the name can be asked for instead', async () => {
		const [site] = sites as [any];
		const onlyIf = { onlyIf: 'name', onlyIfName: `${site.title} 2` };
		const { error } = await runNode(fleet, deleteSite(onlyIf, site.id));
		expect(error?.message).toContain(`has the name "${site.title}", not "${site.title} 2"`);
		expect(changes()).toEqual([]);
	});

	// n8n keeps $fromAI() in a choice, shows both texts with it, and wants them.
	const both = { onlyIfUrl: 'https://other.example.com', onlyIfName: 'Another' };

	it.each<[string, object]>([
		['an expression as a whole', { onlyIf: '={{ ({ onlyIfUrl: "https://other.example.com" }) }}' }],
		['an expression that would choose nothing', { onlyIf: '={{ "none" }}' }],
		['a choice of a model', { onlyIf: "={{ $fromAI('only_if', '', 'string', 'none') }}", ...both }],
		['a collection', { onlyIf: { onlyIfUrl: 'https://other.example.com' } }],
		['a collection with a wrong key', { onlyIf: { url: 'https://other.example.com' } }],
		['a word that is no choice', { onlyIf: 'URL', onlyIfUrl: 'https://other.example.com' }],
		['null', { onlyIf: null }],
	])('does not vanish as %s', async (_, guard) => {
		for (const asTool of [false, true]) {
			const run = { ...deleteSite(guard, sites[0]!.id), asTool };
			const { error } = await runNode(fleet, run);
			expect(error?.message).toMatch(/^The parameter "Only If"/);
		}
		expect(fleet.sent()).toEqual([]);
	});

	it('is not filled in by the model that chooses the record', async () => {
		const [site] = sites as [any];
		const ai = (key: string, value: string) => `={{ $fromAI('${key}', '', 'string', '${value}') }}`;
		const run = deleteSite(onlyUrl(ai('url', site.url)), ai('site', site.id));
		const { error } = await runNode(fleet, { ...run, asTool: true });
		expect(error?.message).toBe(
			'The parameter "URL Is" is filled in by the model ($fromAI), so the model would check itself. Set the value in the workflow',
		);
		expect(fleet.sent()).toEqual([]);
		const fixed = deleteSite(onlyUrl(site.url), ai('site', sites[1]!.id));
		const other = await runNode(fleet, { ...fixed, asTool: true });
		expect(other.error?.message).toContain(`the site ${sites[1]!.id} has the url`);
		expect(changes()).toEqual([]);
	});

	it('a blank value is refused by n8n before the run', async () => {
		for (const [onlyIf, name, text] of [
			['url', 'onlyIfUrl', 'URL Is'],
			['name', 'onlyIfName', 'Name Is'],
		]) {
			const run = runNode(fleet, deleteSite({ onlyIf, [name!]: '' }, sites[0]!.id));
			await expect(run).rejects.toThrow(`Parameter "${text}" is required`);
		}
		expect(fleet.sent()).toEqual([]);
	});

	it.each([' ', '={{ $json.gone }}', '={{ null }}', '={{ [] }}'])(
		'%j is refused: nothing is sent',
		async (url) => {
			const run = deleteSite(onlyUrl(url), sites[0]!.id);
			const { error } = await runNode(fleet, run);
			expect(error?.message).toMatch(/^The parameter "URL Is"/);
			expect(fleet.sent()).toEqual([]);
		},
	);

	it('checks the site of records below it, and reads it again for each change', async () => {
		const [site] = sites as [any];
		for (const content of ['a', 'b', 'c']) {
			await fleet.api.post(`/sites/${site.id}/notes`, { note: { content } });
		}
		const { data } = await fleet.api.get(`/sites/${site.id}/notes`);
		fleet.forget();
		const { error } = await runNode(fleet, {
			node: 'note',
			parameters: {
				resource: 'note',
				operation: 'delete',
				siteId: locator(site.id),
				noteId: locator('={{ $json.id }}'),
				...onlyUrl(site.url),
			},
			items: data.notes,
		});
		expect(error).toBeUndefined();
		expect(routes()).toEqual(
			data.notes.flatMap(({ id }: any) => [
				`GET /sites/${site.id}`,
				`DELETE /sites/${site.id}/notes/${id}`,
			]),
		);
	});

	it('the wrong one of many stops the rest', async () => {
		const items = sites.slice(0, 3).map(({ id, url }, index) => ({
			id,
			url: index === 1 ? 'https://other.example.com' : url,
		}));
		const run = { ...deleteSite(onlyUrl('={{ $json.url }}')), items };
		const { error } = await runNode(fleet, run);
		expect(error?.message).toContain(`the site ${items[1]!.id} has the url`);
		expect(changes().map(({ route }) => route)).toEqual([`DELETE /sites/${items[0]!.id}`]);
	});

	it('a migration is compared with its destination', async () => {
		const [source, destination] = sites as [any, any];
		const { data } = await fleet.api.get(`/sites/${source.id}/snapshots`);
		const snapshot = data.snapshots.find(({ status }: any) => status === 'succeeded');
		fleet.forget();
		const migrate = (onlyIf: object) => ({
			node: 'backup',
			parameters: {
				resource: 'backup',
				operation: 'migrate',
				siteId: locator(source.id),
				snapshotId: locator(snapshot.id),
				destinationUrl: destination.url,
				includeFiles: true,
				...onlyIf,
			},
		});
		const wrong = await runNode(fleet, migrate(onlyUrl(source.url)));
		expect(wrong.error?.message).toContain(
			`the destination "${destination.url}" has the url "${destination.url}", not "${source.url}"`,
		);
		const named = { onlyIf: 'name', onlyIfName: source.title };
		expect((await runNode(fleet, migrate(named))).error?.message).toContain(
			`has the name "${destination.title}", not "${source.title}"`,
		);
		expect(changes()).toEqual([]);
		const shown = await runNode(fleet, migrate({ ...onlyUrl(destination.url), preview: true }));
		expect(shown.json[0]).toMatchObject({
			target: { site: { id: destination.id, title: destination.title } },
			source: { site: { id: source.id }, snapshot: { id: snapshot.id } },
		});
		const { error } = await runNode(fleet, migrate(onlyUrl(destination.url)));
		expect(error).toBeUndefined();
		expect(changes()).toHaveLength(1);
	});

	it('the right URL of another record lets nothing through', async () => {
		const url = 'https://www.example.com';
		const body = { site: { id: 'other', url } };
		const wayward = await startWayward(() => ({ body }));
		const run = deleteSite(onlyUrl(url), 'asked');
		const { error } = await runNode(wayward, run);
		expect(error?.message).toContain('another record: asked was requested, other was returned');
		expect(wayward.requests).toHaveLength(1);
		await wayward.close();
	});

	it('an email of a record that has no path of its own', async () => {
		const { data } = await fleet.api.get('/managed-accounts');
		const account = data.managed_accounts.find(({ status }: any) => status === 'connected');
		fleet.forget();
		const leave = (email: string) => ({
			node: 'managedAccount',
			parameters: {
				resource: 'managedAccount',
				operation: 'delete',
				managedAccountId: locator(account.id),
				onlyIf: 'email',
				onlyIfEmail: email,
			},
		});
		const wrong = await runNode(fleet, leave('someone@example.com'));
		expect(wrong.error?.message).toContain(
			`has the email "${account.email}", not "someone@example.com"`,
		);
		expect(changes()).toEqual([]);
		const { error } = await runNode(fleet, leave(account.email.toUpperCase()));
		expect(error).toBeUndefined();
		expect(changes()).toHaveLength(1);
	});
});

describe('Preview', () => {
	it('shows each item of a run over the fleet, and changes nothing', async () => {
		const run = { ...deleteSite({ preview: true }), items: sites };
		const { json, items, error } = await runNode(fleet, run);
		expect(error).toBeUndefined();
		expect(changes()).toEqual([]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(sites.map((_, item) => ({ item })));
		expect(json).toEqual(
			sites.map(({ id, url, title, created_at }) => ({
				preview: true,
				operation: 'Site: Delete',
				does: ['Destroy'],
				request: { method: 'DELETE', path: `/sites/${id}` },
				target: { site: { id, url, title, created_at } },
			})),
		);
	});

	it.each(['={{ $json.gone }}', '={{ null }}', '={{ "" }}', '={{ "no way" }}', ''])(
		'%j does not turn it off: nothing is sent',
		async (preview) => {
			const { error } = await runNode(fleet, deleteSite({ preview }, sites[0]!.id));
			expect(error?.message).toMatch(/^The parameter "Preview"/);
			expect(fleet.sent()).toEqual([]);
		},
	);

	it('Only If holds there, too', async () => {
		const more = { preview: true, onlyIf: 'url', onlyIfUrl: 'https://other.example.com' };
		const { error } = await runNode(fleet, deleteSite(more, sites[0]!.id));
		expect(error?.message).toContain('refused by Only If');
	});

	it.each([3, 25])('names the %i records of a bulk operation', async (count) => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Own' } });
		fleet.forget();
		const asked = sites.slice(0, count);
		const gone = 'f0f0f0f0f0f0f0f0f0f0f0f0';
		const { json } = await runNode(fleet, {
			node: 'tag',
			parameters: {
				resource: 'tag',
				operation: 'assign',
				tagId: locator(data.tag.id),
				siteIds: [...asked.map(({ id }) => id), gone].join(),
				preview: true,
			},
		});
		expect(changes()).toEqual([]);
		const { target } = json[0] as any;
		expect(target.tag).toMatchObject({ id: data.tag.id, name: 'Own' });
		expect(target.sites.map(({ id, title }: any) => [id, title])).toEqual([
			...asked.map(({ id, title }) => [id, title]),
			[gone, undefined],
		]);
	});

	describe('of a change that replaces a list', () => {
		const ids = (from: number, to: number) => sites.slice(from, to).map(({ id }) => id);
		const named = (from: number, to: number) =>
			sites.slice(from, to).map(({ id, title }) => expect.objectContaining({ id, title }));
		const replaced = async (parameters: object, node: string) => {
			fleet.forget();
			const run = { node, parameters: { operation: 'update', ...parameters, preview: true } };
			const { json, error } = await runNode(fleet, run as never);
			expect(error).toBeUndefined();
			expect(changes()).toEqual([]);
			return json[0]!.replaces;
		};

		it('shows the sites that a client loses', async () => {
			const made = await fleet.api.post('/clients', {
				client: { email: 'own@example.com', site_ids: [] },
			});
			const { id } = made.data.client;
			const free = (await fleet.api.get('/sites')).data.sites.filter((site: any) => !site.client);
			sites = free.length >= 4 ? free : sites;
			const assigned = await fleet.api.post(`/clients/${id}/update`, {
				client: { site_ids: ids(0, 3) },
			});
			const before = assigned.data.client.site_ids as string[];
			const client = { resource: 'client', clientId: locator(id) };
			expect(await replaced({ ...client, updateFields: { siteIds: ids(2, 4) } }, 'client')).toEqual(
				{
					site_ids: {
						before,
						after: ids(2, 4),
						dropped: expect.arrayContaining(named(0, 2)),
						added: named(3, 4),
						dropped_count: 2,
					},
				},
			);
			expect(
				await replaced({ ...client, updateFields: { clear: ['site_ids'] } }, 'client'),
			).toMatchObject({
				site_ids: { after: [], dropped: expect.arrayContaining(named(0, 3)), dropped_count: 3 },
			});
			expect(await replaced({ ...client, updateFields: { note: 'x' } }, 'client')).toBeUndefined();
		});

		it('shows the sites that a person loses', async () => {
			const { data } = await fleet.api.post('/team-members', {
				team_member: {
					name: 'A',
					email: 'a@example.com',
					role: 'collaborator',
					site_ids: ids(0, 2),
				},
			});
			const { id } = data.team_member;
			expect(
				await replaced(
					{
						resource: 'teamMember',
						teamMemberId: locator(id),
						updateFields: { siteIds: ids(1, 3) },
					},
					'teamMember',
				),
			).toEqual({
				site_ids: {
					before: ids(0, 2),
					after: ids(1, 3),
					dropped: named(0, 1),
					added: named(2, 3),
					dropped_count: 1,
				},
			});
		});

		it.each(['specific', 'all'])(
			'shows the sites that a schedule for %s loses',
			async (selection) => {
				const all = selection === 'all';
				const { data } = await fleet.api.post('/auto-update-schedules', {
					auto_update_schedule: {
						name: 'Own',
						schedule: 'daily',
						started_at: '2030-01-01T00:00:00Z',
						scope: {
							sites: { selection, ...(!all && { ids: ids(0, 2) }) },
							updates: { cms_core: true },
						},
					},
				});
				const { id } = data.auto_update_schedule;
				const scope = { selection: 'specific', siteIds: ids(1, 2).join() };
				expect(
					await replaced(
						{
							resource: 'schedule',
							scheduleId: locator(id),
							updateFields: { sites: { scope } },
						},
						'autoUpdate',
					),
				).toEqual({
					'scope.sites.ids': all
						? { before: 'all', after: ids(1, 2), dropped: null, added: [], dropped_count: null }
						: {
								before: ids(0, 2),
								after: ids(1, 2),
								dropped: named(0, 1),
								added: [],
								dropped_count: 1,
							},
				});
			},
		);

		it('shows the kinds of updates that a schedule loses', async () => {
			const plugins = { selection: 'specific', filenames: ['a/a.php', 'b/b.php'] };
			const { data } = await fleet.api.post('/auto-update-schedules', {
				auto_update_schedule: {
					name: 'Own',
					schedule: 'daily',
					started_at: '2030-01-01T00:00:00Z',
					scope: {
						sites: { selection: 'specific', ids: ids(0, 1) },
						updates: { cms_core: true, plugins, themes: { selection: 'all' } },
					},
				},
			});
			const { id } = data.auto_update_schedule;
			const categories = {
				cmsCore: false,
				plugins: 'specific',
				pluginFileNames: 'a/a.php',
				themes: 'none',
			};
			expect(
				await replaced(
					{
						resource: 'schedule',
						scheduleId: locator(id),
						updateFields: { updates: { categories } },
					},
					'autoUpdate',
				),
			).toMatchObject({
				'scope.updates': { dropped: ['cms_core', 'themes'], added: [], dropped_count: 2 },
				'scope.updates.plugins.filenames': { dropped: ['b/b.php'], dropped_count: 1 },
			});
		});

		it('shows who no longer gets a report', async () => {
			const { data } = await fleet.api.get('/scheduled-reports');
			const { id } = data.scheduled_reports[0];
			await fleet.api.post(`/scheduled-reports/${id}/update`, {
				scheduled_report: {
					report_template_data: { email: { recipients: ['a@x.example', 'b@x.example'] } },
				},
			});
			expect(
				await replaced(
					{
						resource: 'scheduledReport',
						scheduledReportId: locator(id),
						updateFields: { recipients: 'b@x.example, c@x.example' },
					},
					'scheduledReport',
				),
			).toEqual({
				'report_template_data.email.recipients': {
					before: ['a@x.example', 'b@x.example'],
					after: ['b@x.example', 'c@x.example'],
					dropped: ['a@x.example'],
					added: ['c@x.example'],
					dropped_count: 1,
				},
			});
		});
	});

	it('shows no password of a URL', async () => {
		const { data } = await fleet.api.get('/sites?perPage=2');
		const [source] = data.sites;
		const { json } = await runNode(fleet, {
			node: 'importantPage',
			parameters: {
				resource: 'importantPage',
				operation: 'create',
				siteId: locator(source.id),
				url: 'https://me:hush%20hush@www.example.com/a?b=//x:hush@y',
				preview: true,
			},
		});
		expect(json[0]!.request).toMatchObject({
			body: { important_page: { url: 'https://********@www.example.com/a?b=//********@y' } },
		});
		expect(JSON.stringify(json)).not.toContain('hush');
	});

	it('shows no password', async () => {
		const [site] = sites as [any];
		const { json } = await runNode(fleet, {
			node: 'site',
			parameters: {
				resource: 'site',
				operation: 'update',
				siteId: locator(site.id),
				updateFields: {
					httpAuth: { credentials: { username: 'me', password: 'hush hush' } },
				},
				preview: true,
			},
		});
		expect(json[0]!.request).toMatchObject({
			body: { site: { connection: { http_auth: { username: 'me', password: '********' } } } },
		});
		expect(JSON.stringify(json)).not.toContain('hush');
	});
});
