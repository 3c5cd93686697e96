import { expectError, listIds, start, startTime, type TestService } from './support';

const now = new Date(startTime).toISOString();

async function startWithTag(options: Parameters<typeof start>[0] = {}) {
	const service = await start(options);
	for (const site of service.world.store.sites.all()) site.internal.tag_ids = [];
	const { data } = await service.api.post('/tags', { tag: { name: 'Mine', color: '#112233' } });
	const siteIds = service.world.store.sites.all().map((site) => site.id);
	return { ...service, tag: data.tag, siteIds };
}

const showTag = async ({ api }: TestService, id: string) => (await api.get(`/tags/${id}`)).data.tag;
const tagsOfSite = async ({ api }: TestService, id: string) =>
	(await api.get(`/sites/${id}`)).data.site.tags;

describe('creating a tag', () => {
	it('returns the tag with a numeric ID and no sites', async () => {
		const { api } = await start();
		const { status, data } = await api.post('/tags', { tag: { name: 'Shop', color: '#A1b2C3' } });
		expect(status).toBe(201);
		expect(data).toEqual({
			tag: {
				id: expect.stringMatching(/^\d+$/),
				name: 'Shop',
				color: '#A1b2C3',
				site_ids: [],
				created_at: now,
				updated_at: now,
			},
		});
	});

	it('leaves the color null when none is sent', async () => {
		const { api } = await start();
		expect((await api.post('/tags', { tag: { name: 'Shop' } })).data.tag.color).toBeNull();
	});

	it('never reuses an ID', async () => {
		const { api, tag } = await startWithTag();
		await api.delete(`/tags/${tag.id}`);
		expect((await api.post('/tags', { tag: { name: 'Next' } })).data.tag.id).not.toBe(tag.id);
	});
});

describe('updating a tag', () => {
	it('changes what is sent and keeps the rest', async () => {
		const { api, clock, tag } = await startWithTag();
		clock.advance(5000);
		const { status, data } = await api.post(`/tags/${tag.id}/update`, { tag: { color: null } });
		expect(status).toBe(200);
		const updatedAt = new Date(startTime + 5000).toISOString();
		expect(data.tag).toEqual({ ...tag, color: null, updated_at: updatedAt });
	});
});

describe('deleting a tag', () => {
	it('takes the tag off its sites', async () => {
		const service = await startWithTag();
		const { api, tag, siteIds } = service;
		await api.post(`/tags/${tag.id}/assign`, { site_ids: siteIds });
		await api.delete(`/tags/${tag.id}`);
		expectError(await api.get(`/tags/${tag.id}`), 404);
		expect(await tagsOfSite(service, siteIds[0]!)).toEqual([]);
		expect(await listIds(service, '/sites', { 'filters[tags:in]': [tag.id] })).toEqual([]);
	});
});

describe('assigning a tag to sites', () => {
	it('shows on the tag and on the sites', async () => {
		const service = await startWithTag();
		const { api, tag, siteIds } = service;
		const { status, data } = await api.post(`/tags/${tag.id}/assign`, {
			site_ids: siteIds.slice(0, 2),
		});
		expect(status).toBe(200);
		expect(data).toEqual({
			assign: { site_ids: siteIds.slice(0, 2), errors: [] },
			meta: { requested: 2, succeeded: 2, failed: 0 },
		});
		expect((await showTag(service, tag.id)).site_ids).toEqual(siteIds.slice(0, 2));
		expect(await tagsOfSite(service, siteIds[0]!)).toEqual([{ id: tag.id, name: 'Mine' }]);
		expect(await tagsOfSite(service, siteIds[2]!)).toEqual([]);
	});

	it('processes a site that is sent twice once', async () => {
		const { api, tag, siteIds } = await startWithTag();
		const id = siteIds[0]!;
		const { data } = await api.post(`/tags/${tag.id}/assign`, { site_ids: [id, id] });
		expect(data).toEqual({
			assign: { site_ids: [id], errors: [] },
			meta: { requested: 1, succeeded: 1, failed: 0 },
		});
	});

	it('succeeds for a site that has the tag already', async () => {
		const service = await startWithTag();
		const { api, tag, siteIds } = service;
		const body = { site_ids: [siteIds[0]!] };
		await api.post(`/tags/${tag.id}/assign`, body);
		expect((await api.post(`/tags/${tag.id}/assign`, body)).data.meta.succeeded).toBe(1);
		expect((await showTag(service, tag.id)).site_ids).toEqual(body.site_ids);
	});

	it('reports an unknown site and assigns the others', async () => {
		const { api, tag, siteIds } = await startWithTag();
		const { status, data } = await api.post(`/tags/${tag.id}/assign`, {
			site_ids: ['unknown', siteIds[0]],
		});
		expect(status).toBe(200);
		expect(data).toEqual({
			assign: {
				site_ids: [siteIds[0]],
				errors: [{ id: 'unknown', code: 'not_found', message: expect.any(String) }],
			},
			meta: { requested: 2, succeeded: 1, failed: 1 },
		});
	});

	it('reports a site that has the maximum number of tags', async () => {
		const service = await startWithTag({ settings: { tagsPerSite: 2 } });
		const { api, world, tag, siteIds } = service;
		const full = world.store.sites.get(siteIds[0]!)!;
		full.internal.tag_ids = world.store.tags
			.all()
			.slice(0, 2)
			.map(({ id }) => id);
		const { data } = await api.post(`/tags/${tag.id}/assign`, { site_ids: siteIds.slice(0, 2) });
		expect(data.assign.site_ids).toEqual([siteIds[1]]);
		expect(data.assign.errors).toEqual([
			{ id: siteIds[0], code: 'tag_limit_reached', message: expect.any(String) },
		]);
		expect((await showTag(service, tag.id)).site_ids).toEqual([siteIds[1]]);
	});

	it('dates the tag only when a site was changed', async () => {
		const service = await startWithTag();
		const { api, clock, tag, siteIds } = service;
		const body = { site_ids: [siteIds[0]!] };
		clock.advance(1000);
		await api.post(`/tags/${tag.id}/assign`, body);
		clock.advance(1000);
		await api.post(`/tags/${tag.id}/assign`, body);
		expect((await showTag(service, tag.id)).updated_at).toBe(
			new Date(startTime + 1000).toISOString(),
		);
	});
});

describe('removing a tag from sites', () => {
	it('removes it from the sites sent and keeps the others', async () => {
		const service = await startWithTag();
		const { api, tag, siteIds } = service;
		await api.post(`/tags/${tag.id}/assign`, { site_ids: siteIds.slice(0, 2) });
		const { data } = await api.post(`/tags/${tag.id}/remove`, {
			site_ids: [siteIds[0], 'unknown'],
		});
		expect(data).toEqual({
			remove: {
				site_ids: [siteIds[0]],
				errors: [{ id: 'unknown', code: 'not_found', message: expect.any(String) }],
			},
			meta: { requested: 2, succeeded: 1, failed: 1 },
		});
		expect((await showTag(service, tag.id)).site_ids).toEqual([siteIds[1]]);
		expect(await tagsOfSite(service, siteIds[0]!)).toEqual([]);
	});
});
