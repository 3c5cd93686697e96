import { at, expectError, list, listIds, start, type TestService } from './support';

/** A service whose only tags are those named, made one second apart. */
async function startWithTags(...names: string[]): Promise<TestService> {
	const service = await start({ sites: 0 });
	for (const tag of service.world.store.tags.all()) service.world.store.tags.delete(tag.id);
	for (const name of names) {
		expect((await service.api.post('/tags', { tag: { name } })).status).toBe(201);
		service.clock.advance(1000);
	}
	return service;
}

const names = (rows: any[]) => rows.map((row) => row.name);

it('has the page asked for of the rows that satisfy all filters, the newest first', async () => {
	const service = await startWithTags('ab', 'b', 'ABC', 'abcd', 'abcde');
	const params = {
		'filters[name:contains]': 'ab',
		'filters[created_at:gte]': at(1000),
		perPage: 2,
	};
	const { data } = await service.api.get('/tags', { params });
	expect(names(data.tags)).toEqual(['abcde', 'abcd']);
	expect(data.meta.pagination).toEqual({ page: 1, perPage: 2, totalPages: 2, totalItems: 3 });
	expect(names(await list(service, '/tags', { ...params, page: 2 }))).toEqual(['ABC']);
	expect(await list(service, '/tags', { ...params, page: 3 })).toEqual([]);
});

it('orders rows of equal keys by ID in both directions', async () => {
	const service = await startWithTags('same', 'same', 'same');
	const ids = (await listIds(service, '/tags')).sort();
	expect(await listIds(service, '/tags', { sort: 'name,asc' })).toEqual(ids);
	expect(await listIds(service, '/tags', { sort: 'name,desc' })).toEqual(ids);
});

it.each([false, true])('puts rows without a value last if they are highest: %s', async (last) => {
	const service = await start({ settings: { nullsAreHighest: last } });
	const { data } = await service.api.post('/sites', { site: { url: 'https://new.example.com' } });
	const up = await listIds(service, '/sites', { sort: 'last_sync_at,asc' });
	const down = await listIds(service, '/sites', { sort: 'last_sync_at,desc' });
	const ends = [up.at(last ? -1 : 0), down.at(last ? 0 : -1)];
	expect(ends).toEqual([data.site.id, data.site.id]);
});

it.each([
	['2025-03-10T12:00:00', undefined, 1],
	['2025-03-10T12:00:01', undefined, 0],
	['2025-03-10T13:00:00', 'Europe/Berlin', 1],
	['2025-03-10T13:00:01', 'Europe/Berlin', 0],
	['2025-03-10T13:00:00+01:00', 'America/New_York', 1],
	['2025-03-10', undefined, 1],
	['2025-03-11', undefined, 0],
])('of those made at noon in UTC, since %s in %s there are %d', async (time, timezone, count) => {
	const service = await startWithTags('noon in UTC');
	const params = { 'filters[created_at:gte]': time, timezone };
	expect(await listIds(service, '/tags', params)).toHaveLength(count);
});

it.each([
	['eq', '8', ['8.1.10', '8.1.2', '8.10.0']],
	['gt', '7', ['8.1.10', '8.1.2', '8.10.0']],
	['gt', '8.1', ['8.10.0']],
	['lt', '8.1.10', ['7.4.33', '8.1.2']],
])('compares versions part by part: %s %s', async (operator, value, expected) => {
	const service = await start({ sites: 5 });
	const versions = ['7.4.33', '8.1.2', '8.1.10', '8.10.0', ''];
	service.world.store.sites.all().forEach((site, index) => {
		site.server.php_version = versions[index]!;
	});
	const sites = await list(service, '/sites', { [`filters[php_version:${operator}]`]: value });
	expect(sites.map((site) => site.server.php_version).sort()).toEqual(expected);
});

/** Of the tags, unless there is a path. */
const refused: Array<[param: string, value: string, path?: string]> = [
	['page', '0'],
	['page', 'two'],
	['page', ''],
	['perPage', '101'],
	['perPage', '1.5'],
	['per_page', '5'],
	['sort', 'name'],
	['sort', 'name,up'],
	['sort', 'title,asc'],
	['sort', 'name,asc,desc'],
	['filters[size:eq]', '1'],
	['filters[name:gte]', 'a'],
	['filters[name]', 'a'],
	['filters[site_id:in]', '1'],
	['filters[site_id:in][0]', '1'],
	['filters[created_at:gte]', 'yesterday'],
	['filters[created_at:gte]', '12:00'],
	['filters[created_at:gte]', '2025-02-30'],
	['filters[created_at:gte]', ''],
	['timezone', 'Mars/Base'],
	['filters[connection_status:eq]', 'lost', '/sites'],
	['filters[paused:eq]', '1', '/sites'],
	['filters[php_version:eq]', '8.x', '/sites'],
	['filters[status:eq]', 'queued', '/tasks'],
];

it.each(refused)('refuses %s=%s', async (param, value, path = '/tags') => {
	const { api } = await start();
	expect(expectError(await api.get(path, { params: { [param]: value } }), 400)).toEqual([param]);
});

it('refuses a filter that is given twice', async () => {
	const { api } = await start();
	const query = 'filters[name:eq]=a&filters[name:eq]=b';
	expect(expectError(await api.get(`/tags?${query}`), 400)).toEqual(['filters[name:eq]']);
});
