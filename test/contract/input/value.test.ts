import type { IDataObject } from 'n8n-workflow';
import { mustSucceed, operationRun, runNode, type NodeRun } from '../../support/engine';
import { fleetOnce, inStep } from '../../support/fleet';
import { locator } from '../../support/locator';

const fleet = fleetOnce({ sites: 3 });
let shop: string;
beforeAll(async () => {
	inStep(fleet);
	for (const url of ['https://staging.shop.example.com', 'https://shop.example.com']) {
		shop = (await fleet.api.post('/sites', { site: { url } })).data.site.id;
	}
});

const run = async (resource: string, operation: string, set: object, more?: Partial<NodeRun>) =>
	await runNode(fleet, operationRun(resource, operation, set, more));
const listSites = async (filters: object, more?: Partial<NodeRun>) =>
	await run('site', 'getAll', { filters }, more);
const firstPage = { page: '1', perPage: '50' };

describe('a site By URL', () => {
	const siteId = locator('={{ $json.url }}', 'url');
	const url = 'https://shop.example.com';
	const note = { siteId, content: '={{ $json.text }}' };

	it('is found for a filter by its exact host, once for all items', async () => {
		const items = [{ url: 'SHOP.example.com' }, { url: `${url}/` }];
		const { json } = mustSucceed(await listSites({ siteId }, { items }));
		expect(json.map(({ id }) => id)).toEqual([shop, shop]);
		expect(fleet.sent().map(({ query }) => query)).toEqual([
			{ page: '1', perPage: '100', 'filters[url:contains]': 'shop.example.com' },
			{ ...firstPage, 'filters[id:eq]': shop },
			{ ...firstPage, 'filters[id:eq]': shop },
		]);
	});

	it('that no site has is an error, not a list of all sites', async () => {
		const { error } = await listSites({ siteId }, { items: [{ url: 'https://hop.example.com' }] });
		expect(error?.message).toContain(
			'No site with the URL "https://hop.example.com" was found; available: "https://shop.example.com", ',
		);
		expect(fleet.sent()).toHaveLength(2);
	});

	it.each([
		['another field', { url }, 'The parameter "Content" has no value'],
		['the URL', { url: 'https://', text: 'B' }, 'The parameter "Site" is not a URL: "https://"'],
	])('is not looked up for a change when %s of a later item is bad', async (_, bad, message) => {
		const { error } = await run('note', 'create', note, { items: [{ url, text: 'A' }, bad] });
		expect(error?.message).toBe(`${message} (item 2 of 2)`);
		expect(fleet.sent()).toEqual([]);
	});
});

it('Return All and Wait for Completion can be expressions', async () => {
	await run('tag', 'getAll', { returnAll: '={{ "true" }}' });
	expect(fleet.sent()[0]!.query).toEqual({ page: '1', perPage: '100' });
	const site = (await fleet.sites(5)).at(-1)!;
	await run('stagingSite', 'create', {
		...{ siteId: locator(site.id), snapshotId: locator(site.backups.latest_snapshot.id) },
		...{ waitForCompletion: '={{ "true" }}', waitOptions: { timeLimit: 1 } },
	});
	expect(fleet.sent().length).toBeGreaterThan(1);
});

it('the service judges a word that the editor does not offer', async () => {
	const { error } = await listSites({ connectionStatus: '={{ "paused" }}' });
	expect(fleet.sent()).toMatchObject([{ query: { 'filters[connection_status:eq]': 'paused' } }]);
	expect(error?.httpCode).toBe('400');
	expect(error?.message).toContain('Connection Status: must be one of');
});

it.each(['undefined', 'null', '""', '[]', '[null]', '{}', 'NaN'])(
	'filters that are %s are left out with Ignore Blank Filters',
	async (blank) => {
		const code = `={{ ${blank} }}`;
		const filters = { clientId: locator(code), tagIds: code, urlContains: code, locked: true };
		const options = { ignoreBlankFilters: true };
		expect((await run('site', 'getAll', { filters, options })).error).toBeUndefined();
		expect(fleet.sent()[0]!.query).toEqual({ ...firstPage, 'filters[locked:eq]': 'true' });
	},
);

describe('what a model', () => {
	const byModel = (items: IDataObject[] = [{}]) => ({ items, asTool: true });

	it('leaves blank is not set in a list, and other fields must not be blank', async () => {
		const text = "={{ $fromAI('text') }}";
		const blank = byModel([{ text: '' }]);
		mustSucceed(await listSites({ urlContains: text, clientId: locator(text) }, blank));
		expect(fleet.sent()[0]!.query).toEqual(firstPage);
		fleet.forget();
		const snapshot = { siteId: locator('1'), snapshotId: locator('2') };
		const change = await run('backup', 'restore', { ...snapshot, paths: text }, blank);
		expect(change.error?.message).toBe('The parameter "text" is empty');
		const missing = await listSites({ urlContains: '={{ null }}' }, byModel());
		expect(missing.error?.message).toBe(
			'The parameter "URL Contains" has no value; to list without this filter, use an empty text',
		);
		expect(fleet.sent()).toEqual([]);
	});

	it('writes as JSON in a text is read as the list', async () => {
		const tagIds = '={{ $json.ids }}';
		mustSucceed(await listSites({ tagIds }, byModel([{ ids: ' ["1", 2]' }])));
		expect(fleet.sent().at(-1)!.query).toMatchObject({ 'filters[tags:in][]': ['1', '2'] });
		fleet.forget();
		const none = await listSites({ tagIds }, byModel([{ ids: '[]' }]));
		expect(none.error?.message).toBe('The parameter "Tag Names or IDs" is an empty list');
		for (const ids of ['["1"]', '{"id":1}']) {
			const one = await run('tag', 'delete', { tagId: locator(tagIds) }, byModel([{ ids }]));
			expect(one.error?.message).toMatch(/^The parameter "Tag" is an? (list|object), not one ID/);
		}
		expect(fleet.sent()).toEqual([]);
	});

	const given = "={{ $fromAI('given') }}";
	const says = (value: unknown) => byModel([{ given: value }] as IDataObject[]);
	const members = async (value: unknown) =>
		await run('teamMember', 'getAll', { filters: { twoFaEnabled: given } }, says(value));
	const files = async (value: unknown) => {
		const set = { resource: 'file', siteId: locator(shop), filters: { sizeMax: given } };
		return await run('backupContent', 'getAll', set, says(value));
	};

	it.each([
		['any', undefined],
		['', undefined],
		['yes', 'true'],
		[true, 'true'],
		['no', 'false'],
		[false, 'false'],
	])('means with a switch: %s', async (value, sent) => {
		expect((await members(value)).error).toBeUndefined();
		expect(fleet.sent()[0]!.query['filters[two_fa_enabled:eq]']).toBe(sent);
	});

	it.each([
		[0, undefined],
		['any', undefined],
		['', undefined],
		['0', '0'],
		[7, '7'],
	])('means with a number: %j', async (value, sent) => {
		await files(value);
		expect(fleet.sent()[0]!.query['filters[size:lte]']).toBe(sent);
	});

	it.each(['null', ' None', 'undefined', 'NaN'])('writes for no value: %s', async (value) => {
		for (const { error } of [await members(value), await files(value)]) {
			expect(error?.message).toMatch(/ is ".*", which is not a value; to list without this filter/);
		}
		expect(fleet.sent()).toEqual([]);
	});

	it('leaves blank in an update is unchanged, and Clear empties', async () => {
		const tag = (await fleet.api.post('/tags', { tag: { name: 'Of a model', color: '#112233' } }))
			.data;
		fleet.forget();
		const update = async (name: string, updateFields: object) =>
			await run('tag', 'update', { tagId: locator(tag.tag.id), updateFields }, says(name));
		const renamed = await update('Renamed', { name: given, color: "={{ '' }}" });
		expect(renamed.error).toBeUndefined();
		expect(renamed.json).toMatchObject([{ name: 'Renamed', color: '#112233' }]);
		expect((await update('', { name: given })).error?.message).toBe(
			'The parameter "Update Fields" is empty. Fill in or add at least one field',
		);
		const cleared = await update('', { name: given, clear: ['color'] });
		expect(cleared.json).toMatchObject([{ name: 'Renamed', color: null }]);
		const byPerson = { items: [{ given: '' }] };
		const { error } = await run(
			'tag',
			'update',
			{ tagId: locator(tag.tag.id), updateFields: { name: given, color: '#111111' } },
			byPerson,
		);
		expect(error?.message).toBe('The parameter "Name" is empty');
	});

	it.each([
		['id', 'shop.example.com'],
		['url', 'the ID'],
		['name', 'the ID'],
		['id', 'Corner Shop'],
		['url', 'Corner Shop'],
		['id', 'https://shop.example.com/'],
	] as const)('writes for a site whose locator is By %s: %s', async (mode, text) => {
		fleet.world.store.sites.get(shop)!.title = 'Corner Shop';
		const { json, error } = await run(
			...(['site', 'get', { siteId: locator(given, mode) }] as const),
			says(text === 'the ID' ? shop : text),
		);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ id: shop });
	});

	it('writes for a site that is two, or none, names them', async () => {
		for (const { id } of fleet.world.store.sites.peek().slice(0, 2))
			fleet.world.store.sites.get(id)!.title = 'Twins';
		const get = async (text: string) =>
			(await run('site', 'get', { siteId: locator(given) }, says(text))).error?.message;
		const [one, two] = fleet.world.store.sites.peek();
		const twins = await get('Twins');
		expect(twins).toContain('More than one site is called "Twins" (parameter "given")');
		for (const { id, url } of [one!, two!]) expect(twins).toContain(`${id} (${url})`);
		expect(await get('No such shop')).toMatch(/^No site is called "No such shop".*available/);
	});
});
