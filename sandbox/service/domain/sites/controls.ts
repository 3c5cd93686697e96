import type { World } from '../../engine/world';
import { control } from '../../http/module';
import { changesOf, oneOf } from '../../http/schema';
import { clear, infect, touch } from './living';
import { connectionStatuses, scannerStatuses, type SiteRow, uptimeStatuses } from './rows';
import { runSync, siteOf } from './rules';

/** What can be made to happen to a site. */
export const siteControls = [
	control({
		method: 'POST',
		path: '/sites/{site_id}/state',
		does: 'Brings a site into a state: {"uptime"?: "down" or "up", "malware"?: "hacked" or "clean", "connection"?: "disconnected" or "connected", "syncs"?: "failing" (one fails at once, and those after it) or "succeeding"}',
		body: changesOf({
			uptime: oneOf(...uptimeStatuses),
			malware: oneOf(...scannerStatuses),
			connection: oneOf(...connectionStatuses),
			syncs: oneOf('failing', 'succeeding'),
		}),
		handle({ world, params, body: { uptime, malware, connection, syncs } }) {
			const site = siteOf({ world, params });
			if (uptime) site.uptime = { enabled: true, status: uptime };
			if (connection) site.connection.status = connection;
			if (malware) {
				site.security.enabled = true;
				(malware === 'hacked' ? infect : clear)(world, site);
			}
			if (syncs) setSyncs(world, site, syncs === 'failing');
			touch(world, site);
			return { site_id: site.id };
		},
	}),
];

function setSyncs(world: World, site: SiteRow, failing: boolean): void {
	site.internal.syncs.failing = failing;
	if (failing && !site.sync.in_progress) runSync(world, site, { reachable: false });
}
