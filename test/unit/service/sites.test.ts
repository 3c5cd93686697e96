import { expectError, list, listIds, minute, start, startTime, type TestService } from './support';

const at = (ms: number) => new Date(startTime + ms).toISOString();
const url = 'https://new.example.com';

async function startWithSite(fields: object = {}, options?: Parameters<typeof start>[0]) {
	const service = await start(options);
	const response = await service.api.post('/sites', { site: { url, ...fields } });
	expect(response.status).toBe(201);
	return { ...service, id: response.data.site.id as string };
}

const show = async ({ api }: TestService, id: string) => (await api.get(`/sites/${id}`)).data.site;

describe('creating a site', () => {
	it('returns the few fields of a site that is not connected yet', async () => {
		const { api } = await start();
		const { status, data } = await api.post('/sites', { site: { url } });
		expect(status).toBe(201);
		expect(data).toEqual({
			site: {
				id: expect.any(String),
				url,
				connection: { status: 'disconnected' },
				created_at: at(0),
				updated_at: at(0),
			},
		});
	});

	it('adds the site to the list', async () => {
		const service = await startWithSite();
		expect((await listIds(service, '/sites'))[0]).toBe(service.id);
	});

	it('keeps the connection that is sent', async () => {
		const connection = {
			sticky_ip: '192.0.2.7',
			http_auth: { username: 'user', password: 'secret' },
		};
		const service = await startWithSite({ connection });
		expect((await show(service, service.id)).connection).toEqual({
			status: 'disconnected',
			...connection,
		});
	});

	it.each([
		[url, url],
		[url, `${url}/`],
		[url, 'https://NEW.example.com'],
		[url, 'http://new.example.com'],
		[`${url}/blog`, `${url}/blog/`],
	])('refuses the address that a site has already: %s and %s', async (first, again) => {
		const { api } = await startWithSite({ url: first });
		expect(expectError(await api.post('/sites', { site: { url: again } }), 422)).toEqual([
			'site.url',
		]);
	});

	it('takes another path of a host that has a site', async () => {
		const { api } = await startWithSite();
		expect((await api.post('/sites', { site: { url: `${url}/blog` } })).status).toBe(201);
	});
});

describe('one site', () => {
	const listKeys = [
		'activity_logs',
		'analytics',
		'backups',
		'client',
		'connection',
		'created_at',
		'home_url',
		'id',
		'locked',
		'multisite',
		'performance',
		'screenshot',
		'security',
		'server',
		'sync',
		'tags',
		'title',
		'updated_at',
		'uptime',
		'url',
		'wp',
	];
	const keys = (value: object) => Object.keys(value).sort();

	it('has the fields of the list view in a list', async () => {
		const service = await start();
		const [site] = await list(service, '/sites');
		expect(keys(site)).toEqual(listKeys);
		expect(keys(site.connection)).toEqual(['status']);
		expect(keys(site.security.scanner)).toEqual([
			'detections',
			'interval',
			'last_check_at',
			'malware_detected_at',
			'next_check_at',
			'status',
		]);
		expect(keys(site.backups)).toEqual([
			'available_snapshots',
			'enabled',
			'latest_snapshot',
			'real_time',
			'retention_days',
		]);
		expect(keys(site.wp.core)).toEqual([
			'current_version',
			'latest_version',
			'locked',
			'update_available',
		]);
		expect(keys(site.wp)).toEqual(['core', 'default_wp_object_id']);
	});

	it('adds the fields of the detail view when it is shown', async () => {
		const service = await start();
		const [listed] = await list(service, '/sites');
		const site = await show(service, listed.id);
		expect(keys(site)).toEqual(listKeys);
		expect(site).toMatchObject(listed);
		expect(site.security.scanner.files).toEqual({
			total: expect.any(Number),
			scanned: expect.any(Number),
		});
		const amounts = {
			total: expect.any(Number),
			synced: expect.any(Number),
			ignored: expect.any(Number),
		};
		expect(site.backups.files).toEqual({ count: amounts, size: amounts });
		expect(site.backups.database).toEqual({ count: amounts, size: amounts });
		expect(site.wp.core.vulnerable).toEqual(expect.any(Boolean));
	});

	it('shows its client', async () => {
		const service = await start();
		const site = (await list(service, '/sites')).find(({ client }) => client !== null);
		expect(site.client).toEqual({
			id: expect.any(String),
			first_name: expect.any(String),
			last_name: expect.any(String),
			email: expect.stringContaining('@'),
			company_name: expect.any(String),
		});
	});

	it('shows no connection credentials that are not configured', async () => {
		const service = await startWithSite();
		expect((await show(service, service.id)).connection).toEqual({ status: 'disconnected' });
	});
});

describe('updating a site', () => {
	it('changes what is sent and returns the few fields of an update', async () => {
		const service = await startWithSite();
		service.clock.advance(1000);
		const { status, data } = await service.api.post(`/sites/${service.id}/update`, {
			site: { url: 'http://other.example.com', sync: { daily_sync_time: '04:30:00Z' } },
		});
		expect(status).toBe(200);
		expect(data).toEqual({
			site: {
				id: service.id,
				url: 'http://other.example.com',
				connection: { status: 'disconnected' },
				sync: { daily_sync_time: '04:30:00Z' },
				updated_at: at(1000),
			},
		});
	});

	it('moves the next sync to the new time of day', async () => {
		const service = await startWithSite();
		const nextAfter = async (time: string) => {
			const site = { sync: { daily_sync_time: time } };
			await service.api.post(`/sites/${service.id}/update`, { site });
			return (await show(service, service.id)).sync.next_sync_at;
		};
		expect(await nextAfter('12:00:01Z')).toBe('2025-03-10T12:00:01.000Z');
		expect(await nextAfter('12:00:00Z')).toBe('2025-03-11T12:00:00.000Z');
	});

	it('clears connection settings that are sent as null and keeps the others', async () => {
		const service = await startWithSite({
			connection: {
				sticky_ip: '192.0.2.7',
				http_auth: { username: 'user', password: 'secret' },
			},
		});
		const update = (connection: object) =>
			service.api.post(`/sites/${service.id}/update`, { site: { connection } });
		expect((await update({ http_auth: null })).status).toBe(200);
		expect((await show(service, service.id)).connection).toEqual({
			status: 'disconnected',
			sticky_ip: '192.0.2.7',
		});
		await update({ sticky_ip: null });
		expect((await show(service, service.id)).connection).toEqual({ status: 'disconnected' });
	});

	it('refuses the address of another site but takes its own', async () => {
		const { api, id, world } = await startWithSite();
		const other = world.store.sites.all()[0]!;
		const update = (address: string) => api.post(`/sites/${id}/update`, { site: { url: address } });
		expectError(await update(other.url), 422);
		expect((await update(url)).status).toBe(200);
	});
});

describe('deleting a site', () => {
	it('returns 204 without a body, and the site is gone', async () => {
		const service = await startWithSite();
		const { status, data } = await service.api.delete(`/sites/${service.id}`);
		expect([status, data]).toEqual([204, '']);
		expectError(await service.api.get(`/sites/${service.id}`), 404);
		expect(await listIds(service, '/sites')).not.toContain(service.id);
	});

	it('takes the site out of its tags', async () => {
		const { api, id } = await startWithSite();
		const { data } = await api.post('/tags', { tag: { name: 'Mine' } });
		await api.post(`/tags/${data.tag.id}/assign`, { site_ids: [id] });
		await api.delete(`/sites/${id}`);
		expect((await api.get(`/tags/${data.tag.id}`)).data.tag.site_ids).toEqual([]);
	});

	it('lets a sync of the site end without effect', async () => {
		const { api, id, clock } = await startWithSite();
		await api.post(`/sites/${id}/sync`);
		await api.delete(`/sites/${id}`);
		clock.advance(60_000);
		expect((await api.get('/sites')).status).toBe(200);
	});
});

describe('syncing a site', () => {
	const sync = ({ api }: TestService, id: string, body?: object) =>
		api.post(`/sites/${id}/sync`, body);

	it('starts a sync that makes a snapshot', async () => {
		const service = await startWithSite();
		const { status, data } = await sync(service, service.id);
		expect(status).toBe(200);
		expect(data).toEqual({ sync: { snapshot_id: expect.any(String), in_progress: true } });
		expect(await show(service, service.id)).toMatchObject({
			sync: { in_progress: true, last_sync_at: null },
			updated_at: at(0),
		});
	});

	it('ends by the clock, dated when it ended', async () => {
		const service = await startWithSite();
		const { data } = await sync(service, service.id, { sync: { message: 'Before the release' } });
		service.clock.advance(59_999);
		expect((await show(service, service.id)).sync.in_progress).toBe(true);
		service.clock.advance(40_000);
		expect(await show(service, service.id)).toMatchObject({
			updated_at: at(60_000),
			sync: {
				in_progress: false,
				last_sync_at: at(60_000),
				last_sync_status: 'succeeded',
				last_sync_error: null,
				next_sync_at: '2025-03-11T00:00:00.000Z',
			},
			backups: {
				available_snapshots: 1,
				latest_snapshot: {
					id: data.sync.snapshot_id,
					created_at: at(0),
					status: 'succeeded',
				},
			},
		});
	});

	it('makes no snapshot while backups are disabled', async () => {
		const service = await startWithSite();
		service.world.store.sites.get(service.id)!.backups.enabled = false;
		await sync(service, service.id);
		service.clock.advance(60_000);
		expect((await show(service, service.id)).backups).toMatchObject({
			available_snapshots: 0,
			latest_snapshot: null,
		});
	});

	it('is a conflict while another one is running', async () => {
		const service = await startWithSite();
		await sync(service, service.id);
		expectError(await sync(service, service.id), 409);
		service.clock.advance(60_000);
		expect((await sync(service, service.id)).status).toBe(200);
	});

	it('is refused beyond the daily limit, until the next day', async () => {
		const service = await startWithSite({}, { settings: { syncsPerDay: 1 } });
		await sync(service, service.id);
		service.clock.advance(60_000);
		expectError(await sync(service, service.id), 422);
		service.clock.advance(12 * 60 * 60 * 1000);
		expect((await sync(service, service.id)).status).toBe(200);
	});

	it('refuses a body of another shape', async () => {
		const service = await startWithSite();
		expect(expectError(await sync(service, service.id, { message: 'x' }), 400)).toEqual([
			'message',
		]);
	});
});

describe('listing sites', () => {
	it.each([
		['eq', '8', ['8.1.10', '8.1.2', '8.10.0']],
		['eq', '8.1', ['8.1.10', '8.1.2']],
		['eq', '8.1.2', ['8.1.2']],
		['gt', '7', ['8.1.10', '8.1.2', '8.10.0']],
		['gt', '8.1', ['8.10.0']],
		['gt', '8.1.2', ['8.1.10', '8.10.0']],
		['lt', '8.10', ['7.4.33', '8.1.10', '8.1.2']],
		['lt', '8', ['7.4.33']],
		['lt', '8.1.10', ['7.4.33', '8.1.2']],
	])('compares PHP versions part by part: %s %s', async (operator, value, expected) => {
		const service = await start({ sites: 5 });
		const versions = ['7.4.33', '8.1.2', '8.1.10', '8.10.0', ''];
		service.world.store.sites.all().forEach((site, index) => {
			site.server.php_version = versions[index]!;
		});
		const sites = await list(service, '/sites', { [`filters[php_version:${operator}]`]: value });
		expect(sites.map((site) => site.server.php_version).sort()).toEqual(expected);
	});

	it.each([
		['before', false],
		['behind', true],
	])('puts sites that were never synced %s all others', async (_, nullsAreHighest) => {
		const service = await startWithSite({}, { settings: { nullsAreHighest } });
		const up = await listIds(service, '/sites', { sort: 'last_sync_at,asc' });
		const down = await listIds(service, '/sites', { sort: 'last_sync_at,desc' });
		const [first, last] = nullsAreHighest ? [down, up] : [up, down];
		expect(first[0]).toBe(service.id);
		expect(last.at(-1)).toBe(service.id);
	});
});

describe('the state of a site', () => {
	it('can be set', async () => {
		const service = await startWithSite();
		const { admin, id } = service;
		const states = { uptime: 'down', malware: 'hacked', connection: 'connected' };
		expect((await admin.post(`/sites/${id}/state`, states)).status).toBe(200);
		expect(await show(service, id)).toMatchObject({
			uptime: { enabled: true, status: 'down' },
			security: { enabled: true, scanner: { status: 'hacked', malware_detected_at: at(0) } },
			connection: { status: 'connected' },
		});
		await admin.post(`/sites/${id}/state`, { uptime: 'up', malware: 'clean' });
		expect(await show(service, id)).toMatchObject({
			uptime: { status: 'up' },
			security: { scanner: { status: 'clean', malware_detected_at: null } },
			connection: { status: 'connected' },
		});
	});

	it('lets its syncs fail until they succeed again', async () => {
		const service = await startWithSite();
		const { admin, api, clock, id } = service;
		const lastSync = async () => (await show(service, id)).sync;
		await admin.post(`/sites/${id}/state`, { syncs: 'failing' });
		clock.advance(minute);
		expect(await lastSync()).toMatchObject({ last_sync_status: 'failed', in_progress: false });
		await api.post(`/sites/${id}/sync`);
		clock.advance(minute);
		expect(await lastSync()).toMatchObject({
			last_sync_status: 'failed',
			last_sync_at: at(2 * minute),
		});
		await admin.post(`/sites/${id}/state`, { syncs: 'succeeding' });
		await api.post(`/sites/${id}/sync`);
		clock.advance(minute);
		expect(await lastSync()).toMatchObject({
			last_sync_status: 'succeeded',
			last_sync_error: null,
		});
	});

	it.each([{}, { uptime: 'gone' }, { syncs: true }])('refuses %j', async (body) => {
		const { admin, id } = await startWithSite();
		expectError(await admin.post(`/sites/${id}/state`, body), 400);
	});
});
