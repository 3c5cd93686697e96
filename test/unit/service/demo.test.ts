import { nextDaily } from '../../../sandbox/service/domain/sites/rules';
import { setLiving } from '../../../sandbox/service/engine/living';
import {
	addSite,
	day,
	expectError,
	list,
	minute,
	start,
	startSite,
	startSnapshot,
	startTime,
	sync,
	type SiteService,
} from './support';

/** What the buttons of the page do, beside the states of a site. */

const mainFile = './wp-content/plugins/page-cache/page-cache.php';
const pluginsPath = ({ site }: SiteService) => `/sites/${site.id}/plugins`;

/** The versions in the backups of the plugin's main file, newest first, as example 02 reads them. */
async function backedUpVersions({ api, path }: SiteService): Promise<string[]> {
	const { data, status } = await api.get(`${path}/files/versions`, { params: { path: mainFile } });
	if (status === 404) return [];
	const found: string[] = [];
	for (const { id } of data.versions) {
		const file = await api.get(`${path}/files/download`, {
			params: { id },
			responseType: 'arraybuffer',
		});
		found.push(/Version: (\S+)/.exec(Buffer.from(file.data).toString())![1]!);
	}
	return found;
}

const statusOf = async ({ api, path }: SiteService) =>
	(await api.get(path)).data.site.sync.last_sync_status;

describe('a failure of the next backup', () => {
	it('affects only this site, and no later backup', async () => {
		const fleet = await startSnapshot();
		const { admin, site } = fleet;
		const other = await addSite(fleet, 'https://two.example.com');
		const state = `/sites/${site.id}/state`;
		expect((await admin.post(state, { syncs: 'next_fails' })).data.syncs).toBe('next_fails');
		expect(await statusOf(fleet)).toBe('succeeded');
		await sync(fleet, other.id);
		expect(other.sync.last_sync_status).toBe('succeeded');
		expect((await admin.get(state)).data).toEqual({
			site_id: site.id,
			uptime: 'up',
			malware: 'clean',
			connection: 'disconnected',
			syncs: 'next_fails',
		});
		await sync(fleet, site.id);
		expect(await statusOf(fleet)).toBe('failed');
		expect((await admin.get(state)).data.syncs).toBe('succeeding');
		await sync(fleet, site.id);
		expect(await statusOf(fleet)).toBe('succeeded');
	});

	it('can be cancelled, and also affects the daily backup', async () => {
		const fleet = await startSnapshot();
		const { admin, site, clock, world } = fleet;
		const state = `/sites/${site.id}/state`;
		await admin.post(state, { syncs: 'next_fails' });
		await admin.post(state, { syncs: 'succeeding' });
		await sync(fleet, site.id);
		expect(await statusOf(fleet)).toBe('succeeded');

		site.connection.status = 'connected';
		for (const { id } of world.store.sites.all()) if (id !== site.id) world.store.sites.delete(id);
		site.sync.next_sync_at = nextDaily(world, site.sync.daily_sync_time);
		await admin.post(state, { syncs: 'next_fails' });
		setLiving(world, true);
		clock.advance(Date.parse(site.sync.next_sync_at) - clock.now() + 3 * minute);
		expect(await statusOf(fleet)).toBe('failed');
	});
});

describe('a backup by a control', () => {
	it('is one as the API starts it, with its rules', async () => {
		const fleet = await startSite();
		const { admin, site, clock } = fleet;
		const path = `/sites/${site.id}/sync`;
		const { data } = await admin.post(path);
		expect(data).toEqual({ site_id: site.id, snapshot_id: expect.any(String) });
		expectError(await admin.post(path), 409);
		clock.advance(minute);
		const { data: shown } = await fleet.api.get(`${fleet.path}/snapshots/${data.snapshot_id}`);
		expect(shown.snapshot.status).toBe('succeeded');
		expectError(await admin.post('/sites/nobody/sync'), 404);
	});
});

describe('an old plugin', () => {
	it('is in the newest backup, as example 02 reads it, and not in those before', async () => {
		const fleet = await startSnapshot();
		const { admin, clock } = fleet;
		const before = await backedUpVersions(fleet);
		clock.advance(minute);
		const { status, data } = await admin.post(pluginsPath(fleet), {
			name: 'page-cache',
			version: '1.9.4',
		});
		expect([status, data]).toEqual([
			200,
			{
				site_id: fleet.site.id,
				name: 'page-cache',
				version: '1.9.4',
				snapshot_id: expect.any(String),
			},
		]);
		const listed = async () =>
			(await admin.get(pluginsPath(fleet))).data.plugins.find(
				({ name }: { name: string }) => name === 'page-cache',
			);
		expect(await listed()).toEqual({
			name: 'page-cache',
			version: '1.9.4',
			backed_up_version: before[0] ?? null,
		});
		clock.advance(minute);
		expect(await listed()).toMatchObject({ backed_up_version: '1.9.4' });
		expect(await backedUpVersions(fleet)).toEqual(['1.9.4', ...before]);
	});

	it('is gone after a restore of a backup without it', async () => {
		const fleet = await startSnapshot();
		const { admin, api, path, snapshotId, clock } = fleet;
		const before = await backedUpVersions(fleet);
		clock.advance(minute);
		await admin.post(pluginsPath(fleet), { name: 'page-cache', version: '0.1' });
		clock.advance(2 * minute);
		const restore = { scope: { include_files: true } };
		await api.post(`${path}/backups/${snapshotId}/restore`, { restore });
		clock.advance(5 * minute);
		const { plugins } = (await admin.get(pluginsPath(fleet))).data;
		const now = plugins.find(({ name }: { name: string }) => name === 'page-cache');
		expect(now?.version).toBe(before[0]);
	});

	it('needs backups that succeed', async () => {
		const fleet = await startSnapshot();
		const { admin, site } = fleet;
		const post = async (body: object) => await admin.post(pluginsPath(fleet), body);
		const plugin = { name: 'page-cache', version: '1.9.4' };
		expectError(await post({ ...plugin, name: 'unknown' }), 400);
		expectError(await post({ ...plugin, version: 'new' }), 400);
		await admin.post(`/sites/${site.id}/state`, { syncs: 'next_fails' });
		expectError(await post(plugin), 422);
		await admin.post(`/sites/${site.id}/state`, { syncs: 'succeeding' });
		site.backups.enabled = false;
		expectError(await post(plugin), 422);
	});

	it('is updated by a run of a schedule, and no longer old in the backup after that', async () => {
		const fleet = await startSnapshot();
		const { admin, api, site, clock } = fleet;
		await admin.post(pluginsPath(fleet), { name: 'page-cache', version: '1.9.4' });
		clock.advance(2 * minute);
		const { data } = await api.post('/auto-update-schedules', {
			auto_update_schedule: {
				name: 'Soon',
				schedule: 'daily',
				started_at: new Date(clock.now() + minute).toISOString(),
				scope: {
					sites: { selection: 'specific', ids: [site.id] },
					updates: { plugins: { selection: 'specific', filenames: ['page-cache/page-cache.php'] } },
				},
			},
		});
		expect(data.auto_update_schedule.name).toBe('Soon');
		clock.advance(10 * minute);
		const [run] = await list(fleet, '/auto-update-history');
		expect(run.sites[0].wp.plugins).toMatchObject([
			{ slug: 'page-cache', current_version: '1.9.4', target_version: '3.2.1' },
		]);
		await sync(fleet, site.id);
		expect((await backedUpVersions(fleet)).slice(0, 2)).toEqual(['3.2.1', '1.9.4']);
	});
});

describe('a move of the clock', () => {
	const dueIn = async (fleet: { admin: SiteService['admin'] }, ms: number) =>
		(await fleet.admin.get('/clock/due', { params: { ms } })).data;

	it('says before what is due, and afterwards what happened', async () => {
		const fleet = await startSnapshot({}, { living: false });
		const { admin, api, site, world, clock } = fleet;
		await api.post(`/sites/${site.id}/sync`);
		await admin.post('/tasks', { type: 'restore', site_ids: [site.id], duration_ms: minute });
		await api.post('/auto-update-schedules', {
			auto_update_schedule: {
				name: 'Daily',
				schedule: 'daily',
				started_at: new Date(clock.now() + 5 * minute).toISOString(),
				scope: { sites: { selection: 'all' }, updates: { cms_core: true } },
			},
		});
		const none = {
			daily_backups: 0,
			scheduled_reports: 0,
			staging_sites_expired: 0,
			sites_up: 0,
			sites_reconnected: 0,
			clean_ups: 0,
		};
		expect(await dueIn(fleet, 0)).toMatchObject({
			due: { ...none, backups_under_way: 0, tasks: 0, auto_update_runs: 0 },
		});
		expect(await dueIn(fleet, 60 * minute)).toEqual({
			until: world.timestamp(world.now + 60 * minute),
			living: false,
			due: { ...none, backups_under_way: 1, tasks: 1, auto_update_runs: 1 },
		});
		expect((await dueIn(fleet, 7 * day)).due.auto_update_runs).toBe(7);
		expectError(await admin.get('/clock/due', { params: { ms: 'soon' } }), 400);

		const state = `/sites/${site.id}/state`;
		await admin.post(state, { uptime: 'down', connection: 'connected' });
		const { happened } = (await admin.post('/clock/advance', { ms: 60 * minute })).data;
		expect(happened).toEqual({
			came: { auto_update_runs: 1, backups_succeeded: 1, tasks_completed: 1 },
			went: { backups_succeeded: 1 },
		});
	});

	it('counts the daily backups of a fleet that lives', async () => {
		const fleet = await startSnapshot();
		const { site, world } = fleet;
		const backups = async (ms: number) => (await dueIn(fleet, ms)).due.daily_backups;
		expect(await backups(day)).toBe(0);
		setLiving(world, true);
		const wait = Date.parse(site.sync.next_sync_at!) - world.now;
		expect([await backups(wait - 1), await backups(wait), await backups(wait + day)]).toEqual([
			0, 1, 2,
		]);
		site.sync.paused = true;
		expect(await backups(day)).toBe(0);
	});

	it('says which sites have entered a state, and which have left it', async () => {
		const fleet = await start();
		const { admin, world } = fleet;
		const up = world.store.sites.all().find(({ uptime }) => uptime.status === 'up')!;
		up.uptime.status = 'down';
		world.after(minute, 'living.recover', { site_id: up.id, what: 'uptime' });
		expect((await dueIn(fleet, 2 * minute)).due.sites_up).toBe(1);
		const { data } = await admin.post('/clock/advance', { ms: 2 * minute });
		expect(data.happened.went).toEqual({ sites_down: 1 });
		expect(data.now).toBe(new Date(startTime + 2 * minute).toISOString());
	});

	it('counts staging sites until they expire', async () => {
		const fleet = await start();
		const { admin, world } = fleet;
		const open = world.store.stagingSites.all().filter(({ status }) => status !== 'suspended');
		expect(open.length).toBeGreaterThan(0);
		expect((await dueIn(fleet, 40 * day)).due.staging_sites_expired).toBe(open.length);
		const { data } = await admin.post('/clock/advance', { ms: 40 * day });
		expect(data.happened.came.staging_sites_expired).toBe(open.length);
	});
});
