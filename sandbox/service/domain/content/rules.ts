import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import type { Amounts, BackupAmounts } from '../snapshots/rows';
import { changeContent } from './changes';
import { filesAt } from './files';
import { isWithin } from './kept';
import type { BackupStatus } from './rows';
import { tablesAt } from './tables';

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
