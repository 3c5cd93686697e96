import { at, expectError, listIds, start } from './support';

/** A service with a new tag, and three sites without one, of which each can have two. */
async function startWithTag() {
	const service = await start({ sites: 3, settings: { tagsPerSite: 2 } });
	const { api, world } = service;
	const sites = world.store.sites.all();
	for (const site of sites) site.internal.tag_ids = [];
	const { data } = await api.post('/tags', { tag: { name: 'Mine' } });
	const path = `/tags/${data.tag.id}`;
	return {
		...service,
		path,
		tag: data.tag,
		rows: sites,
		ids: sites.map(({ id }) => id) as [string, string, string],
		show: async () => (await api.get(path)).data.tag,
		change: async (verb: string, ...siteIds: string[]) =>
			(await api.post(`${path}/${verb}`, { site_ids: siteIds })).data,
	};
}

it('a deleted tag is removed from its sites, and its ID is not used again', async () => {
	const service = await startWithTag();
	const { api, path, tag, ids, change } = service;
	await change('assign', ...ids);
	await api.delete(path);
	expectError(await api.get(path), 404);
	expect((await api.get(`/sites/${ids[0]}`)).data.site.tags).toEqual([]);
	expect(await listIds(service, '/sites', { 'filters[tags:in]': [tag.id] })).toEqual([]);
	expect((await api.post('/tags', { tag: { name: 'Next' } })).data.tag.id).not.toBe(tag.id);
});

describe('assigning a tag', () => {
	it('reports each site once, and why one cannot have it', async () => {
		const { world, tag, rows, ids, change, show } = await startWithTag();
		const others = world.store.tags.all().filter(({ id }) => id !== tag.id);
		rows[2]!.internal.tag_ids = others.slice(0, 2).map(({ id }) => id);
		const error = (id: string, code: string) => ({ id, code, message: expect.any(String) });
		expect(await change('assign', ids[0], 'unknown', ids[0], ids[2])).toEqual({
			assign: {
				site_ids: [ids[0]],
				errors: [error('unknown', 'not_found'), error(ids[2], 'tag_limit_reached')],
			},
			meta: { requested: 3, succeeded: 1, failed: 2 },
		});
		expect((await show()).site_ids).toEqual([ids[0]]);
	});

	it('again succeeds, and dates only the tag that has changed', async () => {
		const { clock, ids, change, show } = await startWithTag();
		for (const verb of ['assign', 'assign', 'remove', 'remove']) {
			clock.advance(1000);
			expect((await change(verb, ids[0])).meta.succeeded).toBe(1);
			const seconds = verb === 'assign' ? 1 : 3;
			expect(await show()).toMatchObject({ updated_at: at(seconds * 1000) });
		}
	});
});
