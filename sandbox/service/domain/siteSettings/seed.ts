import type { World } from '../../engine/world';
import { forEachSite } from '../shared/demo';

export const seed = (world: World) =>
	forEachSite(world, 'siteSettings', ({ id }, random) => {
		if (!random.chance(0.3)) return;
		world.store.siteSettings.insert({
			id,
			wp_auto_updates: { enabled: random.chance(0.7) },
			shop_db_upgrade: { enabled: random.chance(0.4) },
		});
	});
