import {
	at,
	day,
	expectError,
	list,
	listIds,
	minute,
	start,
	startSite,
	startSnapshot,
	sync,
} from './support';

const amounts = {
	total: expect.any(Number),
	synced: expect.any(Number),
	ignored: expect.any(Number),
};

describe('a snapshot', () => {
	it('is in progress from the start of a sync and succeeds with it', async () => {
		const { api, clock, path } = await startSite();
		const { data } = await api.post(`${path}/sync`, { sync: { message: 'Before the sale' } });
		const url = `${path}/snapshots/${data.sync.snapshot_id}`;
		expect((await api.get(url)).data.snapshot).toMatchObject({
			id: data.sync.snapshot_id,
			created_at: at('10T12:00:00'),
			status: 'in_progress',
			note: 'Before the sale',
			error_message: null,
		});
		clock.advance(minute);
		const { snapshot } = (await api.get(url)).data;
		expect(snapshot).toMatchObject({ created_at: at('10T12:00:00'), status: 'succeeded' });
		expect(snapshot.backups.files.count.synced).toBeGreaterThan(100);
		expect(snapshot.backups.database.count.synced).toBeGreaterThanOrEqual(12);
	});

	it('has files and tables as its contents have', async () => {
		const { api, path, site, snapshotId } = await startSnapshot();
		const { snapshot } = (await api.get(`${path}/snapshots/${snapshotId}`)).data;
		const files = (await api.get(`${path}/files/stats`)).data.stats;
		const { tables } = (await api.get(`${path}/tables/stats`)).data.stats;
		expect(snapshot.backups.files.count.total).toBe(files.files.total);
		expect(snapshot.backups.files.size.total).toBe(files.size.total);
		expect(snapshot.backups.database.count.total).toBe(tables.total);
		expect(site.backups).toMatchObject(snapshot.backups);
	});

	it('counts what is skipped as ignored', async () => {
		const service = await startSnapshot();
		await service.api.post(`${service.path}/tables/skip`, { tables: ['wp_posts'] });
		await service.api.post(`${service.path}/files/skip`, { paths: ['./wp-admin/'] });
		const id = await sync(service, service.site.id);
		const { backups } = (await service.api.get(`${service.path}/snapshots/${id}`)).data.snapshot;
		expect(backups.database.count.ignored).toBe(1);
		const { stats } = (await service.api.get(`${service.path}/files/stats`)).data;
		expect(stats.files.skipped).toBeGreaterThan(10);
		expect(backups.files.count.ignored).toBe(stats.files.skipped);
		expect(backups.files.count.synced).toBe(stats.files.synced);
	});

	it('has more in the single view than in a list', async () => {
		const service = await startSnapshot();
		const { api, path, snapshotId } = service;
		const [listed] = await list(service, `${path}/snapshots`);
		expect(listed).toEqual({
			id: snapshotId,
			created_at: at('10T12:00:00'),
			status: 'succeeded',
			note: null,
			error_message: null,
			backups: {
				enabled: true,
				real_time: false,
				files: { count: amounts, size: amounts },
				database: { count: amounts, size: amounts },
			},
			security: {
				enabled: true,
				scanner: { status: 'clean', detections: { files: 0, scripts: 0, cron_jobs: 0 } },
			},
			performance: { enabled: false },
		});
		const { snapshot } = (await api.get(`${path}/snapshots/${snapshotId}`)).data;
		expect(snapshot).toMatchObject(listed);
		const { count } = listed.backups.files;
		expect(snapshot.security.scanner.files).toEqual({ total: count.total, scanned: count.total });
		expect(snapshot.performance).toEqual({
			enabled: false,
			score: null,
			load_time: null,
			page_size: null,
			total_requests: null,
		});
	});

	it('has the figures of the monitoring when that is on', async () => {
		const { api, path, snapshotId } = await startSnapshot({ performance: { enabled: true } });
		const { performance } = (await api.get(`${path}/snapshots/${snapshotId}`)).data.snapshot;
		expect(performance).toEqual({
			enabled: true,
			score: expect.any(Number),
			load_time: expect.any(Number),
			page_size: expect.any(Number),
			total_requests: expect.any(Number),
		});
	});

	it('is refused while backups are disabled or not in the plan', async () => {
		const service = await startSnapshot();
		const { api, path, site, snapshotId, world } = service;
		const urls = [`${path}/snapshots`, `${path}/snapshots/${snapshotId}`];
		site.backups.enabled = false;
		for (const url of urls) expectError(await api.get(url), 422);
		site.backups.enabled = true;
		world.settings.planFeatures = world.settings.planFeatures.filter((each) => each !== 'backups');
		for (const url of urls) expectError(await api.get(url), 422);
	});
});

describe('listing snapshots', () => {
	/** Snapshots of ten days, named by their age in days, and `+` of the day to come. */
	async function startWithDays() {
		const service = await startSnapshot();
		const { world, snapshotId } = service;
		service.clock.advance(-minute);
		world.now = service.clock.now();
		const original = world.store.snapshots.get(snapshotId)!;
		world.store.snapshots.delete(snapshotId);
		for (let age = -1; age < 10; age++) {
			const row = structuredClone(original);
			row.id = age < 0 ? '+' : String(age);
			row.created_at = world.timestamp(world.now - age * day);
			row.backups.files.count.synced = 100 + (Math.abs(age) % 3);
			row.backups.database.count.synced = 20 - age;
			world.store.snapshots.insert(row);
		}
		return { ...service, url: `${service.path}/snapshots` };
	}

	it.each([
		[{}, '01234567'],
		[{ 'filters[created_at:gte]': at('01T12:00:00') }, '0123456789'],
		[{ 'filters[created_at:gte]': at('09T12:00:00') }, '01'],
		[{ 'filters[created_at:lte]': at('05T12:00:00') }, '567'],
		[{ 'filters[created_at:lte]': at('12T12:00:00') }, '+01234567'],
		[{ 'filters[created_at:lte]': at('02T12:00:00') }, ''],
		[
			{
				'filters[created_at:gte]': at('01T00:00:00'),
				'filters[created_at:lte]': at('02T12:00:00'),
			},
			'89',
		],
		[{ sort: 'created_at,asc', perPage: 2 }, '76'],
		[{ sort: 'files_synced,desc', perPage: 2 }, '25'],
		[{ sort: 'tables_synced,asc', perPage: 2 }, '76'],
	])('%j', async (params, expected) => {
		const service = await startWithDays();
		expect((await listIds(service, service.url, params)).join('')).toBe(expected);
	});

	it.each([{ timezone: 'UTC' }, { 'filters[status:eq]': 'completed' }, { sort: 'note,asc' }])(
		'refuses %j',
		async (params) => {
			const { api, url } = await startWithDays();
			expectError(await api.get(url, { params }), 400);
		},
	);
});

describe('the snapshots of the demo fleet', () => {
	it('are a few per site, up to the latest one of the site', async () => {
		const { world } = await start({ sites: 40 });
		for (const site of world.store.sites.all()) {
			const rows = world.store.snapshots.all().filter((row) => row.site_id === site.id);
			expect(rows.length).toBe(site.backups.enabled ? Math.max(rows.length, 2) : 0);
			expect(rows.length).toBeLessThanOrEqual(9);
			const newest = rows.at(-1);
			expect(site.backups.latest_snapshot).toEqual(
				newest ? { id: newest.id, created_at: newest.created_at, status: newest.status } : null,
			);
			expect(site.backups.available_snapshots).toBe(
				rows.filter((row) => row.status === 'succeeded').length,
			);
		}
	});

	it('go with their site', async () => {
		const { api, world } = await start();
		for (const { id } of world.store.sites.all()) await api.delete(`/sites/${id}`);
		const { snapshots, customWorks, notes, activityLogs, importantPages } = world.store;
		const { contents, siteSettings } = world.store;
		for (const rows of [snapshots, customWorks, notes, activityLogs, importantPages, contents]) {
			expect(rows.all()).toEqual([]);
		}
		expect(siteSettings.all()).toEqual([]);
	});
});
