import type { World } from '../../engine/world';
import { forEachSite } from '../shared/demo';

/** How many of the sites that do not use a feature have a plan without it. */
const shares = { backups: 0.3, performance: 0.12, activity_logs: 0.08 } as const;
const features = Object.keys(shares) as Array<keyof typeof shares>;

export const seed = (world: World) =>
	forEachSite(world, 'plan', (site, random) => {
		const without = features.filter(
			(feature) => !site[feature].enabled && random.chance(shares[feature]),
		);
		if (without.length > 0) world.store.sitePlans.insert({ id: site.id, without });
	});
