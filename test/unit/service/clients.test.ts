import { expectError, start } from './support';

it('the sites of a client are those that are sent, and none of another client', async () => {
	const { api, world } = await start({ sites: 4 });
	const sites = world.store.sites.all();
	for (const site of sites) site.internal.client_id = null;
	const ids = sites.map((site) => site.id);
	const create = (email: string, site_ids: string[]) =>
		api.post('/clients', { client: { email, site_ids } });
	const { id } = (await create('mei@example.com', ids.slice(0, 2))).data.client;
	const clientsOfSites = () =>
		world.store.sites.all().map(({ internal }) => internal.client_id === id);
	expect(clientsOfSites()).toEqual([true, true, false, false]);

	expect(expectError(await create('other@example.com', ids), 422)).toEqual(['client.site_ids']);
	const update = (client: object) => api.post(`/clients/${id}/update`, { client });
	const { data } = await update({ site_ids: ids.slice(1, 3) });
	expect(data.client.site_ids).toEqual(ids.slice(1, 3));
	expect(clientsOfSites()).toEqual([false, true, true, false]);

	await create('other@example.com', [ids[3]!]);
	const refused = await update({ note: 'new', site_ids: [ids[0], ids[3]] });
	expect(expectError(refused, 422)).toEqual(['client.site_ids']);
	expect((await api.get(`/clients/${id}`)).data.client).toEqual(data.client);
	await api.post('/clients/delete', { ids: [id] });
	expect(clientsOfSites()).toEqual([false, false, false, false]);
});
