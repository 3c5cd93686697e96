import { expectError, list, startSnapshot } from './support';

async function startTables() {
	const service = await startSnapshot();
	const url = `${service.path}/tables`;
	return {
		...service,
		url,
		tables: (params: object = {}) => list(service, url, { ...params }),
		stats: async () => (await service.api.get(`${url}/stats`)).data.stats.tables,
		mark: (verb: 'sync' | 'skip', ...tables: string[]) =>
			service.api.post(`${url}/${verb}`, { tables }),
	};
}

describe('listing tables', () => {
	it('has them by name, with their fields', async () => {
		const { tables } = await startTables();
		const rows = await tables();
		const names = rows.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		expect(rows.find(({ name }) => name === 'wp_posts')).toEqual({
			name: 'wp_posts',
			rows: expect.any(Number),
			size: expect.any(Number),
			created_at: expect.any(String),
			status: 'synced',
		});
	});

	it.each([{ 'filters[rows:gte]': '-1' }, { sort: 'created_at,asc' }, { timezone: 'UTC' }])(
		'refuses %j',
		async (params) => {
			const { api, url } = await startTables();
			expectError(await api.get(url, { params }), 400);
		},
	);
});

describe('marking tables', () => {
	it('skips tables and syncs them again', async () => {
		const { mark, stats, tables } = await startTables();
		const { total } = await stats();
		expect(await stats()).toEqual({ total, synced: total, skipped: 0 });
		const { status, data } = await mark('skip', 'wp_posts', 'wp_links');
		expect([status, data]).toEqual([
			200,
			{
				skip: { tables: ['wp_posts', 'wp_links'], errors: [] },
				meta: { requested: 2, succeeded: 2, failed: 0 },
			},
		]);
		const skipped = await tables({ 'filters[status:eq]': 'skipped' });
		expect(skipped.map(({ name }) => name)).toEqual(['wp_links', 'wp_posts']);
		expect(await stats()).toEqual({ total, synced: total - 2, skipped: 2 });
		expect((await mark('sync', 'wp_posts')).data.sync.tables).toEqual(['wp_posts']);
		expect(await stats()).toEqual({ total, synced: total - 1, skipped: 1 });
	});

	it.each(['sync', 'skip'] as const)('trims names and %ss each once', async (verb) => {
		const { mark } = await startTables();
		const { data } = await mark(verb, ' wp_posts', 'wp_posts\n', 'wp_posts');
		expect(data).toEqual({
			[verb]: { tables: ['wp_posts'], errors: [] },
			meta: { requested: 1, succeeded: 1, failed: 0 },
		});
	});

	it.each(['sync', 'skip'] as const)('reports missing tables: %s', async (verb) => {
		const { mark } = await startTables();
		const { data } = await mark(verb, 'wp_nothing', 'wp_posts', 'WP_POSTS');
		expect(data[verb]).toEqual({
			tables: ['wp_posts'],
			errors: ['wp_nothing', 'WP_POSTS'].map((id) => ({
				id,
				code: 'not_found',
				message: expect.any(String),
			})),
		});
		expect(data.meta).toEqual({ requested: 3, succeeded: 1, failed: 2 });
	});

	it('refuses another body', async () => {
		const { api, url } = await startTables();
		expectError(await api.post(`${url}/sync`, {}), 400);
		expectError(await api.post(`${url}/skip`, { tables: [7] }), 400);
	});
});
