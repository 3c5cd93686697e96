import { expectError, list, start, startTime, type TestService } from './support';

const at = (ms: number) => new Date(startTime + ms).toISOString();

const fields = {
	first_name: 'Mei',
	last_name: 'Tanaka',
	email: 'mei@tanaka.example.com',
	company_name: 'Tanaka Tea',
	address: '1 Harbour Road',
	note: 'Prefers calls',
};

/** A service with four sites that belong to nobody, and a client. */
async function startWithClient(siteCount = 0) {
	const service = await start({ sites: 4 });
	const sites = service.world.store.sites.all();
	for (const site of sites) site.internal.client_id = null;
	const siteIds = sites.map((site) => site.id);
	const client = { ...fields, site_ids: siteIds.slice(0, siteCount) };
	const { status, data } = await service.api.post('/clients', { client });
	expect(status).toBe(201);
	return { ...service, client: data.client, siteIds };
}

const show = async ({ api }: TestService, id: string) =>
	(await api.get(`/clients/${id}`)).data.client;
const update = ({ api }: TestService, id: string, client: object) =>
	api.post(`/clients/${id}/update`, { client });
const clientOfSite = async ({ api }: TestService, id: string) =>
	(await api.get(`/sites/${id}`)).data.site.client;

describe('creating a client', () => {
	it('returns the client with its sites', async () => {
		const service = await startWithClient(2);
		const { client, siteIds } = service;
		expect(client).toEqual({
			id: expect.any(String),
			...fields,
			site_ids: siteIds.slice(0, 2),
			created_at: at(0),
			updated_at: at(0),
		});
		expect(await show(service, client.id)).toEqual(client);
		expect(await clientOfSite(service, siteIds[0]!)).toMatchObject({ id: client.id });
	});

	it('is refused with a site of another client, which keeps it', async () => {
		const service = await startWithClient(1);
		const { api, client, siteIds } = service;
		const response = await api.post('/clients', { client: { ...fields, site_ids: siteIds } });
		expect(expectError(response, 422)).toEqual(['client.site_ids']);
		expect((await show(service, client.id)).site_ids).toEqual([siteIds[0]]);
	});
});

describe('updating a client', () => {
	it('changes what is sent and keeps the rest', async () => {
		const service = await startWithClient(1);
		service.clock.advance(5000);
		const { status, data } = await update(service, service.client.id, { note: '' });
		expect(status).toBe(200);
		expect(data.client).toEqual({ ...service.client, note: '', updated_at: at(5000) });
	});

	it('sets the assignment of sites: others are set free, its own may stay', async () => {
		const service = await startWithClient(2);
		const { client, siteIds } = service;
		const { data } = await update(service, client.id, { site_ids: siteIds.slice(1, 3) });
		expect(data.client.site_ids).toEqual(siteIds.slice(1, 3));
		expect(await clientOfSite(service, siteIds[0]!)).toBeNull();
		expect(await clientOfSite(service, siteIds[2]!)).toMatchObject({ id: client.id });
		const { data: none } = await update(service, client.id, { site_ids: [] });
		expect(none.client.site_ids).toEqual([]);
	});

	it.each([
		['unknown', 'is not available'],
		['taken', 'belongs to another client'],
	])('is refused with a site that is %s, and changes nothing', async (kind) => {
		const service = await startWithClient(1);
		const { client, siteIds, world } = service;
		const other = world.store.clients.all()[0]!;
		world.store.sites.get(siteIds[3]!)!.internal.client_id = other.id;
		const site = kind === 'taken' ? siteIds[3] : 'unknown';
		const changes = { note: 'new', site_ids: [siteIds[1], site] };
		expect(expectError(await update(service, client.id, changes), 422)).toEqual([
			'client.site_ids',
		]);
		expect(await show(service, client.id)).toEqual(client);
	});
});

describe('deleting clients', () => {
	it('frees their sites, and reports unknown ones', async () => {
		const service = await startWithClient(1);
		const { api, client, siteIds } = service;
		const { status, data } = await api.post('/clients/delete', { ids: ['unknown', client.id] });
		expect(status).toBe(200);
		expect(data).toEqual({
			delete: {
				ids: [client.id],
				errors: [{ id: 'unknown', code: 'not_found', message: expect.any(String) }],
			},
			meta: { requested: 2, succeeded: 1, failed: 1 },
		});
		expectError(await api.get(`/clients/${client.id}`), 404);
		expect(service.world.store.sites.get(siteIds[0]!)!.internal.client_id).toBeNull();
	});
});

it('the demo fleet has clients with sites', async () => {
	const clients = await list(await start(), '/clients');
	expect(clients.some((client) => client.site_ids.length > 0)).toBe(true);
});
