import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { forEachSite } from '../shared/demo';
import type { SiteRow } from '../sites/rows';
import { changeContent } from './changes';
import { seedPhpBreaks } from './phpBreaks';
import { tablesAt } from './tables';

/** What some sites leave out of their backups. */
export function seed(world: World): void {
	forEachSite(world, 'content', (site, random) => seedContent(world, site, random));
	seedPhpBreaks(world);
}

function seedContent(world: World, site: SiteRow, random: Random): void {
	if (!random.chance(0.25)) return;
	const content = changeContent(world, site.id);
	content.marks = { './wp-content/cache/': 'skipped' };
	content.skipped_tables = [random.pick(tablesAt(world, site, world.now)).name];
}
