import { addSite, expectError, list, start, startSite } from './support';

const home = 'https://one.example.com/';

async function startPages(settings: object = {}) {
	const service = await startSite({}, { settings });
	const url = `${service.path}/important-pages`;
	const add = (page: unknown) => service.api.post(url, { important_page: { url: page } });
	return { ...service, url, add, pages: () => list(service, url) };
}

describe('important pages', () => {
	it('are added and listed', async () => {
		const { add, api, pages, url } = await startPages();
		const { status, data } = await add(home);
		expect(status).toBe(201);
		expect(data).toEqual({ important_page: { id: expect.any(String), url: home } });
		expect(await pages()).toEqual([data.important_page]);
		const { pagination } = (await api.get(`${url}?page=1&perPage=1`)).data.meta;
		expect(pagination).toEqual({ page: 1, perPage: 1, totalPages: 1, totalItems: 1 });
	});

	it.each([
		'https://two.example.com/',
		'https://one.example.com.evil.test/',
		'https://bone.example.com/',
		'https://example.com/one.example.com',
	])('must be within the domain of the site: %s', async (page) => {
		const { add } = await startPages();
		expect(expectError(await add(page), 422)).toEqual(['important_page.url']);
	});

	it.each(['http://one.example.com/shop?page=2', 'https://shop.one.example.com/'])(
		'can be %s',
		async (page) => {
			const { add } = await startPages();
			expect((await add(page)).status).toBe(201);
		},
	);

	it.each([home, 'http://one.example.com', 'https://ONE.example.com/'])(
		'are unique: %s',
		async (page) => {
			const { add } = await startPages();
			await add(home);
			expectError(await add(page), 422);
			expect((await add(`${home}?page_id=2`)).status).toBe(201);
		},
	);

	it('are unique per site only', async () => {
		const service = await startPages();
		await service.add(home);
		const other = await addSite(service, 'https://one.example.com/blog');
		const { status } = await service.api.post(`/sites/${other.id}/important-pages`, {
			important_page: { url: home },
		});
		expect(status).toBe(201);
	});

	it('are as many as the site has capacity for', async () => {
		const { add } = await startPages({ importantPagesPerSite: 1 });
		await add(home);
		expectError(await add(`${home}contact`), 422);
	});

	it('end the monitoring with the last one', async () => {
		const { add, api, pages, site, url } = await startPages();
		const ids = [];
		for (const page of [home, `${home}contact`]) {
			ids.push((await add(page)).data.important_page.id);
		}
		expect(site.performance.enabled).toBe(true);
		expect((await api.delete(`${url}/${ids[0]}`)).status).toBe(204);
		expect(site.performance.enabled).toBe(true);
		expect(await pages()).toHaveLength(1);
		expect((await api.delete(`${url}/${ids[1]}`)).status).toBe(204);
		expect(site.performance.enabled).toBe(false);
		expectError(await api.delete(`${url}/${ids[1]}`), 404);
	});

	it('need a site whose plan has monitoring', async () => {
		const { add, admin, api, path, url } = await startPages();
		await add(home);
		await admin.post(`${path}/plan`, { without: ['performance'] });
		expect(expectError(await api.get(url), 422)).toEqual(['site_id']);
		expectError(await add(`${home}contact`), 422);
		expectError(await api.delete(`${url}/unknown`), 422);
		await admin.post(`${path}/plan`, { without: [] });
		expect((await api.get(url)).data.important_pages).toHaveLength(1);
	});

	it('exist in the demo fleet exactly where performance is monitored', async () => {
		const { world } = await start({ sites: 30 });
		const pages = world.store.importantPages.all();
		for (const { id, performance } of world.store.sites.all()) {
			expect(pages.some((page) => page.site_id === id)).toBe(performance.enabled);
		}
	});
});
