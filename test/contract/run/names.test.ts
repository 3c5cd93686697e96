import type { INodeParameters } from 'n8n-workflow';
import { runNode, searchList, type NodeRun } from '../../support/engine';
import { inStep, fleetEach, startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

/** Records that are named otherwise than by ID, in each kind of place; cost: the end of the file. */

const fleet = fleetEach({ sites: 12 });
let ids: Record<string, string>;

beforeEach(async () => {
	inStep(fleet);
	const { tags, clients, sites, autoUpdateSchedules, reportTemplates, senderEmails, teamMembers } =
		fleet.world.store as unknown as Record<string, any>;
	ids = {};
	const first = (of: string, rows: any, changes: object) => {
		const { id } = rows.peek()[0];
		Object.assign(rows.get(id), changes);
		ids[of] = id;
	};
	first('tag', tags, { name: 'Gold plan' });
	first('client', clients, {
		company_name: 'Harbour Bakery',
		first_name: 'Alex',
		last_name: 'van Reed',
		email: 'Alex@Harbour.example.com',
	});
	first('site', sites, { title: 'Harbour Bakery', url: 'https://harbour.example.com/shop' });
	first('schedule', autoUpdateSchedules, { name: 'Nightly' });
	first('template', reportTemplates, { name: 'Monthly' });
	first('sender', senderEmails, { name: 'Reports', email: 'reports@example.com' });
	first('member', teamMembers, { name: 'Kim Vale', email: 'kim@example.com' });
	fleet.forget();
});

const run = async (node: string, parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await runNode(fleet, { node, parameters: { resource: node, ...parameters }, ...more });

const last = () => fleet.sent().at(-1)!;

const tagNamed = async (name: string) =>
	(await fleet.api.post('/tags', { tag: { name } })).data.tag.id as string;

const getSites = (filters: INodeParameters) => ({ operation: 'getAll', filters });
const getHistory = (filters: INodeParameters) => ({
	...{ resource: 'history', output: 'raw' },
	...getSites(filters),
});

const SITE = '={{ ["harbour.example.com/shop/"] }}';

describe('filters', () => {
	it.each<[string, string, INodeParameters, string, () => string | string[]]>([
		['tags', 'site', getSites({ tagIds: '={{ ["Gold plan"] }}' }), 'tags:in', () => [ids.tag!]],
		[
			'a client',
			'site',
			getSites({ clientId: locator('Harbour Bakery', 'name') }),
			'client_id:eq',
			() => ids.client!,
		],
		['sites', 'tag', getSites({ siteIds: SITE }), 'site_id:in', () => [ids.site!]],
		[
			'schedules',
			'autoUpdate',
			getHistory({ scheduleIds: '={{ ["Nightly"] }}' }),
			'auto_update_schedule_id:in',
			() => [ids.schedule!],
		],
	])('%s by name', async (_, node, parameters, filter, expected) => {
		const { error } = await run(node, parameters);
		expect(error).toBeUndefined();
		const value = expected();
		const key = `filters[${filter}]${Array.isArray(value) ? '[]' : ''}`;
		expect(last().query).toMatchObject({ [key]: value });
		expect(fleet.sent()).toHaveLength(2);
	});

	it('an ID of the usual form is sent without a lookup', async () => {
		await run('site', getSites({ clientId: locator(ids.client), siteId: locator(ids.site) }));
		expect(fleet.routes()).toEqual(['GET /sites']);
	});

	it('a number is looked up among the tags, since it can be the name of one', async () => {
		await run('site', getSites({ tagIds: `={{ ["${ids.tag}"] }}` }));
		expect(fleet.routes()).toEqual(['GET /tags', 'GET /sites']);
		expect(last().query).toMatchObject({ 'filters[tags:in][]': [ids.tag] });
	});

	it('a name By ID is refused, since the list would be empty', async () => {
		const { error } = await run('site', getSites({ clientId: locator('Harbour Bakery') }));
		expect(error?.message).toBe(
			`No client has the ID "Harbour Bakery" (parameter "Client"); it is the name of ${ids.client}`,
		);
		expect(error?.description).toContain('To use the name of a client, choose By Name or Email.');
		expect(fleet.routes()).toEqual(['GET /clients']);
	});
});

describe('bodies', () => {
	it.each([
		['a title', 'Harbour Bakery'],
		['a URL', 'http://HARBOUR.example.com/shop'],
		['a host and path', 'harbour.example.com/shop'],
	])('the sites of a client by %s', async (_, text) => {
		const other = fleet.world.store.sites.peek()[1]!.id;
		fleet.world.store.sites.get(other)!.internal.client_id = null;
		fleet.world.store.sites.get(ids.site!)!.internal.client_id = null;
		const { error, json } = await run('client', {
			operation: 'update',
			clientId: locator('alex@harbour.example.com', 'name'),
			updateFields: { siteIds: `={{ ["${text}", "${other}", "${ids.site}"] }}` },
		});
		expect(error).toBeUndefined();
		expect(last()).toMatchObject({
			route: `POST /clients/${ids.client}/update`,
			body: { client: { site_ids: [ids.site, other] } },
		});
		expect(json).toHaveLength(1);
	});

	it('the sites of a schedule', async () => {
		const { error } = await run('autoUpdate', {
			resource: 'schedule',
			operation: 'update',
			scheduleId: locator('Nightly', 'name'),
			updateFields: {
				sites: { scope: { selection: 'specific', siteIds: 'https://harbour.example.com/shop' } },
			},
		});
		expect(error).toBeUndefined();
		expect(last()).toMatchObject({
			route: `POST /auto-update-schedules/${ids.schedule}/update`,
			body: {
				auto_update_schedule: {
					scope: { sites: { selection: 'specific', ids: [ids.site] } },
				},
			},
		});
	});

	it('the template of a report, and the sender of a template', async () => {
		await run('report', {
			operation: 'create',
			siteId: locator('Harbour Bakery', 'name'),
			startDate: '2026-02-01',
			endDate: '2026-02-28',
			additionalFields: { reportTemplateId: locator('Monthly', 'name') },
		});
		expect(last()).toMatchObject({
			route: 'POST /reports',
			body: { report: { site_id: ids.site, template_id: ids.template } },
		});
		const { error } = await run('branding', {
			resource: 'loginScreenBranding',
			operation: 'update',
			updateFields: { senderEmailId: locator('Reports@Example.com', 'name') },
		});
		expect(error).toBeUndefined();
		expect(last()).toMatchObject({ body: { wp_login: { sender_email: { id: ids.sender } } } });
	});
});

describe('operations on several', () => {
	it('a tag is assigned to sites by ID, URL and title', async () => {
		const [, second, third] = fleet.world.store.sites.peek();
		const { json, error } = await run('tag', {
			operation: 'assign',
			tagId: locator('Gold plan', 'name'),
			siteIds: `${second!.id}, ${third!.url}\nHarbour Bakery`,
		});
		expect(error).toBeUndefined();
		expect(last()).toMatchObject({
			route: `POST /tags/${ids.tag}/assign`,
			body: { site_ids: [second!.id, third!.id, ids.site] },
		});
		expect(json).toHaveLength(3);
	});

	it('clients and report templates are deleted by name', async () => {
		await run('client', { operation: 'delete', clientIds: '={{ ["Alex van Reed"] }}' });
		expect(last().body).toEqual({ ids: [ids.client] });
		await run('reportTemplate', { operation: 'delete', reportTemplateIds: 'Monthly' });
		expect(last().body).toEqual({ ids: [ids.template] });
	});
});

describe('locators', () => {
	it.each<[string, INodeParameters, () => string]>([
		['client', { clientId: locator('Alex van Reed', 'name') }, () => `/clients/${ids.client}`],
		[
			'senderEmail',
			{ senderEmailId: locator('Reports', 'name') },
			() => `/sender-emails/${ids.sender}`,
		],
		[
			'teamMember',
			{ teamMemberId: locator('KIM@example.com', 'name') },
			() => `/team-members/${ids.member}`,
		],
	])('the full name, name or email of a %s', async (node, parameters, path) => {
		const { error, json } = await run(node, { operation: 'get', ...parameters });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(last().route).toBe(`GET ${path()}`);
		expect(fleet.sent()).toHaveLength(2);
	});

	it('lists of what belongs to a site know it by its title', async () => {
		await searchList(fleet, {
			node: 'note',
			parameters: { resource: 'note', operation: 'get', siteId: locator('Harbour Bakery', 'name') },
			method: 'searchNotes',
		});
		expect(last().route).toBe(`GET /sites/${ids.site}/notes`);
	});

	it('Preview shows the record that is named', async () => {
		const { json } = await run('tag', {
			operation: 'delete',
			tagId: locator('Gold plan', 'name'),
			preview: true,
		});
		expect(json[0]).toMatchObject({ target: { tag: { id: ids.tag, name: 'Gold plan' } } });
		expect(fleet.changes()).toEqual([]);
	});
});

describe('refuses an uncertain name before anything is sent', () => {
	const siteTags = (...names: unknown[]) => getSites({ tagIds: `={{ ${JSON.stringify(names)} }}` });

	it('a name that nobody has, with those that there are, nearest first', async () => {
		const { error } = await run('site', siteTags('Gold plam'));
		expect(error?.message).toMatch(
			/^No tag is called "Gold plam" \(parameter "Tag Names or IDs"\); available: "Gold plan", "/,
		);
		expect(error?.message.match(/"/g)).toHaveLength(2 * (2 + 8));
		expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
		expect(fleet.routes()).toEqual(['GET /tags']);
	});

	it('at most ten of them', async () => {
		for (let count = 0; count < 20; count++) await tagNamed(`Tag ${count}`);
		const { error } = await run('site', siteTags('Tag 7x'));
		expect(error?.message).toMatch(/; available, among others: "Tag 7", /);
		expect(error?.message.match(/"/g)).toHaveLength(2 * (2 + 10));
	});

	it('upper and lower case differ, but not in emails', async () => {
		const { error } = await run('site', siteTags('gold plan'));
		expect(error?.message).toContain('No tag is called "gold plan"');
	});

	it('a name that two have, with their IDs', async () => {
		const other = await tagNamed('Gold plan');
		fleet.forget();
		const { error } = await run('site', siteTags('Gold plan'));
		expect(error?.message).toMatch(
			/^More than one tag is called "Gold plan" \(parameter "Tag Names or IDs"\): \d+, \d+$/,
		);
		expect(error?.message).toContain(other);
		expect(fleet.routes()).toEqual(['GET /tags']);
	});

	it('a company and a person of the same name', async () => {
		const [, second] = fleet.world.store.clients.peek();
		fleet.world.store.clients.get(second!.id)!.company_name = 'Alex van Reed';
		const { error } = await run('client', { operation: 'delete', clientIds: 'Alex van Reed' });
		expect(error?.message).toMatch(/^More than one client is called "Alex van Reed"/);
		expect(fleet.routes()).toEqual(['GET /clients']);
	});

	it('a URL that no site has', async () => {
		const { error } = await run('tag', {
			operation: 'assign',
			tagId: locator(ids.tag),
			siteIds: 'https://harbour.example.com',
		});
		expect(error?.message).toMatch(
			/^No site has the URL "https:\/\/harbour.example.com" \(parameter "Site IDs or URLs"\); available, among others: "https:\/\/harbour.example.com\/shop", /,
		);
		expect(fleet.routes()).toEqual(['GET /sites']);
	});

	it('By Name does not accept an ID', async () => {
		const { error } = await run('tag', { operation: 'get', tagId: locator(ids.tag, 'name') });
		expect(error?.message).toBe(
			`No tag is called "${ids.tag}" (parameter "Tag"); it is an ID. Choose By ID`,
		);
	});

	it.each<[string, unknown, RegExp]>([
		['nothing', '={{ "" }}', /The parameter "Tag" is empty/],
		['blanks', '   ', /The parameter "Tag" is empty/],
		['no value', '={{ undefined }}', /The parameter "Tag" has no value/],
		['a list', '={{ ["Gold plan"] }}', /The parameter "Tag" is a list, not one name/],
		[
			'a record',
			'={{ ({ name: "Gold plan" }) }}',
			/The parameter "Tag" is an object, not one name/,
		],
		['a URL', 'https://a.example', /The parameter "Tag" is a URL, not a name/],
	])('%s By Name', async (_, value, message) => {
		const { error } = await run('tag', { operation: 'get', tagId: locator(value, 'name') });
		expect(error?.message).toMatch(message);
		expect(fleet.routes()).toEqual([]);
	});

	it('the name of one item keeps the changes of all others from being sent', async () => {
		const { error } = await run(
			'tag',
			{ operation: 'assign', tagId: locator('={{ $json.tag }}', 'name'), siteIds: ids.site! },
			{ items: [{ tag: 'Gold plan' }, { tag: 'Shop' }, { tag: 'Nobody' }] },
		);
		expect(error?.message).toMatch(/^No tag is called "Nobody".* \(item 3 of 3\)$/);
		expect(fleet.routes()).toEqual(['GET /tags']);
	});

	it('under Continue On Fail the others are made, in order', async () => {
		const { json } = await run(
			'tag',
			{ operation: 'assign', tagId: locator('={{ $json.tag }}', 'name'), siteIds: ids.site! },
			{
				items: [{ tag: 'Nobody' }, { tag: 'Gold plan' }],
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(json[0]!.error).toContain('No tag is called "Nobody"');
		expect(fleet.routes()).toEqual(['GET /tags', `POST /tags/${ids.tag}/assign`]);
	});
});

describe('what a text is', () => {
	it('refuses a text that is the ID of one and the name of another, except By ID and By Name', async () => {
		const named = await tagNamed(ids.tag!);
		fleet.forget();
		const { error } = await run('site', getSites({ tagIds: `={{ ["${ids.tag}"] }}` }));
		expect(error?.message).toBe(
			`More than one tag is called "${ids.tag}" (parameter "Tag Names or IDs"): it is the ID of "Gold plan" and the name of ${named}`,
		);
		expect(error?.description).toContain('use the other name or ID in this message');
		expect(fleet.routes()).toEqual(['GET /tags']);
		for (const other of ['Gold plan', named]) {
			expect((await run('site', getSites({ tagIds: other }))).error).toBeUndefined();
		}
		await run('tag', { operation: 'get', tagId: locator(ids.tag) });
		expect(last().route).toBe(`GET /tags/${ids.tag}`);
		await run('tag', { operation: 'get', tagId: locator(ids.tag, 'name') });
		expect(last().route).toBe(`GET /tags/${named}`);
	});

	it.each([
		['Harbour Bakery', 'Another', 'https://another.example.com', 'ID', '"Another"'],
		['bakery.example.com', 'Another', 'https://bakery.example.com/', 'URL', ''],
	])('refuses the same for sites: %s', async (text, title, url, way, known) => {
		const { sites } = fleet.world.store;
		const second = sites.get(sites.peek()[1]!.id)!;
		sites.get(ids.site!)!.title = text;
		const other = { ...second, id: way === 'ID' ? text : 'other', title, url };
		sites.insert(other);
		const { error } = await run('tag', {
			...{ operation: 'remove', tagId: locator(ids.tag), siteIds: text },
		});
		expect(error?.message).toBe(
			`More than one site is called "${text}" (parameter "Site IDs or URLs"): it is the ${way} of ${known || `other (${url})`} and the name of ${ids.site} (https://harbour.example.com/shop)`,
		);
		expect(fleet.routes()).toEqual(['GET /sites']);
		if (way === 'ID') return;
		await run('tag', { operation: 'remove', tagId: locator(ids.tag), siteIds: url });
		expect(last().body).toEqual({ site_ids: ['other'] });
	});

	it('does not accept invisible characters as a name', async () => {
		const { error } = await run('tag', { operation: 'get', tagId: locator('\u200b', 'name') });
		expect(error?.message).toMatch(/^No tag is called /);
		expect(fleet.routes()).toEqual(['GET /tags']);
	});

	it.each([
		['numbers', '2024', 2024],
		['commas, in a list', 'Harbour, Reed & Co', 'Harbour, Reed & Co'],
		['signs of a URL', 'a/b?c#d %20 ;', 'a/b?c#d %20 ;'],
	])('%s in a name', async (_, name, given) => {
		Object.assign(fleet.world.store.sites.get(ids.site!)!, { title: name });
		const { error } = await run('tag', {
			...{ operation: 'assign', tagId: locator(ids.tag) },
			siteIds: `={{ ${JSON.stringify([given])} }}`,
		});
		expect(error).toBeUndefined();
		expect(last().body).toEqual({ site_ids: [ids.site] });
	});

	it('a number is the ID of a tag, and By Name a name', async () => {
		const named = await tagNamed('2024');
		await run('tag', { operation: 'get', tagId: locator(2024, 'name') });
		expect(last().route).toBe(`GET /tags/${named}`);
	});
});

describe('in one run', () => {
	it('reads the list once, for any number of items', async () => {
		const items = Array.from({ length: 20 }, (_, index) => ({
			tag: index % 2 ? 'Gold plan' : 'Shop',
		}));
		await run('tag', { operation: 'get', tagId: locator('={{ $json.tag }}', 'name') }, { items });
		expect(fleet.routes().filter((route) => route === 'GET /tags')).toHaveLength(1);
		fleet.forget();
		await run(
			'tag',
			{ operation: 'assign', tagId: locator('={{ $json.tag }}', 'name'), siteIds: ids.site! },
			{ items },
		);
		expect(fleet.routes().filter((route) => route === 'GET /tags')).toHaveLength(1);
	});

	it('looks up a record again after the run has renamed it', async () => {
		const { error } = await run(
			'tag',
			{
				operation: 'update',
				tagId: locator('={{ $json.from }}', 'name'),
				updateFields: { name: '={{ $json.to }}' },
			},
			{
				items: [
					{ from: 'Gold plan', to: 'Care' },
					{ from: 'Care', to: 'Care plus' },
				],
			},
		);
		expect(error).toBeUndefined();
		expect(fleet.world.store.tags.get(ids.tag!)!.name).toBe('Care plus');
		expect(fleet.routes()).toEqual([
			'GET /tags',
			`POST /tags/${ids.tag}/update`,
			'GET /tags',
			`POST /tags/${ids.tag}/update`,
		]);
	});
});

describe('in a fleet of 2,000 sites', () => {
	let large: Fleet;
	beforeAll(async () => {
		large = await startFleet({ sites: 2_000 });
	}, 300_000);

	const costOf = async (node: string, parameters: INodeParameters) => {
		large.forget();
		inStep(large);
		const { error } = await runNode(large, { node, parameters: { resource: node, ...parameters } });
		const looks = large.sent().filter(({ route }) => /^GET \/[a-z-]+$/.test(route));
		return { cost: looks.length, message: error?.message };
	};

	const assign = (siteIds: string) => ({ operation: 'assign', tagId: locator('1'), siteIds });

	const unique = <T>(rows: readonly T[], key: (row: T) => string) => {
		const count = new Map<string, number>();
		for (const row of rows) count.set(key(row), (count.get(key(row)) ?? 0) + 1);
		return rows.find((row) => count.get(key(row)) === 1)!;
	};

	it.each<[string, number, string, () => INodeParameters]>([
		['500 IDs', 0, 'tag', () => assign(rowsOf('sites', 500, ({ id }) => id))],
		['a URL', 2, 'tag', () => assign(rowsOf('sites', 1, ({ url }) => url))],
		['ten URLs', 11, 'tag', () => assign(rowsOf('sites', 10, ({ url }) => url))],
		['500 URLs', 21, 'tag', () => assign(rowsOf('sites', 500, ({ url }) => url))],
		['a title', 21, 'tag', () => assign(unique(large.world.store.sites.peek(), byTitle).title)],
		[
			'a client by email',
			6,
			'client',
			() => ({
				operation: 'get',
				clientId: locator(
					unique(large.world.store.clients.peek(), ({ email }) => email).email,
					'name',
				),
			}),
		],
		[
			'a client that does not exist, by full name',
			6,
			'client',
			() => ({ operation: 'get', clientId: locator('Nobody Known', 'name') }),
		],
		['a tag', 1, 'tag', () => ({ operation: 'get', tagId: locator('Care plan', 'name') })],
	])(
		'%s costs %d requests',
		async (_, cost, node, parameters) => {
			const { cost: spent, message = '' } = await costOf(node, parameters());
			expect(spent).toBe(cost);
			expect(message).toMatch(
				/^(No client is called "Nobody Known".*; available, among others: .*)?$/,
			);
		},
		300_000,
	);

	const byTitle = ({ title }: { title: string }) => title;

	const rowsOf = (of: 'sites', count: number, key: (row: { id: string; url: string }) => string) =>
		large.world.store[of].peek().slice(0, count).map(key).join();
});
