import { day, hour, minute, pass, start, startTime, type TestService } from './support';

const sitesOf = ({ world }: TestService) => world.store.sites.all();

/** Lets time pass in steps and returns what was seen of the fleet before and at their ends. */
function live<T>(service: TestService, ms: number, step: number, look: () => T): T[] {
	const seen = [look()];
	for (let passed = 0; passed < ms; passed += step) {
		pass(service, step);
		seen.push(look());
	}
	return seen;
}

/** How often what was counted grew, and how often it shrank. */
const moves = (counts: number[]) =>
	[1, -1].map(
		(way) => counts.filter((count, at) => Math.sign(count - counts[at - 1]!) === way).length,
	);

describe('in a living fleet', () => {
	it('each site is synced at its daily time, unless it is paused or locked', async () => {
		// They do not count against the daily limit.
		const service = await start({ living: true, settings: { syncsPerDay: 1 } });
		const { world, clock, api } = service;
		const [paused, locked] = sitesOf(service);
		paused!.sync.paused = true;
		locked!.locked = true;
		const before = [paused!, locked!].map(({ sync }) => sync.last_sync_at);
		pass(service, day + hour);
		expect([paused!, locked!].map(({ sync }) => sync.last_sync_at)).toEqual(before);
		const sites = sitesOf(service).filter((site) => !site.sync.paused && !site.locked);
		expect(sites.length).toBeGreaterThan(5);
		for (const { id, sync, backups } of sites) {
			const time = Date.parse(sync.last_sync_at!);
			expect(time).toBeGreaterThan(startTime);
			const planned = Date.parse(`${sync.last_sync_at!.slice(0, 10)}T${sync.daily_sync_time}`);
			expect(time - planned).toBeLessThanOrEqual(world.settings.syncMs + minute);
			expect(Date.parse(sync.next_sync_at!)).toBeGreaterThan(clock.now());
			const made = world.store.snapshots
				.ofSite(id)
				.filter(({ created_at }) => Date.parse(created_at) > startTime);
			expect(made.length > 0).toBe(backups.enabled);
		}
		const idle = sites.find(({ sync }) => !sync.in_progress)!;
		expect((await api.post(`/sites/${idle.id}/sync`)).status).toBe(200);
	});

	it('syncs of unreachable sites fail, and so do their snapshots', async () => {
		const service = await start({ living: true });
		const site = sitesOf(service).find(
			({ sync, locked, backups }) => !sync.paused && !locked && backups.enabled,
		)!;
		site.connection.status = 'disconnected';
		const { files, database } = structuredClone(site.backups);
		pass(service, day + hour);
		expect(site.sync).toMatchObject({
			last_sync_status: 'failed',
			last_sync_error: 'The site could not be reached',
		});
		const last = service.world.store.snapshots.ofSite(site.id).at(-1)!;
		expect(last).toMatchObject({ status: 'failed', error_message: expect.any(String) });
		// It is the newest one, and what is backed up stays.
		const { id, created_at, status } = last;
		const latest_snapshot = { id, created_at, status };
		expect(site.backups).toMatchObject({ latest_snapshot, files, database });
	});

	it('sites go down and come up, and are disconnected and connected', async () => {
		const service = await start({ living: true, sites: 30 });
		const look = () =>
			sitesOf(service).map(({ uptime, updated_at: at, connection }) => ({
				isUp: uptime.status === 'up',
				at,
				isLost: connection.status === 'disconnected',
			}));
		const seen = live(service, 2 * day, 5 * minute, look);
		const changed = { up: 0, down: 0 };
		for (const [index, sites] of seen.slice(1).entries()) {
			for (const [place, { isUp, at }] of sites.entries()) {
				const before = seen[index]![place]!;
				if (isUp === before.isUp) continue;
				changed[isUp ? 'up' : 'down']++;
				expect(Date.parse(at)).toBeGreaterThan(Date.parse(before.at));
			}
		}
		expect(changed.up).toBeGreaterThan(10);
		expect(changed.down).toBeGreaterThan(10);
		const [lost, found] = moves(seen.map((sites) => sites.filter(({ isLost }) => isLost).length));
		expect(Math.min(lost!, found!)).toBeGreaterThan(0);
	});

	it('malware is found, and cleaned by a task', async () => {
		const service = await start({ living: true, sites: 30 });
		const scanners = new Map(sitesOf(service).map(({ id, security }) => [id, security.scanner]));
		for (const scanner of scanners.values()) scanner.status = 'clean';
		const found = new Set<string>();
		live(service, 2 * day, 30 * minute, () => {
			for (const [id, scanner] of scanners) {
				if (scanner.status !== 'hacked') continue;
				expect(scanner.malware_detected_at).not.toBeNull();
				expect(scanner.detections.files).toBeGreaterThan(0);
				found.add(id);
			}
		});
		const cleaned = [...found]
			.map((id) => scanners.get(id)!)
			.filter(({ status }) => status === 'clean');
		expect(found.size).toBeGreaterThan(2);
		expect(cleaned).not.toEqual([]);
		const detections = { files: 0, scripts: 0, cron_jobs: 0 };
		for (const scanner of cleaned)
			expect(scanner).toMatchObject({ malware_detected_at: null, detections });
		const tasks = service.world.store.tasks.all();
		const cleanUps = tasks.filter(({ type }) => type === 'hackcleanup');
		expect(cleanUps.some((task) => Date.parse(task.created_at) > startTime)).toBe(true);
	});

	it('core versions come out, sites are updated, tasks run, reports are made, activity is logged', async () => {
		const service = await start({ living: true });
		const { reports, activityLogs, tasks } = service.world.store;
		const counts = () => [reports, activityLogs].map((rows) => rows.all().length);
		const before = counts();
		const known = new Set(tasks.all().map(({ id }) => id));
		const outdated = live(service, 6 * day, hour, () => {
			const cores = sitesOf(service).map(({ wp }) => wp.core);
			for (const core of cores)
				expect(core.update_available).toBe(core.current_version !== core.latest_version);
			return cores.filter((core) => core.update_available).length;
		});
		expect(Math.min(...moves(outdated))).toBeGreaterThan(0);
		const [made, logged] = counts().map((count, index) => count - before[index]!);
		expect(made).toBeGreaterThan(30);
		expect(logged).toBeGreaterThan(500);
		const started = tasks.all().filter(({ id }) => !known.has(id));
		expect(new Set(started.map(({ type }) => type)).size).toBeGreaterThan(5);
		const statuses = started.map(({ status }) => status);
		expect(statuses).toEqual(expect.arrayContaining(['completed', 'failed']));
	});

	it('old records are forgotten', async () => {
		const settings = { historyDays: 2, snapshotsPerSite: 3 };
		const service = await start({ living: true, settings });
		pass(service, 8 * day);
		const { tasks, activityLogs, reports, snapshots } = service.world.store;
		const times = [
			tasks.all().map((row) => row.updated_at),
			activityLogs.all().map((row) => row.timestamp),
			reports.all().map((row) => row.created_at),
		];
		const oldest = service.clock.now() - 2 * day - 6 * hour - minute;
		for (const of of times) {
			expect(of).not.toEqual([]);
			expect(Math.min(...of.map((time) => Date.parse(time)))).toBeGreaterThanOrEqual(oldest);
		}
		for (const { id, backups } of sitesOf(service)) {
			const kept = snapshots.ofSite(id);
			const usable = kept.filter(({ status }) => status === 'succeeded').length;
			expect(Math.max(usable, kept.length - usable)).toBeLessThanOrEqual(3);
			expect(backups.available_snapshots).toBe(usable);
		}
	});
});

it('a fleet that no longer lives finishes started work, and rests', async () => {
	const service = await start({ living: true, sites: 30 });
	const { world } = service;
	pass(service, 6 * hour);
	world.living = false;
	pass(service, 10 * day);
	expect(world.timeline.all().filter(({ kind }) => kind.startsWith('living.'))).toEqual([]);
	const before = world.store.tasks.all().length;
	pass(service, day);
	expect(world.store.tasks.all()).toHaveLength(before);
	expect(sitesOf(service).every(({ sync }) => !sync.in_progress)).toBe(true);
});
