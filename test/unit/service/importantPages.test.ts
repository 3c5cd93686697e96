import { expectError, startSite } from './support';

const home = 'https://one.example.com/';

async function startPages() {
	const service = await startSite({}, { settings: { importantPagesPerSite: 2 } });
	const url = `${service.path}/important-pages`;
	const add = (page: unknown) => service.api.post(url, { important_page: { url: page } });
	const { data } = await add(home);
	return { ...service, url, add, first: data.important_page.id as string };
}

it.each<[page: string, status: number]>([
	['https://two.example.com/', 422],
	['https://one.example.com.evil.test/', 422],
	['https://bone.example.com/', 422],
	['https://example.com/one.example.com', 422],
	['http://one.example.com', 422],
	['https://ONE.example.com/', 422],
	['http://one.example.com/shop?page=2', 201],
	['https://shop.one.example.com/', 201],
])('important pages are within the domain of the site, and each once: %s', async (page, status) => {
	const { add } = await startPages();
	const response = await add(page);
	if (status === 201) expect(response.status).toBe(201);
	else expect(expectError(response, 422)).toEqual(['important_page.url']);
});

it('important pages are as many as the site has capacity for, and end the monitoring with the last', async () => {
	const { add, api, first, site, url } = await startPages();
	const { data } = await add(`${home}contact`);
	expectError(await add(`${home}more`), 422);
	await api.delete(`${url}/${first}`);
	expect(site.performance.enabled).toBe(true);
	await api.delete(`${url}/${data.important_page.id}`);
	expect(site.performance.enabled).toBe(false);
});
