import { expectError, type SiteService, startSite } from './support';

const work = { title: 'Checkout reworked', performed_on: '2025-03-01' };

const create = ({ api, path }: SiteService, ...items: unknown[]) =>
	api.post(`${path}/custom-works`, { custom_works: items });

async function startWithWork(fields: object = {}) {
	const service = await startSite();
	const { data } = await create(service, { ...work, ...fields });
	const { id } = data.custom_works[0];
	const url = `${service.path}/custom-works/${id}`;
	const update = (changes: unknown) => service.api.post(`${url}/update`, { custom_work: changes });
	return { ...service, id, url, update };
}

describe('creating custom works', () => {
	it('adds all of them in the order they are sent', async () => {
		const service = await startSite();
		const second = { title: 'Form', performed_on: '2025-03-10', description: 'Mails again' };
		const { status, data } = await create(service, work, second);
		expect(status).toBe(201);
		const written = { id: expect.any(String), created_at: expect.any(String) };
		const [first, other] = data.custom_works;
		expect(first).toEqual({ ...work, description: '', updated_at: first.created_at, ...written });
		expect(other).toEqual({ ...second, updated_at: first.created_at, ...written });
	});

	it.each<[string, unknown[]]>([
		['no work', []],
		['a word', ['Form']],
		['no title', [{ performed_on: '2025-03-01' }]],
		['no date', [{ title: 'Form' }]],
		['a blank title', [{ ...work, title: ' ' }]],
		['a title that is no string', [{ ...work, title: 7 }]],
		['a long title', [{ ...work, title: 'x'.repeat(151) }]],
		['a long description', [{ ...work, description: 'x'.repeat(501) }]],
		['a date that does not exist', [{ ...work, performed_on: '2025-02-30' }]],
		['a time', [{ ...work, performed_on: '2025-03-01T10:00:00Z' }]],
		['a blank date', [{ ...work, performed_on: '' }]],
		['another field', [{ ...work, site_id: 'x' }]],
	])('refuses %s', async (_what, items) => {
		const service = await startSite();
		expectError(await create(service, ...items), 400);
	});

	it('takes the longest title and description, and today', async () => {
		const service = await startSite();
		const longest = {
			title: 'x'.repeat(150),
			description: 'y'.repeat(500),
			performed_on: '2025-03-10',
		};
		expect((await create(service, longest)).status).toBe(201);
	});

	it('adds none when one of them is in the future', async () => {
		const service = await startSite();
		const response = await create(service, work, { ...work, performed_on: '2025-03-11' });
		expect(expectError(response, 422)).toEqual(['custom_works.1.performed_on']);
		expect(service.world.store.customWorks.all()).toEqual([]);
	});

	it('is 404 for a site that does not exist', async () => {
		const { api } = await startSite();
		expectError(await api.post('/sites/unknown/custom-works', { custom_works: [work] }), 404);
	});
});

describe('one custom work', () => {
	it('is shown and deleted', async () => {
		const { api, id, url } = await startWithWork();
		expect((await api.get(url)).data.custom_work).toMatchObject({ id, ...work });
		expect((await api.delete(url)).status).toBe(204);
		expectError(await api.get(url), 404);
	});

	it('is not found at another site', async () => {
		const service = await startWithWork();
		const { data } = await service.api.post('/sites', { site: { url: 'https://two.example.com' } });
		expectError(await service.api.get(`/sites/${data.site.id}/custom-works/${service.id}`), 404);
	});

	it('keeps the fields that an update does not send', async () => {
		const { clock, update } = await startWithWork({ description: 'Long' });
		clock.advance(1000);
		const { status, data } = await update({ title: 'New' });
		expect(status).toBe(200);
		expect(data.custom_work).toMatchObject({
			...work,
			title: 'New',
			description: 'Long',
			created_at: '2025-03-10T12:00:00.000Z',
			updated_at: '2025-03-10T12:00:01.000Z',
		});
	});

	it('loses its description to an empty one', async () => {
		const { update } = await startWithWork({ description: 'Long' });
		expect((await update({ description: '' })).data.custom_work.description).toBe('');
	});

	it.each([{}, { title: '' }, { title: ' ' }, { performed_on: '' }, { performed_on: ' ' }])(
		'refuses the update %j',
		async (changes) => {
			const { update } = await startWithWork();
			expectError(await update(changes), 400);
		},
	);

	it('cannot be moved to the future', async () => {
		const { clock, update } = await startWithWork();
		expectError(await update({ performed_on: '2025-03-11' }), 422);
		clock.advance(12 * 60 * 60 * 1000);
		expect((await update({ performed_on: '2025-03-11' })).status).toBe(200);
	});
});

describe('listing custom works', () => {
	const items = [
		{ title: 'Apple shop', description: 'Basket', performed_on: '2025-01-05' },
		{ title: 'Basket', description: 'Colours', performed_on: '2025-02-05' },
		{ title: 'Colours', description: '', performed_on: '2025-03-05' },
	];

	it.each([
		[{}, ['Colours', 'Basket', 'Apple shop']],
		[{ sort: 'title,asc' }, ['Apple shop', 'Basket', 'Colours']],
		[{ sort: 'description,desc' }, ['Basket', 'Apple shop', 'Colours']],
		[{ 'filters[search:contains]': 'baSKet' }, ['Basket', 'Apple shop']],
		[{ 'filters[search:contains]': '2025' }, []],
		[{ 'filters[title:contains]': 'basket' }, ['Basket']],
		[{ 'filters[description:contains]': 'basket' }, ['Apple shop']],
		[{ 'filters[performed_on:eq]': '2025-02-05' }, ['Basket']],
		[{ 'filters[performed_on:gte]': '2025-02-05' }, ['Colours', 'Basket']],
		[{ 'filters[performed_on:lte]': '2025-02-04' }, ['Apple shop']],
		[{ 'filters[created_at:lte]': '2025-03-10T11:59:59Z' }, []],
		[{ 'filters[updated_at:gte]': '2025-03-10T12:00:00Z', perPage: 1, page: 2 }, ['Basket']],
	])('%j', async (params, expected) => {
		const service = await startSite();
		await create(service, ...items);
		const { data } = await service.api.get(`${service.path}/custom-works`, { params });
		expect(data.custom_works.map(({ title }: { title: string }) => title)).toEqual(expected);
	});

	it('refuses an invalid date', async () => {
		const { api, path } = await startSite();
		const params = { 'filters[performed_on:eq]': '2025-02-30' };
		expectError(await api.get(`${path}/custom-works`, { params }), 400);
	});
});
