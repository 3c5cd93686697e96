import { loadOptions, runNode, searchList } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { locator } from '../../support/locator';

let fleet: Fleet;
let sites: Array<Record<string, any>>;
beforeAll(async () => {
	fleet = await startFleet({ sites: 120 });
	sites = await fleet.sites(100);
});
beforeEach(() => fleet.forget());

const options = (node: string) => ({ node, parameters: { resource: node, operation: 'get' } });

describe('From List', () => {
	it('shows sites by title and URL, newest first, page by page', async () => {
		const first = await searchList(fleet, { ...options('site'), method: 'searchSites' });
		expect(first.results).toHaveLength(50);
		const [newest] = sites;
		expect(first.results[0]).toEqual({
			name: `${newest!.title} (${newest!.url})`,
			value: newest!.id,
			url: newest!.url,
		});
		expect(first.paginationToken).toBe('2');
		const last = await searchList(fleet, {
			...options('site'),
			method: 'searchSites',
			page: '3',
		});
		expect(last.results).toHaveLength(20);
		expect(last.paginationToken).toBeUndefined();
	});

	it('searches on the server', async () => {
		const host = new URL(sites[7]!.url).host;
		const { results } = await searchList(fleet, {
			...options('site'),
			method: 'searchSites',
			filter: host,
		});
		expect(results.map(({ value }) => value)).toContain(sites[7]!.id);
		expect(fleet.sent()[0]!.query).toMatchObject({ 'filters[url:contains]': host });
	});

	it('finds tags by a part of their name', async () => {
		const { data } = await fleet.api.get('/tags');
		const { results } = await searchList(fleet, {
			...options('tag'),
			method: 'searchTags',
			filter: data.tags[0].name.slice(1),
		});
		expect(results).toContainEqual({ name: data.tags[0].name, value: data.tags[0].id });
	});

	it('shows tasks by type, state and time', async () => {
		const { id } = startTaskNow(fleet.world, { type: 'wp_site_update', siteIds: [] });
		const { results } = await searchList(fleet, {
			...options('task'),
			method: 'searchTasks',
		});
		expect(results[0]).toEqual({
			name: 'Site Update, initializing, 2026-03-01 12:00 UTC',
			value: id,
		});
	});
});

it('filters offer all sites and all tags by name', async () => {
	const names = async (node: string, method: string) =>
		(await loadOptions(fleet, { ...options(node), method })).map(({ name }) => name);
	expect(await names('tag', 'getSites')).toHaveLength(120);
	const tags = await names('site', 'getTags');
	expect(tags).toEqual([...tags].sort((a, b) => a.localeCompare(b)));
	expect(tags.length).toBeGreaterThan(2);
});

describe('By URL', () => {
	const getByUrl = async (url: string) =>
		await runNode(fleet, {
			node: 'site',
			parameters: {
				resource: 'site',
				operation: 'get',
				siteId: locator(url, 'url'),
			},
		});

	beforeAll(async () => {
		for (const url of [
			'https://staging.shop.example.com',
			'https://shop.example.com/blog',
			'https://shop.example.com/news',
			'https://shop.example.com',
		]) {
			await fleet.api.post('/sites', { site: { url } });
		}
	});

	it.each([
		['https://shop.example.com', 'https://shop.example.com'],
		['https://shop.example.com/', 'https://shop.example.com'],
		['SHOP.example.com', 'https://shop.example.com'],
		['https://shop.example.com/blog/', 'https://shop.example.com/blog'],
		['https://staging.shop.example.com', 'https://staging.shop.example.com'],
	])('%s is the site %s', async (text, url) => {
		const { json, error } = await getByUrl(text);
		expect(error).toBeUndefined();
		expect(json[0]!.url).toBe(url);
	});

	it('a host that only contains the text is another site', async () => {
		const { error } = await getByUrl('https://op.example.com');
		expect(error?.message).toBe('No site with the URL "https://op.example.com" was found');
		expect(fleet.sent().map(({ route }) => route)).toEqual(['GET /sites']);
	});

	it('a host does not match the only site below one of its paths', async () => {
		await fleet.api.post('/sites', { site: { url: 'https://only.example.com/blog' } });
		for (const text of ['https://only.example.com/', 'only.example.com']) {
			const { error } = await getByUrl(text);
			expect(error?.message).toBe(`No site with the URL "${text}" was found`);
			expect(error?.description).toContain('https://only.example.com/blog');
		}
	});

	it('a URL that fits more than one site is refused with their IDs', async () => {
		const url = 'https://twice.example.com';
		await fleet.api.post('/sites', { site: { url } });
		// The service itself refuses a second one.
		const [other] = fleet.world.store.sites.peek();
		other!.url = url;
		const { data } = await fleet.api.get('/sites', { params: { 'filters[url:contains]': url } });
		const ids = data.sites.map(({ id }: { id: string }) => id);
		expect(ids).toHaveLength(2);
		const { error } = await getByUrl('https://twice.example.com');
		expect(error?.message).toBe('More than one site has the URL "https://twice.example.com"');
		for (const id of ids) expect(error?.description).toContain(id);
	});

	it.each([
		'https://shop.example.com/?p=1',
		'https://shop.example.com#top',
		'https://a:b@shop.example.com',
	])('refuses %s as the address of a site', async (text) => {
		fleet.forget();
		const { error } = await getByUrl(text);
		expect(error?.message).toMatch(/^The parameter "Site" is not a URL/);
		expect(error?.message).not.toContain('a:b');
		expect(fleet.sent()).toEqual([]);
	});
});
