import { conflict, unprocessable } from './errors';
import type { HttpAuth, SiteRow } from './records';
import type { Handler, World } from './world';

const day = 24 * 60 * 60 * 1000;

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

/** Fails with 422 when a site other than `except` has the address. */
export function requireNewUrl(world: World, url: string, except?: SiteRow): void {
	const taken = world.store.sites
		.all()
		.some((site) => site !== except && sameAddress(site.url, url));
	if (taken) throw unprocessable('taken', 'site.url', 'is already the address of a site');
}

/**
 * Starts a sync (Part B 3 and 4.1) and returns the id of the snapshot it makes. Fails with 409
 * while one is running, with 422 under maintenance and beyond the daily limit.
 */
export function startSync(world: World, site: SiteRow): string {
	if (site.sync.in_progress) throw conflict('A sync of this site is already in progress');
	if (site.locked) throw unprocessable('locked', 'site_id', 'is a site under maintenance');

	const date = world.timestamp().slice(0, 10);
	const count = site.internal.syncs.date === date ? site.internal.syncs.count : 0;
	if (count >= world.settings.syncsPerDay) {
		throw unprocessable('daily_limit', 'site_id', 'has reached its number of syncs for today');
	}
	site.internal.syncs = { date, count: count + 1 };
	site.sync.in_progress = true;
	site.updated_at = world.timestamp();
	const snapshotId = world.random.hex(24);
	world.after(world.settings.syncMs, 'sync.end', { site_id: site.id, snapshot_id: snapshotId });
	return snapshotId;
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
			last_sync_status: 'succeeded',
			last_sync_error: null,
			in_progress: false,
		});
		if (site.backups.enabled) {
			site.backups.available_snapshots += 1;
			site.backups.latest_snapshot = {
				id: String(payload.snapshot_id),
				created_at: now,
				status: 'succeeded',
			};
		}
		site.updated_at = now;
	},
};

function sameAddress(one: string, other: string): boolean {
	return canonical(one) === canonical(other);
}

function canonical(address: string): string {
	const { host, pathname } = new URL(address);
	return host + pathname.replace(/\/+$/, '');
}
