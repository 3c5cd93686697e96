import { day } from '../../engine/clock';
import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { forEachSite } from '../shared/demo';
import type { SiteRow } from '../sites/rows';
import { logActivity } from './rules';

export const seed = (world: World) =>
	forEachSite(world, 'activityLogs', (site, random) => seedActivity(world, site, random));

function seedActivity(world: World, site: SiteRow, random: Random): void {
	if (!site.activity_logs.enabled) return;
	const range = Math.min(14 * day, world.now - Date.parse(site.created_at));
	for (let left = random.integer(3, 9); left > 0; left--) {
		logActivity(world, site, world.now - random.integer(0, range), random);
	}
}
