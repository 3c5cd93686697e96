import type { World } from '../../engine/world';
import { control } from '../../http/module';
import { changesOf, oneOf } from '../../http/schema';
import { clear, infect, touch } from './living';
import { fleetList } from './routes';
import { connectionStatuses, scannerStatuses, type SiteRow, uptimeStatuses } from './rows';
import { runSync, siteOf, startSync } from './rules';

const syncStates = ['succeeding', 'next_fails', 'failing'] as const;
type SyncState = (typeof syncStates)[number];

/** What can be made to happen to a site. */
export const siteControls = [
	control({
		method: 'GET',
		path: '/fleet',
		does: 'The list of sites of the API, with more: last_backup (the last good one), good_backup (whether it is at most 36 hours old), filters[good_backup:eq], filters[text:contains] (title or address) and sort=last_backup_at,asc',
		handle: (context) => context.world.read(() => fleetList.handle(context)),
	}),
	control({
		method: 'GET',
		path: '/sites/{site_id}/state',
		does: 'The state of a site: uptime, malware, connection, and whether its syncs succeed',
		handle: (context) => stateOf(siteOf(context)),
	}),
	control({
		method: 'POST',
		path: '/sites/{site_id}/state',
		does: 'Changes the state of a site: {"uptime"?: "down" or "up", "malware"?: "hacked" or "clean", "connection"?: "disconnected" or "connected", "syncs"?: "next_fails", "failing" or "succeeding"}. With "next_fails", only the next sync and its backup fail. With "failing", one fails at once, and all later ones.',
		body: changesOf({
			uptime: oneOf(...uptimeStatuses),
			malware: oneOf(...scannerStatuses),
			connection: oneOf(...connectionStatuses),
			syncs: oneOf(...syncStates),
		}),
		handle({ world, params, body: { uptime, malware, connection, syncs } }) {
			const site = siteOf({ world, params });
			if (uptime) site.uptime = { enabled: true, status: uptime };
			if (connection) site.connection.status = connection;
			if (malware) {
				site.security.enabled = true;
				(malware === 'hacked' ? infect : clear)(world, site);
			}
			if (syncs) setSyncs(world, site, syncs);
			touch(world, site);
			return stateOf(site);
		},
	}),
	control({
		method: 'POST',
		path: '/sites/{site_id}/sync',
		does: 'Starts a sync of a site, which makes a backup, as the API does',
		handle({ world, params }) {
			const site = siteOf({ world, params });
			return { site_id: site.id, snapshot_id: startSync(world, site) };
		},
	}),
];

function stateOf({ id, uptime, security, connection, internal }: SiteRow) {
	const { failing, next_fails: nextFails } = internal.syncs;
	const syncs: SyncState = failing ? 'failing' : nextFails ? 'next_fails' : 'succeeding';
	return {
		site_id: id,
		uptime: uptime.status,
		malware: security.scanner.status,
		connection: connection.status,
		syncs,
	};
}

function setSyncs(world: World, site: SiteRow, state: SyncState): void {
	const { syncs } = site.internal;
	syncs.failing = state === 'failing';
	delete syncs.next_fails;
	if (state === 'next_fails') syncs.next_fails = true;
	if (state === 'failing' && !site.sync.in_progress) runSync(world, site);
}
