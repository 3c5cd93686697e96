import { unprocessable } from '../../engine/errors';
import { control } from '../../http/module';
import { matching, object, oneOf } from '../../http/schema';
import { siteOf, startSync } from '../sites/rules';
import { completedSnapshots, requireBackups } from '../snapshots/rules';
import { pluginNames } from './names';
import { pluginsAt, setPlugin } from './plugins';

const path = '/sites/{site_id}/plugins';

export const contentControls = [
	control({
		method: 'GET',
		path,
		does: 'The plugins of a site with their versions: now, and in the newest backup',
		handle(context) {
			const { world } = context;
			const site = siteOf(context);
			const [newest] = completedSnapshots(world, site.id);
			const backedUp = newest && pluginsAt(world, site, Date.parse(newest.created_at));
			return {
				plugins: [...pluginsAt(world, site, world.now)].map(([name, version]) => ({
					name,
					version,
					backed_up_version: backedUp?.get(name) ?? null,
				})),
			};
		},
	}),
	control({
		method: 'POST',
		path,
		does: `Installs a version of a plugin on a site, and starts a backup of it: {"name", "version": "1.9.4"}. Plugins: ${pluginNames.join(', ')}`,
		body: object({ name: oneOf(...pluginNames), version: matching('^\\d+(\\.\\d+){0,3}$') }),
		handle({ world, params, body: { name, version } }) {
			const site = siteOf({ world, params });
			requireBackups(world, site);
			const { failing, next_fails: nextFails } = site.internal.syncs;
			if (failing || nextFails) {
				throw unprocessable('syncs_fail', 'site_id', 'is a site whose next backup fails');
			}
			const snapshotId = startSync(world, site, `Installed ${name} ${version}`);
			setPlugin(world, site, name, version);
			return { site_id: site.id, name, version, snapshot_id: snapshotId };
		},
	}),
];
