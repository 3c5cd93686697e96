import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { forEachSite } from '../shared/demo';
import type { SiteRow } from '../sites/rows';

const pagePaths = ['/', '/contact', '/shop', '/about', '/?page_id=12'];

export const seed = (world: World) =>
	forEachSite(world, 'importantPages', (site, random) => seedPages(world, site, random));

function seedPages(world: World, site: SiteRow, random: Random): void {
	if (!site.performance.enabled) return;
	for (const path of random.sample(pagePaths, random.integer(1, 3))) {
		const url = `${site.url}${path}`;
		world.store.importantPages.insert({ id: random.hex(24), site_id: site.id, url });
	}
}
