import { NodeHelpers, type INode } from 'n8n-workflow';
import { builtOperations } from '../support/builtOperations';
import { nodeType, runNode } from '../support/engine';
import { locator } from '../support/locator';
import { effectsOf, resourceFile, rowOf, TABLE } from '../support/reference';
import { startFleet, type Fleet, type Sent } from '../support/fleet';
import { startWayward } from '../support/wayward';

/** What keeps a node from doing harm: what each operation does, Access, Only If and Preview. */

describe('what each operation does', () => {
	it('is what the reference says', async () => {
		const { rules } = require('../../dist/nodes/rules') as {
			rules: Map<string, { effects: string[] }>;
		};
		const all = (await builtOperations()).map(
			({ name, url }) => [name, rules.get(url)?.effects.join(' ')] as const,
		);
		const wrong = all.filter(([name, does]) => does !== effectsOf(name).join(' '));
		expect(
			wrong.map(([name, does]) =>
				does === undefined
					? `nodes/resources.ts: run "npm run build", which adds the resource of ${name}`
					: `${TABLE}: does ${name} "${does}", or is ${resourceFile(name)} wrong?`,
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
			expect(action).toMatch(/: \w+/);
			const asTool = { parameters: { resource, operation } } as unknown as INode;
			const told = NodeHelpers.getToolDescriptionForNode(asTool, await nodeType(node));
			expect(told).toContain(action.split(': ')[1]);
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
	const onlyUrl = (url: string) => ({ onlyIfUrl: url });

	it.each([
		['the host', (site: any) => new URL(site.url).host],
		[
			'the host in capitals with a slash',
			(site: any) => `${new URL(site.url).host.toUpperCase()}/`,
		],
		['the URL', (site: any) => site.url],
	])('%s of the right site lets it through, with one read before', async (_what, url) => {
		const [site] = sites as [any];
		const run = deleteSite({ onlyIf: onlyUrl(url(site)) }, site.id);
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
		const run = deleteSite({ onlyIf: onlyUrl(url(site)) }, site.id);
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
		const run = deleteSite({ onlyIf: onlyUrl(site.url) }, site.id);
		expect((await runNode(fleet, run)).error?.message).toContain('refused by Only If');
		expect(changes()).toEqual([]);
	});

	it('all that is asked for has to be so', async () => {
		const [site] = sites as [any];
		const onlyIf = { onlyIfUrl: site.url, onlyIfName: `${site.title} 2` };
		const { error } = await runNode(fleet, deleteSite({ onlyIf }, site.id));
		expect(error?.message).toContain(`has the name "${site.title}", not "${site.title} 2"`);
		expect(changes()).toEqual([]);
	});

	it.each(['', ' ', '={{ $json.gone }}', '={{ null }}', '={{ [] }}'])(
		'%j is no check: nothing is sent',
		async (url) => {
			const run = deleteSite({ onlyIf: onlyUrl(url) }, sites[0]!.id);
			const { error } = await runNode(fleet, run);
			expect(error?.message).toMatch(/^The parameter "URL Is"/);
			expect(fleet.sent()).toEqual([]);
		},
	);

	it('the record is the site also for what belongs to it, and is read once for many items', async () => {
		const [site] = sites as [any];
		for (const content of ['a', 'b', 'c']) {
			await fleet.api.post(`/sites/${site.id}/notes`, { note: { content } });
		}
		const { data } = await fleet.api.get(`/sites/${site.id}/notes`);
		fleet.forget();
		const { error } = await runNode(fleet, {
			node: 'site',
			parameters: {
				resource: 'note',
				operation: 'delete',
				siteId: locator(site.id),
				noteId: locator('={{ $json.id }}'),
				onlyIf: onlyUrl(site.url),
			},
			items: data.notes,
		});
		expect(error).toBeUndefined();
		expect(routes().filter((route) => route.startsWith('GET '))).toEqual([`GET /sites/${site.id}`]);
		expect(changes()).toHaveLength(data.notes.length);
	});

	it('the wrong one of many stops the rest', async () => {
		const items = sites.slice(0, 3).map(({ id, url }, index) => ({
			id,
			url: index === 1 ? 'https://other.example.com' : url,
		}));
		const run = { ...deleteSite({ onlyIf: onlyUrl('={{ $json.url }}') }), items };
		const { error } = await runNode(fleet, run);
		expect(error?.message).toContain(`the site ${items[1]!.id} has the url`);
		expect(changes().map(({ route }) => route)).toEqual([`DELETE /sites/${items[0]!.id}`]);
	});

	it('the right URL of another record lets nothing through', async () => {
		const url = 'https://www.example.com';
		const body = { site: { id: 'other', url } };
		const wayward = await startWayward(() => ({ body }));
		const run = deleteSite({ onlyIf: onlyUrl(url) }, 'asked');
		const { error } = await runNode(wayward, run);
		expect(error?.message).toContain('the site asked is not what the service gave for that ID');
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
				onlyIf: { onlyIfEmail: email },
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
		const more = { preview: true, onlyIf: { onlyIfUrl: 'https://other.example.com' } };
		const { error } = await runNode(fleet, deleteSite(more, sites[0]!.id));
		expect(error?.message).toContain('refused by Only If');
	});

	it.each([3, 25])('names the %i records of a bulk operation', async (count) => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Own' } });
		fleet.forget();
		const asked = sites.slice(0, count);
		const { json } = await runNode(fleet, {
			node: 'tag',
			parameters: {
				resource: 'tag',
				operation: 'assign',
				tagId: locator(data.tag.id),
				siteIds: [...asked.map(({ id }) => id), 'gone'].join(),
				preview: true,
			},
		});
		expect(changes()).toEqual([]);
		const { target } = json[0] as any;
		expect(target.tag).toMatchObject({ id: data.tag.id, name: 'Own' });
		expect(target.sites.map(({ id, title }: any) => [id, title])).toEqual([
			...asked.map(({ id, title }) => [id, title]),
			['gone', undefined],
		]);
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
