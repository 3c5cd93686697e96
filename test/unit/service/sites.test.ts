import {
	at,
	day,
	expectError,
	list,
	minute,
	start,
	startSite,
	startSnapshot,
	sync,
	type SiteService,
} from './support';

const show = async ({ api, path }: SiteService) => (await api.get(path)).data.site;

describe('a site', () => {
	it.each([
		['https://one.example.com/', 422],
		['https://ONE.example.com', 422],
		['http://one.example.com', 422],
		['https://one.example.com/blog', 201],
	])('with the URL %s next to https://one.example.com: %d', async (url, status) => {
		const { api } = await startSite();
		expect((await api.post('/sites', { site: { url } })).status).toBe(status);
	});

	it('keeps connection settings that are not sent, and loses those sent as null', async () => {
		const service = await startSite();
		const update = async (fields: object) => {
			await service.api.post(`${service.path}/update`, { site: { connection: fields } });
			return (await show(service)).connection;
		};
		const http_auth = { username: 'user', password: 'secret' };
		const status = 'disconnected';
		await update({ sticky_ip: '192.0.2.7' });
		expect(await update({ http_auth })).toEqual({ status, sticky_ip: '192.0.2.7', http_auth });
		expect(await update({ sticky_ip: null })).toEqual({ status, http_auth });
		expect(await update({ http_auth: null })).toEqual({ status });
	});

	it('shows more by itself than in a list', async () => {
		const service = await start();
		const [listed] = await list(service, '/sites');
		const { site } = (await service.api.get(`/sites/${listed.id}`)).data;
		expect(site).toMatchObject(listed);
		for (const inList of [true, false]) {
			const { security, backups, wp } = inList ? listed : site;
			const details = [security.scanner.files, backups.files, backups.database];
			expect(details.map((each) => each === undefined)).toEqual(details.map(() => inList));
			expect('vulnerable' in wp.core).toBe(!inList);
		}
	});

	it('looks as if it was always down where uptime is off, and has settings beyond the reference', async () => {
		const service = await start();
		for (const { id, uptime } of await list(service, '/sites')) {
			const { site } = (await service.api.get(`/sites/${id}`)).data;
			expect(site.health.uptime_percentage > 0).toBe(uptime.enabled);
			const { settings } = (await service.api.get(`/sites/${id}/settings`)).data;
			expect(Object.keys(settings)).toContain('security_hardening');
		}
	});

	it('takes all that is its own with it, and ends its sync', async () => {
		const { api, world, clock } = await start();
		for (const { id } of world.store.sites.all()) {
			await api.post(`/sites/${id}/sync`);
			await api.delete(`/sites/${id}`);
		}
		clock.advance(minute);
		expect((await api.get('/sites')).data.sites).toEqual([]);
		const { snapshots, customWorks, notes, activityLogs, importantPages } = world.store;
		const { contents, siteSettings } = world.store;
		const own = [snapshots, customWorks, notes, activityLogs, importantPages, contents];
		for (const rows of [...own, siteSettings]) expect(rows.all()).toEqual([]);
		expect((await api.get('/tags/1')).data.tag.site_ids).toEqual([]);
	});
});

describe('a sync', () => {
	it('makes a snapshot, which succeeds with it at the end of its time', async () => {
		const service = await startSite();
		const { api, clock, path } = service;
		const { data } = await api.post(`${path}/sync`, { sync: { message: 'Before the sale' } });
		const id = data.sync.snapshot_id;
		const snapshot = async () => (await api.get(`${path}/snapshots/${id}`)).data.snapshot;
		expect(data.sync.in_progress).toBe(true);
		const begun = { created_at: at(0), note: 'Before the sale', error_message: null };
		clock.advance(minute - 1);
		expect(await snapshot()).toMatchObject({ ...begun, status: 'in_progress' });
		expect((await show(service)).sync).toMatchObject({ in_progress: true, last_sync_at: null });
		expectError(await api.post(`${path}/sync`), 409);
		clock.advance(minute);
		expect(await snapshot()).toMatchObject({ ...begun, status: 'succeeded' });
		expect(await show(service)).toMatchObject({
			updated_at: at(minute),
			sync: {
				in_progress: false,
				last_sync_at: at(minute),
				last_sync_status: 'succeeded',
				next_sync_at: '2025-03-11T00:00:00.000Z',
			},
			backups: {
				available_snapshots: 1,
				latest_snapshot: { id, created_at: at(0), status: 'succeeded' },
			},
		});
	});

	it('makes none while backups are off, and is limited by day', async () => {
		const service = await startSite({}, { settings: { syncsPerDay: 1 } });
		const { api, clock, path, site } = service;
		site.backups.enabled = false;
		await sync(service, site.id);
		const none = { available_snapshots: 0, latest_snapshot: null };
		expect((await show(service)).backups).toMatchObject(none);
		expectError(await api.post(`${path}/sync`), 422);
		clock.advance(day / 2);
		expect((await api.post(`${path}/sync`)).status).toBe(200);
	});

	it('comes daily at the time that is set', async () => {
		const service = await startSite();
		const next = async (daily_sync_time: string) => {
			const site = { sync: { daily_sync_time } };
			await service.api.post(`${service.path}/update`, { site });
			return (await show(service)).sync.next_sync_at;
		};
		expect(await next('12:00:01Z')).toBe('2025-03-10T12:00:01.000Z');
		expect(await next('12:00:00Z')).toBe('2025-03-11T12:00:00.000Z');
	});
});

describe('a snapshot', () => {
	it('has the files and tables of the site, and counts what is skipped as ignored', async () => {
		const service = await startSnapshot();
		const { api, path, site } = service;
		const counts = async (id: string) => {
			const { backups } = (await api.get(`${path}/snapshots/${id}`)).data.snapshot;
			expect(site.backups).toMatchObject(backups);
			const { files, size } = (await api.get(`${path}/files/stats`)).data.stats;
			const { tables } = (await api.get(`${path}/tables/stats`)).data.stats;
			const counted = ({ total, synced, skipped }: Record<string, number>) => ({
				...{ total, synced, ignored: skipped },
			});
			expect(backups.files.count).toEqual(counted(files));
			expect(backups.files.size.total).toBe(size.total);
			expect(backups.database.count).toEqual(counted(tables));
			return [backups.files.count.ignored, backups.database.count.ignored];
		};
		expect(await counts(service.snapshotId)).toEqual([0, 0]);
		const { data } = await api.post(`${path}/tables/skip`, {
			tables: [' wp_posts', 'wp_posts', 'WP_POSTS'],
		});
		expect(data.meta).toEqual({ requested: 2, succeeded: 1, failed: 1 });
		await api.post(`${path}/files/skip`, { paths: ['./wp-admin/'] });
		const [files, tables] = await counts(await sync(service, site.id));
		expect([files! > 10, tables]).toEqual([true, 1]);
		await api.post(`${path}/tables/sync`, { tables: ['wp_posts'] });
		expect((await counts(await sync(service, site.id)))[1]).toBe(0);
	});

	it('has figures of the performance only while that is monitored', async () => {
		const service = await startSnapshot();
		const { api, path, site } = service;
		const figures = async (id: string) => {
			const { enabled, ...rest } = (await api.get(`${path}/snapshots/${id}`)).data.snapshot
				.performance;
			return [enabled, ...Object.values<number | null>(rest).map((each) => each !== null)];
		};
		expect(await figures(service.snapshotId)).toEqual([false, false, false, false, false]);
		site.performance.enabled = true;
		const id = await sync(service, site.id);
		expect(await figures(id)).toEqual([true, true, true, true, true]);
	});

	it.each<[query: object, ages: string]>([
		[{}, '01234567'],
		[{ 'filters[created_at:gte]': at(-9 * day) }, '0123456789'],
		[{ 'filters[created_at:gte]': at(-day) }, '01'],
		[{ 'filters[created_at:lte]': at(-5 * day) }, '567'],
		[{ 'filters[created_at:lte]': at(2 * day) }, '+01234567'],
		[{ 'filters[created_at:lte]': at(-8 * day) }, ''],
		[{ 'filters[created_at:gte]': at(-9.5 * day), 'filters[created_at:lte]': at(-8 * day) }, '89'],
	])('is listed of the last week unless asked for: %j', async (query, ages) => {
		const service = await startSnapshot();
		const { world, clock, snapshotId, path } = service;
		clock.advance(-minute);
		world.now = clock.now();
		const original = world.store.snapshots.get(snapshotId)!;
		world.store.snapshots.delete(snapshotId);
		for (let age = -1; age < 10; age++) {
			const created_at = at(-age * day);
			const id = age < 0 ? '+' : String(age);
			world.store.snapshots.insert({ ...structuredClone(original), id, created_at });
		}
		const found = await list(service, `${path}/snapshots`, query);
		expect(found.map(({ id }) => id).join('')).toBe(ages);
	});

	it('of the demo fleet is one of a few up to the latest of its site', async () => {
		const { world } = await start({ sites: 40 });
		for (const { id, backups } of world.store.sites.all()) {
			const rows = world.store.snapshots.all().filter(({ site_id }) => site_id === id);
			expect(rows.length).toBe(backups.enabled ? Math.max(rows.length, 2) : 0);
			expect(rows.length).toBeLessThanOrEqual(9);
			expect(backups.latest_snapshot?.id).toBe(rows.at(-1)?.id);
			const succeeded = rows.filter(({ status }) => status === 'succeeded');
			expect(backups.available_snapshots).toBe(succeeded.length);
		}
	});
});

describe('the state of a site', () => {
	it('can be set', async () => {
		const service = await startSite();
		const set = async (states: object) => {
			await service.admin.post(`${service.path}/state`, states);
			return await show(service);
		};
		const connection = { status: 'connected' };
		expect(await set({ uptime: 'down', malware: 'hacked', connection: 'connected' })).toMatchObject(
			{
				uptime: { enabled: true, status: 'down' },
				security: { enabled: true, scanner: { status: 'hacked', malware_detected_at: at(0) } },
				connection,
			},
		);
		expect(await set({ uptime: 'up', malware: 'clean' })).toMatchObject({
			uptime: { status: 'up' },
			security: { scanner: { status: 'clean', malware_detected_at: null } },
			connection,
		});
	});

	it('lets its syncs fail until they succeed again', async () => {
		const service = await startSite();
		const { admin, clock, path, site } = service;
		await admin.post(`${path}/state`, { syncs: 'failing' });
		clock.advance(minute);
		expect((await show(service)).sync).toMatchObject({ last_sync_status: 'failed' });
		await sync(service, site.id);
		const failed = { last_sync_status: 'failed', last_sync_at: at(2 * minute) };
		expect((await show(service)).sync).toMatchObject(failed);
		await admin.post(`${path}/state`, { syncs: 'succeeding' });
		await sync(service, site.id);
		const succeeded = { last_sync_status: 'succeeded', last_sync_error: null };
		expect((await show(service)).sync).toMatchObject(succeeded);
	});

	it.each([{}, { uptime: 'gone' }, { syncs: true }])('cannot be %j', async (body) => {
		const { admin, path } = await startSite();
		expectError(await admin.post(`${path}/state`, body), 400);
	});
});
