import { day } from '../../engine/clock';
import { conflict, notFound, unprocessable } from '../../engine/errors';
import { beginExclusive } from '../../engine/exclusive';
import { SiteCollection, type Row, type Store } from '../../engine/store';
import type { Handler, World } from '../../engine/world';
import type { Context } from '../../http/context';
import { scanNow } from '../content/infections';
import type { SnapshotRow } from '../snapshots/rows';
import {
	beginSnapshot,
	completeSnapshot,
	failSnapshot,
	nameLatest,
	showLatest,
} from '../snapshots/rules';
import type { HttpAuth, SiteRow } from './rows';

declare module '../../engine/settings' {
	interface Settings {
		/** Most syncs that can be asked for per site and UTC day (Part A 8: numeric value not shown). */
		syncsPerDay: number;
		/** How long a sync takes, in milliseconds. */
		syncMs: number;
		/** How long a change of a site's configuration goes on, in milliseconds (Part B 3). */
		siteConfigurationMs: number;
	}
}

const unreachable = 'The site could not be reached';

/** Adds a site as `POST /sites` does: not connected yet and never synced. */
export function createSite(
	world: World,
	fields: { url: string; sticky_ip?: string | null; http_auth?: HttpAuth | null },
): SiteRow {
	const now = world.timestamp();
	const none = () => ({ total: 0, synced: 0, ignored: 0 });
	return world.store.sites.insert({
		id: world.random.hex(24),
		title: new URL(fields.url).hostname,
		url: fields.url,
		home_url: fields.url,
		created_at: now,
		updated_at: now,
		connection: {
			status: 'disconnected',
			sticky_ip: fields.sticky_ip ?? null,
			http_auth: fields.http_auth ?? null,
		},
		server: { hosting: '', mysql_version: '', php_version: '' },
		sync: {
			last_sync_at: null,
			next_sync_at: null,
			last_sync_status: null,
			last_sync_error: null,
			interval: '24h',
			daily_sync_time: '00:00:00Z',
			paused: false,
			in_progress: false,
		},
		security: {
			enabled: true,
			scanner: {
				status: 'clean',
				malware_detected_at: null,
				interval: '24h',
				last_check_at: null,
				next_check_at: null,
				detections: { files: 0, scripts: 0, cron_jobs: 0 },
				files: { total: 0, scanned: 0 },
				database: { total: 0, scanned: 0 },
			},
			firewall: {
				enabled: false,
				mode: 'protect',
				advanced: false,
				bot_protection: { enabled: false },
			},
		},
		backups: {
			enabled: true,
			real_time: false,
			available_snapshots: 0,
			retention_days: 90,
			latest_snapshot: null,
			files: { count: none(), size: none() },
			database: { count: none(), size: none() },
		},
		performance: { enabled: false },
		analytics: { enabled: false },
		activity_logs: { enabled: false },
		uptime: { enabled: false, status: 'up' },
		wp: {
			core: {
				current_version: '',
				latest_version: '',
				update_available: false,
				locked: false,
				vulnerable: false,
			},
			default_wp_object_id: 1,
		},
		screenshot: { thumbnail_url: '', updated_at: now },
		locked: false,
		multisite: false,
		internal: { client_id: null, tag_ids: [], syncs: { date: '', count: 0 } },
	});
}

/** Fails with 422 when one of the sites is not available to the caller. */
export function requireSites(world: World, siteIds: string[], param: string): void {
	const unknown = siteIds.find((id) => !world.store.sites.get(id));
	if (unknown !== undefined) {
		throw unprocessable('not_available', param, `has no available site ${unknown}`);
	}
}

/** The ids of the sites by what they are grouped under. */
export function siteIdsBy(world: World, group: (site: SiteRow) => string[]): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const site of world.store.sites.peek()) {
		for (const id of group(site)) {
			const ids = found.get(id);
			if (ids) ids.push(site.id);
			else found.set(id, [site.id]);
		}
	}
	return found;
}

/** The site that a path names; 404 when there is none. */
export function siteOf({ world, params }: Pick<Context, 'world' | 'params'>): SiteRow {
	const site = world.store.sites.get(params.site_id!);
	if (!site) throw notFound(`The site ${params.site_id}`);
	return site;
}

/** The rows of one kind that belong to the site that a path names, for `rows` of a resource. */
export const ofSite =
	<T extends Row & { site_id: string }>(kind: (store: Store) => SiteCollection<T>) =>
	(context: Context): T[] =>
		kind(context.world.store).ofSite(siteOf(context).id);

/** Marks the configuration of a site as being changed for a moment; 409 while it is (Part B 3). */
export function beginConfiguration(world: World, site: SiteRow): void {
	const { siteConfigurationMs } = world.settings;
	const what = 'Another change of the configuration of this site';
	beginExclusive(world, `site_configuration:${site.id}`, siteConfigurationMs, what);
}

/** Removes a site with all that belongs to it alone. */
export function deleteSite(world: World, { id: siteId }: SiteRow): void {
	for (const [, owned] of world.store.collections()) {
		if (!(owned instanceof SiteCollection)) continue;
		for (const { id } of owned.ofSite(siteId)) owned.delete(id);
	}
	world.store.sites.delete(siteId);
}

/** Fails with 422 when a site other than `except` has the address. */
export function requireNewUrl(world: World, url: string, except?: SiteRow): void {
	const address = canonical(url);
	const taken = world.store.sites
		.peek()
		.some((site) => site !== except && canonical(site.url) === address);
	if (taken) throw unprocessable('taken', 'site.url', 'is already the address of a site');
}

/**
 * Starts a sync (Part B 3 and 4.1) and returns the id of the snapshot it makes. Fails with 409
 * while one is running, with 422 under maintenance and beyond the daily limit.
 */
export function startSync(world: World, site: SiteRow, note: string | null = null): string {
	if (site.sync.in_progress) throw conflict('A sync of this site is already in progress');
	if (site.locked) throw unprocessable('locked', 'site_id', 'is a site under maintenance');

	const date = world.timestamp().slice(0, 10);
	const count = site.internal.syncs.date === date ? site.internal.syncs.count : 0;
	if (count >= world.settings.syncsPerDay) {
		throw unprocessable('daily_limit', 'site_id', 'has reached its number of syncs for today');
	}
	Object.assign(site.internal.syncs, { date, count: count + 1 });
	return runSync(world, site, { note });
}

/** Lets a sync run whatever the rules say; one of a site that is not reachable fails. */
export function runSync(
	world: World,
	site: SiteRow,
	{ note = null, reachable = true }: { note?: string | null; reachable?: boolean } = {},
): string {
	const mayEnd = takeSuccess(site);
	site.sync.in_progress = true;
	site.updated_at = world.timestamp();
	const snapshotId = world.random.hex(24);
	if (site.backups.enabled) {
		beginSnapshot(world, site, { id: snapshotId, status: 'in_progress', note });
	}
	const payload = { site_id: site.id, snapshot_id: snapshotId, reachable: reachable && mayEnd };
	world.after(world.settings.syncMs, 'sync.end', payload);
	return snapshotId;
}

/** Whether a sync that begins now may succeed; one that is to fail has had its turn then. */
function takeSuccess({ internal: { syncs } }: SiteRow): boolean {
	const fails = syncs.failing || syncs.next_fails;
	delete syncs.next_fails;
	return !fails;
}

/** The first time after `from` (milliseconds) at which the clock reads the time of day `HH:MM:SSZ`. */
export function nextDaily(world: World, time: string, from = world.now): string {
	const today = Date.parse(`${world.timestamp(from).slice(0, 10)}T${time}`);
	return world.timestamp(today > from ? today : today + day);
}

export const siteHandlers: Record<string, Handler> = {
	'sync.end': (world, payload) => {
		const site = world.store.sites.get(String(payload.site_id));
		if (!site) return;
		const now = world.timestamp();
		Object.assign(site.sync, {
			last_sync_at: now,
			next_sync_at: nextDaily(world, site.sync.daily_sync_time),
			last_sync_status: payload.reachable ? 'succeeded' : 'failed',
			last_sync_error: payload.reachable ? null : unreachable,
			in_progress: false,
		});
		const snapshot = world.store.snapshots.get(String(payload.snapshot_id));
		if (snapshot && !payload.reachable) {
			failSnapshot(snapshot, unreachable);
			nameLatest(site, snapshot);
		} else if (snapshot) {
			completeSnapshot(world, site, snapshot);
			showLatest(site, snapshot);
			scanNow(world, site);
			site.backups.available_snapshots += 1;
		}
		discardOldSnapshots(world, site);
		site.updated_at = now;
	},
};

/** A site keeps its newest snapshots, of those that failed as many as of the others. */
function discardOldSnapshots(world: World, site: SiteRow): void {
	const oldest = world.timestamp(world.now - site.backups.retention_days * day);
	const usable = (snapshot: SnapshotRow) => snapshot.status === 'succeeded';
	const all = world.store.snapshots.ofSite(site.id);
	for (const snapshots of [all.filter(usable), all.filter((each) => !usable(each))]) {
		const surplus = snapshots.length - world.settings.snapshotsPerSite;
		for (const [index, snapshot] of snapshots.entries()) {
			if (index >= surplus && snapshot.created_at >= oldest) continue;
			world.store.snapshots.delete(snapshot.id);
			if (usable(snapshot)) site.backups.available_snapshots -= 1;
		}
	}
}

export function sameAddress(one: string, other: string): boolean {
	return canonical(one) === canonical(other);
}

function canonical(address: string): string {
	const { host, pathname } = new URL(address);
	return host + pathname.replace(/\/+$/, '');
}
