import { hashOf } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import type { Amounts, BackupAmounts } from '../snapshots/rows';
import { filesAt, isWithin } from './files';
import type { BackupStatus, SiteContentRow } from './rows';
import { tablesAt } from './tables';

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

/** Marks paths as `status`; what was marked in a folder before follows the folder. */
export function markPath(world: World, site: SiteRow, path: string, status: BackupStatus): void {
	const content = changeContent(world, site.id);
	const others = Object.entries(content.marks).filter(([marked]) => !isWithin(marked, path));
	content.marks = { ...Object.fromEntries(others), [path]: status };
}

/** How much a backup has of a site's content at a time, and how much it leaves out. */
export function amountsAt(
	world: World,
	site: SiteRow,
	at: number,
): { files: BackupAmounts; database: BackupAmounts } {
	return {
		files: sumUp(filesAt(world, site, at)),
		database: sumUp(tablesAt(world, site, at)),
	};
}

function sumUp(entries: Array<{ size: number; status: BackupStatus }>): BackupAmounts {
	const skipped = entries.filter(({ status }) => status === 'skipped');
	const amounts = (measure: (list: typeof entries) => number): Amounts => {
		const total = measure(entries);
		const ignored = measure(skipped);
		return { total, synced: total - ignored, ignored };
	};
	return {
		count: amounts((list) => list.length),
		size: amounts((list) => list.reduce((sum, { size }) => sum + size, 0)),
	};
}
