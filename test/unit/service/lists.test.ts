import { expectError, list, listIds, start, startTime, type TestService } from './support';

/** A service whose only tags are those named, made one second apart. */
async function startWithTags(...names: string[]): Promise<TestService> {
	const service = await start({ sites: 0 });
	for (const tag of service.world.store.tags.all()) service.world.store.tags.delete(tag.id);
	for (const name of names) {
		const response = await service.api.post('/tags', { tag: { name } });
		expect(response.status).toBe(201);
		service.clock.advance(1000);
	}
	return service;
}

const names = (rows: any[]) => rows.map((row) => row.name);

describe('paging', () => {
	it('returns the first 100 rows by default', async () => {
		const { api } = await start({ sites: 101 });
		const { data } = await api.get('/sites');
		expect(data.sites).toHaveLength(100);
		expect(data.meta).toEqual({
			pagination: { page: 1, perPage: 100, totalPages: 2, totalItems: 101 },
		});
	});

	it('returns the page asked for', async () => {
		const service = await startWithTags('a', 'b', 'c', 'd', 'e');
		const { data } = await service.api.get('/tags?page=2&perPage=2&sort=name,asc');
		expect(names(data.tags)).toEqual(['c', 'd']);
		expect(data.meta.pagination).toEqual({ page: 2, perPage: 2, totalPages: 3, totalItems: 5 });
	});

	it('returns no rows beyond the last page', async () => {
		const service = await startWithTags('a');
		expect(await list(service, '/tags', { page: 2 })).toEqual([]);
	});

	it('counts only the rows that the filters let through', async () => {
		const service = await startWithTags('ab', 'b', 'abc');
		const { data } = await service.api.get('/tags', {
			params: { perPage: 1, 'filters[name:contains]': 'ab' },
		});
		expect(data.meta.pagination).toMatchObject({ totalPages: 2, totalItems: 2 });
	});

	it.each([
		['page', '0'],
		['page', '-1'],
		['page', 'two'],
		['page', ''],
		['perPage', '0'],
		['perPage', '101'],
		['perPage', '1.5'],
	])('refuses %s=%s', async (param, value) => {
		const { api } = await start();
		expect(expectError(await api.get(`/tags?${param}=${value}`), 400)).toEqual([param]);
	});

	it('refuses a parameter that the list does not know', async () => {
		const { api } = await start();
		expect(expectError(await api.get('/tags?per_page=5'), 400)).toEqual(['per_page']);
	});
});

describe('sorting', () => {
	it('puts the newest first by default', async () => {
		const service = await startWithTags('b', 'c', 'a');
		expect(names(await list(service, '/tags'))).toEqual(['a', 'c', 'b']);
	});

	it('follows the field and direction asked for', async () => {
		const service = await startWithTags('b', 'c', 'a');
		expect(names(await list(service, '/tags', { sort: 'name,asc' }))).toEqual(['a', 'b', 'c']);
		expect(names(await list(service, '/tags', { sort: 'name,desc' }))).toEqual(['c', 'b', 'a']);
	});

	it('orders rows of equal keys by ID in both directions', async () => {
		const service = await startWithTags('same', 'same', 'same');
		const ids = (await listIds(service, '/tags')).sort();
		expect(await listIds(service, '/tags', { sort: 'name,asc' })).toEqual(ids);
		expect(await listIds(service, '/tags', { sort: 'name,desc' })).toEqual(ids);
	});

	it.each(['name', 'name,up', 'title,asc', ',asc', 'name,asc,desc'])(
		'refuses sort=%s',
		async (sort) => {
			const { api } = await start();
			expect(expectError(await api.get('/tags', { params: { sort } }), 400)).toEqual(['sort']);
		},
	);
});

describe('filters', () => {
	it('finds text that contains the value, whatever its case', async () => {
		const service = await startWithTags('Production', 'product', 'Shop');
		const rows = await list(service, '/tags', { 'filters[name:contains]': 'PROD' });
		expect(names(rows)).toEqual(['product', 'Production']);
	});

	it('finds text that equals the value', async () => {
		const service = await startWithTags('Shop', 'Shops');
		expect(names(await list(service, '/tags', { 'filters[name:eq]': 'Shop' }))).toEqual(['Shop']);
	});

	it('lets only rows through that satisfy all filters', async () => {
		const service = await startWithTags('Shop A', 'Shop B', 'Blog B');
		const rows = await list(service, '/tags', {
			'filters[name:contains]': 'shop',
			'filters[created_at:gte]': new Date(startTime + 1000).toISOString(),
		});
		expect(names(rows)).toEqual(['Shop B']);
	});

	it('includes the bounds of a time range', async () => {
		const service = await startWithTags('first', 'second', 'third');
		const at = new Date(startTime + 1000).toISOString();
		expect(names(await list(service, '/tags', { 'filters[created_at:gte]': at }))).toEqual([
			'third',
			'second',
		]);
		expect(names(await list(service, '/tags', { 'filters[created_at:lte]': at }))).toEqual([
			'second',
			'first',
		]);
	});

	it('reads a time without offset in the requested time zone, UTC by default', async () => {
		const service = await startWithTags('noon in UTC');
		const createdSince = (time: string, timezone?: string) =>
			listIds(service, '/tags', { 'filters[created_at:gte]': time, timezone });
		expect(await createdSince('2025-03-10T12:00:00')).toHaveLength(1);
		expect(await createdSince('2025-03-10T12:00:01')).toHaveLength(0);
		expect(await createdSince('2025-03-10T13:00:00', 'Europe/Berlin')).toHaveLength(1);
		expect(await createdSince('2025-03-10T13:00:01', 'Europe/Berlin')).toHaveLength(0);
	});

	it('prefers the offset of a time to the time zone', async () => {
		const service = await startWithTags('noon in UTC');
		const params = {
			'filters[created_at:gte]': '2025-03-10T13:00:00+01:00',
			timezone: 'America/New_York',
		};
		expect(await listIds(service, '/tags', params)).toHaveLength(1);
	});

	it('reads a date as the start of its day', async () => {
		const service = await startWithTags('noon');
		const createdSince = (date: string) =>
			listIds(service, '/tags', { 'filters[created_at:gte]': date });
		expect(await createdSince('2025-03-10')).toHaveLength(1);
		expect(await createdSince('2025-03-11')).toHaveLength(0);
	});

	it('takes one or several values of an array filter', async () => {
		const service = await start({ sites: 3 });
		const [one, two] = service.world.store.sites.all();
		const [a, b, ...others] = service.world.store.tags.all();
		for (const site of service.world.store.sites.all()) site.internal.tag_ids = [];
		one!.internal.tag_ids = [a!.id];
		two!.internal.tag_ids = [a!.id, b!.id];
		const tagged = (...ids: string[]) =>
			listIds(service, '/sites', { 'filters[tags:in]': ids, sort: 'url,asc' });
		expect((await tagged(b!.id)).sort()).toEqual([two!.id]);
		expect((await tagged(a!.id, b!.id)).sort()).toEqual([one!.id, two!.id].sort());
		expect(await tagged(others[0]!.id)).toEqual([]);
	});

	it.each([
		['an unknown field', 'filters[size:eq]', '1'],
		['an unknown operator', 'filters[name:gte]', 'a'],
		['a field without operator', 'filters[name]', 'a'],
		['a single value for an array filter', 'filters[site_id:in]', '1'],
		['an indexed array filter', 'filters[site_id:in][0]', '1'],
		['an invalid time', 'filters[created_at:gte]', 'yesterday'],
		['a time of day alone', 'filters[created_at:gte]', '12:00'],
		['an impossible date', 'filters[created_at:gte]', '2025-02-30'],
		['an empty time', 'filters[created_at:gte]', ''],
		['an unknown timezone', 'timezone', 'Mars/Base'],
	])('refuses %s', async (_case, param, value) => {
		const { api } = await start();
		const query = new URLSearchParams({ [param]: value });
		expect(expectError(await api.get(`/tags?${query}`), 400)).toEqual([param]);
	});

	it.each([
		['connection_status', 'lost'],
		['paused', 'yes'],
		['paused', '1'],
		['php_version', '8.x'],
		['php_version', '8.1.2.3'],
	])('refuses a value that the field %s cannot have: %s', async (field, value) => {
		const { api } = await start();
		const param = `filters[${field}:eq]`;
		expect(expectError(await api.get('/sites', { params: { [param]: value } }), 400)).toEqual([
			param,
		]);
	});

	it('refuses a filter that is given twice', async () => {
		const { api } = await start();
		const query = 'filters[name:eq]=a&filters[name:eq]=b';
		expect(expectError(await api.get(`/tags?${query}`), 400)).toEqual(['filters[name:eq]']);
	});
});
