import { day, hour, minute } from '../../engine/clock';
import { startTask } from '../../engine/tasks';
import type { Handler, Rhythm, TaskEffects, World } from '../../engine/world';
import type { SiteRow } from './rows';
import { nextDaily, runSync } from './rules';

/** What becomes of sites without anybody's doing. */
export const rhythms: Record<string, Rhythm> = {
	syncs: { every: minute, happen: syncDueSites },
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
};

export const livingHandlers: Record<string, Handler> = {
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
			if (site) clear(world, site);
		}
	},
};

export const connected = ({ connection }: SiteRow) => connection.status === 'connected';
const isUp = ({ status }: SiteRow['uptime']) => status === 'up';

/** Up to `count` sites of a kind; few draws rather than a look at the whole fleet. */
export function someSites(
	world: World,
	count: number,
	fits: (site: SiteRow) => boolean,
): SiteRow[] {
	const sites = world.store.sites.peek();
	const found = new Set<SiteRow>();
	for (let draws = 0; sites.length > 0 && draws < 20 * count && found.size < count; draws++) {
		const site = world.random.pick(sites);
		if (fits(site)) found.add(world.store.sites.get(site.id)!);
	}
	return [...found];
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
		const reachable = connected(site) && !world.random.chance(0.03);
		runSync(world, site, { reachable });
	}
}

function findMalware(world: World): void {
	const clean = ({ security }: SiteRow) => security.enabled && security.scanner.status === 'clean';
	for (const site of someSites(world, 1, clean)) {
		infect(world, site);
		recover(world, site, 'malware', [30 * minute, 5 * hour]);
	}
}

/** The scan finds malware on a site. */
export function infect(world: World, site: SiteRow): void {
	const { random } = world;
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
}

/** The scan finds a site clean. */
export function clear(world: World, site: SiteRow): void {
	Object.assign(site.security.scanner, {
		status: 'clean',
		malware_detected_at: null,
		last_check_at: world.timestamp(),
		detections: { files: 0, scripts: 0, cron_jobs: 0 },
	});
	touch(world, site);
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

function recover(world: World, site: SiteRow, what: string, within: [number, number]): void {
	world.after(world.random.integer(...within), 'living.recover', { site_id: site.id, what });
}

export function touch(world: World, site: SiteRow): void {
	site.updated_at = world.timestamp();
}
