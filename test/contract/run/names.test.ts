import type { INodeParameters } from 'n8n-workflow';
import { mustSucceed, runNode, searchList, type NodeRun } from '../../support/engine';
import { inStep, fleetEach, fleetOnce, isSiteRead } from '../../support/fleet';
import { locator } from '../../support/locator';

/** Records that are named otherwise than by ID, in each kind of place; cost: the end of the file. */

const fleet = fleetEach({ sites: 12 });
let ids: Record<string, string>;

beforeEach(() => {
	inStep(fleet);
	const store = fleet.world.store as unknown as Record<string, any>;
	const first = (rows: string, changes: object) => {
		const { id } = store[rows].peek()[0];
		Object.assign(store[rows].get(id), changes);
		return id as string;
	};
	const person = { first_name: 'Alex', last_name: 'van Reed', email: 'Alex@Harbour.example.com' };
	ids = {
		tag: first('tags', { name: 'Gold plan' }),
		client: first('clients', { company_name: 'Harbour Bakery', ...person }),
		site: first('sites', { title: 'Harbour Bakery', url: 'https://harbour.example.com/shop' }),
		schedule: first('autoUpdateSchedules', { name: 'Nightly' }),
		template: first('reportTemplates', { name: 'Monthly' }),
		sender: first('senderEmails', { name: 'Reports', email: 'reports@example.com' }),
		member: first('teamMembers', { name: 'Kim Vale', email: 'kim@example.com' }),
	};
});

const run = async (node: string, parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await runNode(fleet, { node, parameters: { resource: node, ...parameters }, ...more });

/** Without the site that a change reads for its name. */
const last = () =>
	fleet
		.sent()
		.filter((each) => !isSiteRead(each))
		.at(-1)!;

const tagNamed = async (name: string) => {
	const { data } = await fleet.api.post('/tags', { tag: { name } });
	fleet.forget();
	return data.tag.id as string;
};

const code = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
const getSites = (filters: INodeParameters) => ({ operation: 'getAll', filters });
const getTag = (tagId: INodeParameters) => ({ operation: 'get', tagId });
const assign = (siteIds: string, tagId: unknown = ids.tag, mode: 'id' | 'name' = 'id') => ({
	...{ operation: 'assign', tagId: locator(tagId, mode), siteIds },
});

describe('filters', () => {
	const history = { resource: 'history', output: 'raw' };
	const getHistory = { ...getSites({ scheduleIds: code(['Nightly']) }), ...history };
	const ofClient = { clientId: locator('Harbour Bakery', 'name') };

	it.each<[string, string, INodeParameters, string]>([
		['tag', 'site', getSites({ tagIds: code(['Gold plan']) }), 'tags:in'],
		['client', 'site', getSites(ofClient), 'client_id:eq'],
		['site', 'tag', getSites({ siteIds: code(['harbour.example.com/shop/']) }), 'site_id:in'],
		['schedule', 'autoUpdate', getHistory, 'auto_update_schedule_id:in'],
	])('a %s by name', async (of, node, parameters, filter) => {
		mustSucceed(await run(node, parameters));
		const isList = filter.endsWith(':in');
		const sent = { [`filters[${filter}]${isList ? '[]' : ''}`]: isList ? [ids[of]] : ids[of] };
		expect(last().query).toMatchObject(sent);
		expect(fleet.sent()).toHaveLength(2);
	});

	it('an ID of the usual form is not looked up, but a number that can be the name of a tag is', async () => {
		await run('site', getSites({ clientId: locator(ids.client), siteId: locator(ids.site) }));
		expect(fleet.routes()).toEqual(['GET /sites']);
		fleet.forget();
		await run('site', getSites({ tagIds: code([ids.tag]) }));
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

describe('what is sent', () => {
	const scope = { selection: 'specific', siteIds: 'https://harbour.example.com/shop' };
	const report = {
		...{ operation: 'create', startDate: '2026-02-01', endDate: '2026-02-28' },
		siteId: locator('Harbour Bakery', 'name'),
		additionalFields: { reportTemplateId: locator('Monthly', 'name') },
	};

	it.each<[string, string, object, sent: () => object]>([
		[
			'the sites of a schedule',
			'autoUpdate',
			{
				...{ resource: 'schedule', operation: 'update', scheduleId: locator('Nightly', 'name') },
				updateFields: { sites: { scope } },
			},
			() => ({ auto_update_schedule: { scope: { sites: { ids: [ids.site] } } } }),
		],
		[
			...(['the site and the template of a report', 'report', report] as const),
			() => ({ report: { site_id: ids.site, template_id: ids.template } }),
		],
		[
			'the sender of the login screen',
			'branding',
			{
				...{ resource: 'loginScreenBranding', operation: 'update' },
				updateFields: { senderEmailId: locator('Reports@Example.com', 'name') },
			},
			() => ({ wp_login: { sender_email: { id: ids.sender } } }),
		],
	])('%s', async (_, node, parameters, sent) => {
		mustSucceed(await run(node, parameters as INodeParameters));
		expect(last().body).toMatchObject(sent());
	});

	it('sites by ID, URL, title, and host and path, each once', async () => {
		const [, second, third] = fleet.world.store.sites.peek();
		const siteIds = `${second!.id}, ${third!.url}\nHarbour Bakery, harbour.example.com/shop, ${ids.site}`;
		const { json } = mustSucceed(await run('tag', assign(siteIds, 'Gold plan', 'name')));
		expect(last().route).toBe(`POST /tags/${ids.tag}/assign`);
		expect(last().body).toEqual({ site_ids: [second!.id, third!.id, ids.site] });
		expect(json).toHaveLength(3);
	});

	it.each([
		['client', 'ALEX@harbour.example.com', 'clients', 'client'],
		['senderEmail', 'Reports@example.com', 'sender-emails', 'sender'],
		['teamMember', 'KIM@example.com', 'team-members', 'member'],
	])('the ID of a %s by email', async (node, email, path, of) => {
		await run(node, { operation: 'get', [`${node}Id`]: locator(email, 'name') });
		expect(fleet.routes()).toEqual([`GET /${path}`, `GET /${path}/${ids[of]}`]);
	});

	it('lists of what belongs to a site know it by its title', async () => {
		const siteId = locator('Harbour Bakery', 'name');
		const parameters = { resource: 'note', operation: 'get', siteId };
		await searchList(fleet, { node: 'note', parameters, method: 'searchNotes' });
		expect(last().route).toBe(`GET /sites/${ids.site}/notes`);
	});

	it.each([
		['numbers', '2024', 2024],
		['commas, in a list', 'Harbour, Reed & Co', 'Harbour, Reed & Co'],
		['signs of a URL', 'a/b?c#d %20 ;', 'a/b?c#d %20 ;'],
	])('%s in a name', async (_, title, given) => {
		fleet.world.store.sites.get(ids.site!)!.title = title;
		mustSucceed(await run('tag', assign(code([given]))));
		expect(last().body).toEqual({ site_ids: [ids.site] });
	});
});

describe('refuses an uncertain name before anything is sent', () => {
	const siteTags = (...names: unknown[]) => getSites({ tagIds: code(names) });

	it.each([
		[
			0,
			/^No tag is called "Gold plam" \(parameter "Tag Names or IDs"\); available: "Gold plan", "/,
		],
		[20, /; available, among others: "Gold plan", /],
	])(
		'one that nobody has, with ten at most that there are, nearest first: %i',
		async (more, text) => {
			for (let count = 0; count < more; count++) await tagNamed(`Tag ${count}`);
			const { error } = await run('site', siteTags('Gold plam'));
			expect(error?.message).toMatch(text);
			expect(error?.message.match(/"/g)).toHaveLength(2 * (2 + (more ? 10 : 9)));
			expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
			expect(fleet.routes()).toEqual(['GET /tags']);
		},
	);

	it('one of which there are none', async () => {
		for (const { id } of fleet.world.store.tags.peek()) await fleet.api.delete(`/tags/${id}`);
		const { error } = await run('site', siteTags('Gold plan'));
		expect(error?.message).toMatch(/^No tag is called "Gold plan" .*; there are none$/);
	});

	it('one that a company and a person have, with their IDs', async () => {
		const { clients } = fleet.world.store;
		const other = clients.peek()[1]!.id;
		clients.get(other)!.company_name = 'Alex van Reed';
		const { error } = await run('client', { operation: 'delete', clientIds: 'Alex van Reed' });
		expect(error?.message).toMatch(/^More than one client is called "Alex van Reed" \(parameter "/);
		for (const id of [ids.client, other]) expect(error?.message).toContain(` ${id} (`);
		expect(fleet.routes()).toEqual(['GET /clients']);
	});

	it('a URL that no site has', async () => {
		const { error } = await run('tag', assign('https://harbour.example.com'));
		expect(error?.message).toMatch(
			/^No site has the URL "https:\/\/harbour.example.com" \(parameter "Site IDs or URLs"\); available, among others: "https:\/\/harbour.example.com\/shop", /,
		);
		expect(fleet.routes()).toEqual(['GET /sites']);
	});

	it.each<[() => unknown, string]>([
		[() => ids.tag, '"; it is an ID. Choose By ID'],
		[() => '\u200b', 'No tag is called '],
	])('an ID By Name, and a name that nobody sees', async (name, message) => {
		const { error } = await run('tag', getTag(locator(name(), 'name')));
		expect(error?.message.replace(' (parameter "Tag")', '')).toContain(message);
		expect(fleet.routes()).toEqual(['GET /tags']);
	});

	const each = (more: Partial<NodeRun>) =>
		run('tag', assign(ids.site!, '={{ $json.tag }}', 'name'), more);

	it('of one item, which keeps the changes of all others from being sent', async () => {
		const { error } = await each({
			items: ['Gold plan', 'Shop', 'Nobody'].map((tag) => ({ tag })),
		});
		expect(error?.message).toMatch(/^No tag is called "Nobody".* \(item 3 of 3\)$/);
		expect(fleet.routes()).toEqual(['GET /tags']);
	});

	it('under Continue On Fail, where the others are made', async () => {
		const items = [{ tag: 'Nobody' }, { tag: 'Gold plan' }];
		const { json } = await each({ items, settings: { onError: 'continueRegularOutput' } });
		expect(json[0]!.error).toContain('No tag is called "Nobody"');
		const change = `POST /tags/${ids.tag}/assign`;
		expect(fleet.routes()).toEqual(['GET /tags', change, `GET /sites/${ids.site}`]);
	});

	it('that is the ID of one and the name of another, except By ID and By Name', async () => {
		const named = await tagNamed(ids.tag!);
		const { error } = await run('site', siteTags(ids.tag));
		expect(error?.message).toBe(
			`More than one tag is called "${ids.tag}" (parameter "Tag Names or IDs"): ${named}, ${ids.tag}`,
		);
		expect(error?.description).toContain(
			'The text is the ID of one of them: in a list, use its name.',
		);
		expect(fleet.routes()).toEqual(['GET /tags']);
		for (const other of ['Gold plan', named]) {
			expect((await run('site', siteTags(other))).error).toBeUndefined();
		}
		await run('tag', getTag(locator(ids.tag)));
		expect(last().route).toBe(`GET /tags/${ids.tag}`);
		await run('tag', getTag(locator(ids.tag, 'name')));
		expect(last().route).toBe(`GET /tags/${named}`);
	});

	it.each([
		['Harbour Bakery', 'Harbour Bakery', 'https://another.example.com', 'use its name'],
		[
			'bakery.example.com',
			'other',
			'https://bakery.example.com/',
			'Use the ID of the one you mean.',
		],
	])('the same for sites: %s', async (text, id, url, todo) => {
		const { sites } = fleet.world.store;
		sites.insert({ ...sites.get(sites.peek()[1]!.id)!, id, title: 'Another', url });
		sites.get(ids.site!)!.title = text;
		const { error } = await run('tag', assign(text));
		expect(error?.message).toContain(
			`More than one site is called "${text}" (parameter "Site IDs or URLs"): `,
		);
		expect(error?.message).toContain(`${id} (${url})`);
		expect(error?.message).toContain(`${ids.site} (https://harbour.example.com/shop)`);
		expect(error?.description).toContain(todo);
		expect(fleet.routes()).toEqual(['GET /sites']);
		await run('tag', assign(url));
		expect(last().body).toEqual({ site_ids: [id] });
	});
});

it('in one run looks up a record again after the run has renamed it', async () => {
	const tagId = locator('={{ $json.from }}', 'name');
	const updateFields = { name: '={{ $json.to }}' };
	const items = [
		{ from: 'Gold plan', to: 'Care' },
		{ from: 'Care', to: 'Care plus' },
	];
	mustSucceed(await run('tag', { operation: 'update', tagId, updateFields }, { items }));
	expect(fleet.world.store.tags.get(ids.tag!)!.name).toBe('Care plus');
	const each = ['GET /tags', `POST /tags/${ids.tag}/update`];
	expect(fleet.routes()).toEqual([...each, ...each]);
});

describe('in a fleet of 2,000 sites', () => {
	const large = fleetOnce({ sites: 2_000 });

	const onSites = (count: number, key: 'id' | 'url') => () => {
		const sites = large.world.store.sites.peek().slice(0, count);
		return assign(sites.map((site) => site[key]).join(), '1');
	};
	/** A value that only one record of a kind has. */
	const unique = (rows: 'sites' | 'clients', key: 'title' | 'email') => {
		const values = large.world.store[rows].peek().map((row: any) => row[key] as string);
		return values.find((value) => values.indexOf(value) === values.lastIndexOf(value))!;
	};
	const getClient = (name: string) => ({ operation: 'get', clientId: locator(name, 'name') });

	it.each<[string, number, string, () => INodeParameters]>([
		['500 IDs', 0, 'tag', onSites(500, 'id')],
		['a URL', 2, 'tag', onSites(1, 'url')],
		['ten URLs', 11, 'tag', onSites(10, 'url')],
		['500 URLs', 21, 'tag', onSites(500, 'url')],
		['a title', 21, 'tag', () => assign(unique('sites', 'title'), '1')],
		['a client by email', 6, 'client', () => getClient(unique('clients', 'email'))],
		['a client that does not exist', 6, 'client', () => getClient('Nobody Known')],
		['a tag', 1, 'tag', () => getTag(locator('Care plan', 'name'))],
	])('%s costs %d requests', async (_, cost, node, parameters) => {
		const run = { node, parameters: { resource: node, ...parameters() } as INodeParameters };
		const { error } = await runNode(large, run);
		const routes = large.routes();
		const change = routes.findIndex((route) => route.startsWith('POST '));
		const looks = change < 0 ? routes : routes.slice(0, change);
		expect(looks.filter((route) => /^GET \/[a-z-]+$/.test(route))).toHaveLength(cost);
		expect(error?.message ?? '').toMatch(
			/^(No client is called "Nobody Known".*; available, among others: .*)?$/,
		);
	});
});
