import { day } from '../../engine/clock';
import type { World } from '../../engine/world';
import { completedSnapshots } from '../snapshots/rules';
import { addStagingSite, type StagingOrder } from './rules';

/** One of each status but `initializing`; the active ones have some days left. */
export function seed(world: World): void {
	const sites = world.store.sites.all();
	const sources = sites.flatMap((site): StagingOrder[] => {
		const [snapshot] = completedSnapshots(world, site.id);
		const { id, created_at } = snapshot ?? {};
		return id && created_at
			? [
					{
						site_id: site.id,
						php_version: site.server.php_version,
						snapshot: { id, created_at },
					},
				]
			: [];
	});
	const [active, other, paused, suspended] = world.random.sample(sources, 4);
	if (active) addStagingSite(world, active, world.now - day);
	if (other) addStagingSite(world, other, world.now - 3 * day);
	if (paused) addStagingSite(world, paused, world.now - 2 * day).status = 'paused';
	if (suspended) addStagingSite(world, suspended, world.now - 9 * day);
}
