import { day, hour } from '../../engine/clock';
import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { forEachSite } from '../shared/demo';
import type { SiteRow } from '../sites/rows';

const works: Array<[title: string, description: string]> = [
	['Checkout page reworked', 'Fewer fields, and the delivery costs are shown earlier.'],
	['Contact form repaired', 'Emails were not sent since the mail server was changed.'],
	['Pictures made smaller', ''],
	['New opening hours', 'Footer and contact page.'],
	['Translation checked', 'Spanish texts of the shop.'],
	['Accessibility review', 'Contrast, labels and the order of the tab key.'],
];

export const seed = (world: World) =>
	forEachSite(world, 'customWorks', (site, random) => seedCustomWorks(world, site, random));

function seedCustomWorks(world: World, site: SiteRow, random: Random): void {
	if (!random.chance(0.35)) return;
	for (const [title, description] of random.sample(works, random.integer(1, 3))) {
		const at = world.timestamp(world.now - random.integer(hour, 120 * day));
		world.store.customWorks.insert({
			id: random.hex(24),
			site_id: site.id,
			title,
			description,
			performed_on: at.slice(0, 10),
			created_at: at,
			updated_at: at,
		});
	}
}
