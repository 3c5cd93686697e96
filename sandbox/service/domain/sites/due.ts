import { day } from '../../engine/clock';
import type { Part } from '../../engine/world';
import type { SiteRow } from './rows';

/** The daily backups, of which in a fleet that lives each site has one at its time, and what recovers by itself. */
export const due: Part['due'] = (world, until) => {
	const sites = world.store.sites.peek();
	const scheduled = world.timeline.all().filter(({ at }) => at <= until);
	const recovering = (what: string) =>
		scheduled.filter(({ kind, payload }) => kind === 'living.recover' && payload.what === what);
	return {
		backups_under_way: scheduled.filter(
			({ kind, payload }) =>
				kind === 'sync.end' && world.store.sites.get(String(payload.site_id))?.backups.enabled,
		).length,
		daily_backups: world.living
			? sites.reduce((sum, site) => sum + dailyBackups(site, until), 0)
			: 0,
		sites_up: recovering('uptime').length,
		sites_reconnected: recovering('connection').length,
		clean_ups: recovering('malware').length,
	};
};

function dailyBackups({ backups, sync, locked }: SiteRow, until: number): number {
	if (!backups.enabled || sync.paused || locked || sync.next_sync_at === null) return 0;
	const ms = until - Date.parse(sync.next_sync_at);
	return ms < 0 ? 0 : 1 + Math.floor(ms / day);
}

export const marks: Part['marks'] = ({ store }) => {
	const ids = (fits: (site: SiteRow) => boolean) =>
		store.sites
			.peek()
			.filter(fits)
			.map(({ id }) => id);
	const synced = (status: string) =>
		store.sites
			.peek()
			.filter(({ backups, sync }) => backups.enabled && sync.last_sync_status === status)
			.map(({ id, sync }) => `${id} ${sync.last_sync_at}`);
	return {
		sites_down: ids(({ uptime }) => uptime.status === 'down'),
		sites_hacked: ids(({ security }) => security.scanner.status === 'hacked'),
		sites_disconnected: ids(({ connection }) => connection.status === 'disconnected'),
		backups_succeeded: synced('succeeded'),
		backups_failed: synced('failed'),
	};
};
