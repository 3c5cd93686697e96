import { ApiError } from './errors';
import { startReport } from './reports';
import type { SiteRow, TaskType } from './records';
import { logActivity } from './siteActivity';
import { nextDaily, runSync } from './sites';
import { isActive, startTask, type TaskEffects } from './tasks';
import type { Handler, World } from './world';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Something that happens by itself again and again, each time to a few sites of the fleet. */
interface Rhythm {
	/** From one time to the next: so many milliseconds, or a number of them from a range. */
	every: number | [number, number];
	happen(world: World): void;
}

/** Tasks that users start by hand and that leave the rest of the records as they are. */
const commonTasks: TaskType[] = [
	'test_restore',
	'wp_plugin_activate',
	'wp_plugin_deactivate',
	'wp_plugin_delete',
	'wp_plugin_install',
	'wp_theme_activate',
	'wp_theme_install',
	'wp_user_create',
	'wp_user_role_change',
	'wp_core_db_upgrade',
	'download',
	'upload',
	'migrate',
	'speed',
];

const rhythms: Record<string, Rhythm> = {
	tasks: {
		every: [2 * minute, 6 * minute],
		happen: (world) => begin(world, world.random.pick(commonTasks), connected),
	},
	updates: {
		every: [10 * minute, 30 * minute],
		happen: (world) =>
			begin(
				world,
				'wp_site_update',
				({ connection, wp }) =>
					connection.status === 'connected' && wp.core.update_available && !wp.core.locked,
			),
	},
	reports: { every: [30 * minute, 90 * minute], happen: reportOnSite },
	syncs: { every: minute, happen: syncDueSites },
	activity: {
		every: [minute, 3 * minute],
		happen: (world) => {
			for (const site of someSites(world, 3, (each) => each.activity_logs.enabled)) {
				logActivity(world, site, world.now, world.random);
			}
		},
	},
	malware: { every: [2 * hour, 6 * hour], happen: findMalware },
	outages: {
		every: [10 * minute, 40 * minute],
		happen: (world) => {
			for (const site of someSites(world, 1, ({ uptime }) => uptime.enabled && isUp(uptime))) {
				site.uptime.status = 'down';
				touch(world, site);
				recover(world, site, 'uptime', [3 * minute, 45 * minute]);
			}
		},
	},
	disconnections: {
		every: [hour, 3 * hour],
		happen: (world) => {
			for (const site of someSites(world, 1, connected)) {
				site.connection.status = 'disconnected';
				touch(world, site);
				recover(world, site, 'connection', [30 * minute, 8 * hour]);
			}
		},
	},
	releases: { every: [day, 3 * day], happen: releaseCore },
	housekeeping: { every: 6 * hour, happen: forgetOldHistory },
};

/** Lets things happen by themselves from now on, or no longer. What has begun goes on in any case. */
export function setLiving(world: World, living: boolean): void {
	world.living = living;
	if (!living) return;
	const running = world.timeline.all().filter(({ kind }) => kind === 'living.beat');
	for (const name of Object.keys(rhythms)) {
		if (!running.some(({ payload }) => payload.rhythm === name)) scheduleBeat(world, name);
	}
}

export const livingHandlers: Record<string, Handler> = {
	'living.beat': (world, payload) => {
		const rhythm = rhythms[String(payload.rhythm)];
		if (!world.living || !rhythm) return;
		rhythm.happen(world);
		scheduleBeat(world, String(payload.rhythm));
	},
	'living.recover': (world, { site_id: siteId, what }) => {
		const site = world.store.sites.get(String(siteId));
		if (!site) return;
		if (what === 'uptime') site.uptime.status = 'up';
		if (what === 'connection') site.connection.status = 'connected';
		if (what === 'malware') startTask(world, { type: 'hackcleanup', siteIds: [site.id] });
		touch(world, site);
	},
};

export const livingEffects: TaskEffects = {
	hackcleanup: (world, task, outcome) => {
		if (outcome !== 'completed') return;
		for (const { id } of task.details.sites) {
			const site = world.store.sites.get(id);
			if (!site) continue;
			Object.assign(site.security.scanner, {
				status: 'clean',
				malware_detected_at: null,
				last_check_at: world.timestamp(),
				detections: { files: 0, scripts: 0, cron_jobs: 0 },
			});
			touch(world, site);
		}
	},
	wp_site_update: (world, task, outcome) => {
		if (outcome !== 'completed' || !task.internal.payload.living) return;
		for (const { id } of task.details.sites) {
			const site = world.store.sites.get(id);
			if (!site) continue;
			const { core } = site.wp;
			core.current_version = core.latest_version;
			core.update_available = false;
			core.vulnerable = false;
			touch(world, site);
		}
	},
};

function scheduleBeat(world: World, rhythm: string): void {
	const { every } = rhythms[rhythm]!;
	const wait = typeof every === 'number' ? every : world.random.integer(...every);
	world.after(wait, 'living.beat', { rhythm });
}

const connected = ({ connection }: SiteRow) => connection.status === 'connected';
const isUp = ({ status }: SiteRow['uptime']) => status === 'up';

/** Up to `count` sites of a kind; few draws rather than a look at the whole fleet. */
function someSites(world: World, count: number, fits: (site: SiteRow) => boolean): SiteRow[] {
	const sites = world.store.sites.peek();
	const found = new Set<SiteRow>();
	for (let draws = 0; sites.length > 0 && draws < 20 * count && found.size < count; draws++) {
		const site = world.random.pick(sites);
		if (fits(site)) found.add(world.store.sites.get(site.id)!);
	}
	return [...found];
}

function begin(world: World, type: TaskType, fits: (site: SiteRow) => boolean): void {
	const { random } = world;
	const sites = someSites(world, random.integer(1, 4), fits);
	if (sites.length === 0) return;
	startTask(world, {
		type,
		siteIds: sites.map((site) => site.id),
		outcome: random.chance(0.15) ? 'failed' : 'completed',
		durationMs: random.integer(minute / 2, 5 * minute),
		payload: { living: true },
	});
}

/** Starts the daily sync of every site whose time has come; some can not be reached. */
function syncDueSites(world: World): void {
	const now = world.timestamp();
	const { sites } = world.store;
	const due = sites.peek().filter(({ sync }) => {
		return sync.next_sync_at !== null && sync.next_sync_at <= now && !sync.in_progress;
	});
	for (const { id } of due) {
		const site = sites.get(id)!;
		if (site.sync.paused || site.locked) {
			site.sync.next_sync_at = nextDaily(world, site.sync.daily_sync_time);
			continue;
		}
		runSync(world, site, { reachable: connected(site) && !world.random.chance(0.03) });
	}
}

function findMalware(world: World): void {
	const { random } = world;
	const clean = ({ security }: SiteRow) => security.enabled && security.scanner.status === 'clean';
	for (const site of someSites(world, 1, clean)) {
		Object.assign(site.security.scanner, {
			status: 'hacked',
			malware_detected_at: world.timestamp(),
			last_check_at: world.timestamp(),
			detections: {
				files: random.integer(1, 40),
				scripts: random.integer(0, 5),
				cron_jobs: random.integer(0, 2),
			},
		});
		touch(world, site);
		recover(world, site, 'malware', [30 * minute, 5 * hour]);
	}
}

/** Reports on the last week of a site. */
function reportOnSite(world: World): void {
	for (const site of someSites(world, 1, ({ backups }) => backups.latest_snapshot !== null)) {
		const date = (ago: number) => world.timestamp(world.now - ago).slice(0, 10);
		try {
			startReport(world, { site_id: site.id, start_date: date(7 * day), end_date: date(0) });
		} catch (error) {
			// A site without a completed snapshot in that week gets no report.
			if (!(error instanceof ApiError)) throw error;
		}
	}
}

/** A new version of the core comes out: every site can be updated to it. */
function releaseCore(world: World): void {
	const sites = world.store.sites.all().filter(({ wp }) => wp.core.latest_version !== '');
	const [latest] = sites.map(({ wp }) => wp.core.latest_version);
	if (latest === undefined) return;
	const [major, minor, patch] = latest.split('.').map(Number);
	const next = `${major}.${minor}.${patch! + 1}`;
	for (const site of sites) {
		site.wp.core.latest_version = next;
		site.wp.core.update_available = true;
	}
}

/** Without an end to its history a fast fleet would grow for ever. */
function forgetOldHistory(world: World): void {
	const { tasks, activityLogs, reports, autoUpdateHistory } = world.store;
	const oldest = world.timestamp(world.now - world.settings.historyDays * day);
	for (const task of tasks.peek()) {
		if (task.updated_at < oldest && !isActive(task)) tasks.delete(task.id);
	}
	for (const log of activityLogs.peek()) if (log.timestamp < oldest) activityLogs.delete(log.id);
	for (const report of reports.peek()) if (report.created_at < oldest) reports.delete(report.id);
	for (const run of autoUpdateHistory.peek()) {
		if (run.performed_on < oldest) autoUpdateHistory.delete(run.id);
	}
}

function recover(world: World, site: SiteRow, what: string, within: [number, number]): void {
	world.after(world.random.integer(...within), 'living.recover', { site_id: site.id, what });
}

function touch(world: World, site: SiteRow): void {
	site.updated_at = world.timestamp();
}
