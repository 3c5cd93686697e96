import { hashOf } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import type { SiteContentRow } from './rows';

/** The ids of the sites of a multisite besides the main one. */
export function subsitesOf(site: SiteRow): string[] {
	if (!site.multisite) return [];
	return Array.from({ length: 2 + (hashOf(site.id, 'subsites') % 3) }, (_, i) => String(i + 2));
}

export const subsiteFolder = (subsite: string) => `./wp-content/uploads/sites/${subsite}/`;
export const subsiteTables = (subsite: string) => `wp_${subsite}_`;

const untouched = { marks: {}, skipped_tables: [], restores: [] };

/** What was changed of a site's content. */
export function changesOf(world: World, siteId: string): Readonly<SiteContentRow> {
	return world.store.contents.get(siteId) ?? { id: siteId, ...untouched };
}

/** The same, to be changed. */
export function changeContent(world: World, siteId: string): SiteContentRow {
	return (
		world.store.contents.get(siteId) ??
		world.store.contents.insert({ id: siteId, ...structuredClone(untouched) })
	);
}
