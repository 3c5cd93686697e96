import { nextDaily } from '../../../sandbox/service/domain/sites/rules';
import { setLiving } from '../../../sandbox/service/engine/living';
import { addSite, at, day, hour, minute, start, startSnapshot, sync } from './support';

/** What the buttons of the page do, beside the states of a site. */

it('a failure of the next backup affects only this site, the daily backup too, and no later one', async () => {
	const fleet = await startSnapshot();
	const { admin, clock, site, world } = fleet;
	const other = await addSite(fleet, 'https://two.example.com');
	const state = `/sites/${site.id}/state`;
	await admin.post(state, { syncs: 'next_fails' });
	await sync(fleet, other.id);
	expect(other.sync.last_sync_status).toBe('succeeded');

	site.connection.status = 'connected';
	site.sync.next_sync_at = nextDaily(world, site.sync.daily_sync_time);
	setLiving(world, true);
	clock.advance(Date.parse(site.sync.next_sync_at) - clock.now() + 3 * minute);
	expect((await admin.get(state)).data.syncs).toBe('succeeding');
	expect(site.sync.last_sync_status).toBe('failed');
	await sync(fleet, site.id);
	expect(site.sync.last_sync_status).toBe('succeeded');
});

const dueIn = async ({ admin }: Pick<Awaited<ReturnType<typeof start>>, 'admin'>, ms: number) =>
	(await admin.get('/clock/due', { params: { ms } })).data.due;

it('a move of the clock says before what is due, and afterwards what happened', async () => {
	const fleet = await startSnapshot({}, { living: false });
	const { admin, api, site } = fleet;
	await api.post(`/sites/${site.id}/sync`);
	await admin.post('/tasks', { type: 'restore', site_ids: [site.id], duration_ms: minute });
	await api.post('/auto-update-schedules', {
		auto_update_schedule: {
			name: 'Daily',
			schedule: 'daily',
			started_at: at(6 * minute),
			scope: { sites: { selection: 'all' }, updates: { cms_core: true } },
		},
	});
	const due = { backups_under_way: 1, tasks: 1, auto_update_runs: 1 };
	const others = ['daily_backups', 'scheduled_reports', 'clean_ups'];
	const none = ['staging_sites_expired', 'sites_up', 'sites_reconnected', ...others];
	expect(Object.values(await dueIn(fleet, 0))).toEqual(Array(9).fill(0));
	const nothing = Object.fromEntries(none.map((each) => [each, 0]));
	expect(await dueIn(fleet, hour)).toEqual({ ...nothing, ...due });
	expect((await dueIn(fleet, 7 * day)).auto_update_runs).toBe(7);

	await admin.post(`/sites/${site.id}/state`, { uptime: 'down', connection: 'connected' });
	const { happened } = (await admin.post('/clock/advance', { ms: hour })).data;
	expect(happened).toEqual({
		came: { auto_update_runs: 1, backups_succeeded: 1, tasks_completed: 1 },
		went: { backups_succeeded: 1 },
	});
});

it('a move of the clock counts sites that come up again, and staging sites that expire', async () => {
	const fleet = await start();
	const { admin, world } = fleet;
	const advance = async (ms: number) => (await admin.post('/clock/advance', { ms })).data.happened;
	const up = world.store.sites.all().find(({ uptime }) => uptime.status === 'up')!;
	up.uptime.status = 'down';
	world.after(minute, 'living.recover', { site_id: up.id, what: 'uptime' });
	expect((await dueIn(fleet, 2 * minute)).sites_up).toBe(1);
	expect((await advance(2 * minute)).went).toEqual({ sites_down: 1 });

	const open = world.store.stagingSites.all().filter(({ status }) => status !== 'suspended');
	expect(open.length).toBeGreaterThan(0);
	expect((await dueIn(fleet, 40 * day)).staging_sites_expired).toBe(open.length);
	expect((await advance(40 * day)).came.staging_sites_expired).toBe(open.length);
});
