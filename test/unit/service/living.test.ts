import { start, startTime, type TestService } from './support';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const sitesOf = ({ world }: TestService) => world.store.sites.all();

/** Lets time pass in steps and returns what was seen of the fleet at their ends. */
function live<T>(service: TestService, ms: number, step: number, look: () => T): T[] {
	const seen: T[] = [];
	for (let passed = 0; passed < ms; passed += step) {
		service.clock.advance(step);
		service.world.settle();
		seen.push(look());
	}
	return seen;
}

describe('in a living fleet', () => {
	it('each site is synced at its daily time, which makes a snapshot', async () => {
		const service = await start({ living: true });
		service.clock.advance(day + hour);
		service.world.settle();
		const sites = sitesOf(service).filter(({ sync, locked }) => !sync.paused && !locked);
		expect(sites.length).toBeGreaterThan(5);
		for (const { id, sync, backups } of sites) {
			const time = Date.parse(sync.last_sync_at!);
			expect(time).toBeGreaterThan(startTime);
			const planned = Date.parse(`${sync.last_sync_at!.slice(0, 10)}T${sync.daily_sync_time}`);
			expect(time - planned).toBeLessThanOrEqual(service.world.settings.syncMs + minute);
			expect(Date.parse(sync.next_sync_at!)).toBeGreaterThan(service.clock.now());
			const made = service.world.store.snapshots
				.ofSite(id)
				.filter(({ created_at }) => Date.parse(created_at) > startTime);
			expect(made.length > 0).toBe(backups.enabled);
		}
	});

	it('paused and locked sites are not synced', async () => {
		const service = await start({ living: true });
		const [paused, locked] = sitesOf(service);
		const before = [paused!, locked!].map(({ sync }) => sync.last_sync_at);
		paused!.sync.paused = true;
		locked!.locked = true;
		service.clock.advance(2 * day);
		service.world.settle();
		expect([paused!, locked!].map(({ sync }) => sync.last_sync_at)).toEqual(before);
	});

	it('syncs of unreachable sites fail, and so do their snapshots', async () => {
		const service = await start({ living: true });
		const site = sitesOf(service).find(
			({ sync, locked, backups }) => !sync.paused && !locked && backups.enabled,
		)!;
		site.connection.status = 'disconnected';
		const { files, database } = structuredClone(site.backups);
		service.clock.advance(day + hour);
		service.world.settle();
		expect(site.sync.last_sync_status).toBe('failed');
		expect(site.sync.last_sync_error).toBe('The site could not be reached');
		const last = service.world.store.snapshots.ofSite(site.id).at(-1)!;
		expect(last).toMatchObject({ status: 'failed', error_message: expect.any(String) });
		// It is the newest one, and what is backed up stays.
		const { id, created_at, status } = last;
		expect(site.backups).toMatchObject({ latest_snapshot: { id, created_at, status } });
		expect(site.backups).toMatchObject({ files, database });
	});

	it('automatic syncs do not count against the daily limit', async () => {
		const service = await start({ living: true, settings: { syncsPerDay: 1 } });
		service.clock.advance(day);
		service.world.settle();
		const site = sitesOf(service).find(
			({ sync, locked }) => !sync.paused && !locked && !sync.in_progress,
		)!;
		expect((await service.api.post(`/sites/${site.id}/sync`)).status).toBe(200);
	});

	it('sites go down and come up again, which their update time tells', async () => {
		const service = await start({ living: true, sites: 30 });
		const look = () => sitesOf(service).map(({ uptime, updated_at: at }) => [uptime.status, at]);
		const seen = [look(), ...live(service, 12 * hour, 5 * minute, look)];
		const changes = new Map<string, number>();
		for (const [index, sites] of seen.slice(1).entries()) {
			for (const [place, [status, at]] of sites.entries()) {
				const [before, earlier] = seen[index]![place]!;
				if (status === before) continue;
				changes.set(status!, (changes.get(status!) ?? 0) + 1);
				expect(Date.parse(at!)).toBeGreaterThan(Date.parse(earlier!));
			}
		}
		expect(changes.get('down')).toBeGreaterThan(5);
		expect(changes.get('up')).toBeGreaterThan(5);
	});

	it('sites are disconnected and connected again', async () => {
		const service = await start({ living: true, sites: 30 });
		const count = () =>
			sitesOf(service).filter(({ connection }) => connection.status === 'disconnected').length;
		const counts = live(service, 2 * day, hour, count);
		expect(Math.max(...counts)).toBeGreaterThan(Math.min(...counts));
		expect(counts.some((each, index) => each < (counts[index - 1] ?? 0))).toBe(true);
	});

	it('malware is found, and cleaned by a task', async () => {
		const service = await start({ living: true, sites: 30 });
		const hacked = () =>
			sitesOf(service).filter(({ security }) => security.scanner.status === 'hacked');
		const before = new Set(hacked().map(({ id }) => id));
		const found = new Set<string>();
		live(service, 2 * day, 30 * minute, () => {
			for (const { id, security } of hacked()) {
				if (before.has(id)) continue;
				expect(security.scanner.malware_detected_at).not.toBeNull();
				expect(security.scanner.detections.files).toBeGreaterThan(0);
				found.add(id);
			}
		});
		expect(found.size).toBeGreaterThan(2);
		const clean = sitesOf(service).filter(
			({ id, security }) => found.has(id) && security.scanner.status === 'clean',
		);
		expect(clean.length).toBeGreaterThan(0);
		for (const { security } of clean) {
			expect(security.scanner).toMatchObject({
				malware_detected_at: null,
				detections: { files: 0, scripts: 0, cron_jobs: 0 },
			});
		}
		const cleaned = service.world.store.tasks
			.all()
			.filter(
				({ type, created_at }) => type === 'hackcleanup' && Date.parse(created_at) > startTime,
			);
		expect(cleaned.length).toBeGreaterThan(0);
	});

	it('new core versions come out, and sites are updated to them', async () => {
		const service = await start({ living: true });
		const [before] = sitesOf(service).map(({ wp }) => wp.core.latest_version);
		const outdated = live(service, 6 * day, hour, () => {
			const cores = sitesOf(service).map(({ wp }) => wp.core);
			for (const core of cores) {
				expect(core.update_available).toBe(core.current_version !== core.latest_version);
			}
			return cores.filter((core) => core.update_available).length;
		});
		expect(sitesOf(service)[0]!.wp.core.latest_version).not.toBe(before);
		expect(outdated.some((count, index) => count > (outdated[index - 1] ?? count))).toBe(true);
		expect(outdated.some((count, index) => count < (outdated[index - 1] ?? count))).toBe(true);
	});

	it('reports are made and activity is logged', async () => {
		const service = await start({ living: true });
		const { reports, activityLogs } = service.world.store;
		const before = [reports.all().length, activityLogs.all().length];
		service.clock.advance(day);
		service.world.settle();
		expect(reports.all().length).toBeGreaterThan(before[0]! + 5);
		expect(activityLogs.all().length).toBeGreaterThan(before[1]! + 100);
	});

	it('forgets old records', async () => {
		const service = await start({
			living: true,
			settings: { historyDays: 2, snapshotsPerSite: 3 },
		});
		service.clock.advance(8 * day);
		service.world.settle();
		const { tasks, activityLogs, reports, snapshots } = service.world.store;
		const oldest = service.clock.now() - 2 * day - 6 * hour - minute;
		for (const [rows, field] of [
			[tasks, 'updated_at'],
			[activityLogs, 'timestamp'],
			[reports, 'created_at'],
		] as const) {
			expect(rows.all().length).toBeGreaterThan(0);
			for (const row of rows.all()) {
				const at = (row as unknown as Record<string, string>)[field]!;
				expect(Date.parse(at)).toBeGreaterThanOrEqual(oldest);
			}
		}
		const synced = sitesOf(service).filter(
			({ sync, backups, locked }) => !sync.paused && !locked && backups.enabled,
		);
		expect(synced.length).toBeGreaterThan(3);
		for (const { id, backups } of synced) {
			const kept = snapshots.ofSite(id);
			const usable = kept.filter(({ status }) => status === 'succeeded');
			expect(usable.length).toBeLessThanOrEqual(3);
			expect(kept.length - usable.length).toBeLessThanOrEqual(3);
			expect(backups.available_snapshots).toBe(usable.length);
		}
	});
});

it('a fleet that no longer lives finishes started work', async () => {
	const service = await start({ living: true, sites: 30 });
	service.clock.advance(6 * hour);
	service.world.settle();
	service.world.living = false;
	const { tasks } = service.world.store;
	service.clock.advance(10 * day);
	service.world.settle();
	expect(service.world.timeline.all().filter(({ kind }) => kind.startsWith('living.'))).toEqual([]);
	const before = tasks.all().length;
	service.clock.advance(day);
	service.world.settle();
	expect(tasks.all()).toHaveLength(before);
	expect(sitesOf(service).every(({ sync }) => !sync.in_progress)).toBe(true);
});
