import type { IDataObject } from 'n8n-workflow';
import { instantOf, isoOf, recordIn, valueAt } from '../lib';
import { statusClass } from './values';

/** Without both bounds the service looks at the snapshots of the last seven days only. Source: Part B, 4.5. */
export const EVER = {
	'filters[created_at:gte]': '2000-01-01T00:00:00Z',
	'filters[created_at:lte]': '2100-01-01T00:00:00Z',
};

/** What the service calls a snapshot that can be restored. Source: Part B, 2.5. */
export const GOOD = 'succeeded';

export const isGood = (status: unknown) => statusClass('snapshot', status) === 'succeeded';

/** The newest snapshot of a site, good or not. Source: Part B, 2.1. */
export const latestOf = (site: IDataObject): IDataObject =>
	recordIn(valueAt(site, 'backups.latest_snapshot'));

/** Whether a site has never been backed up; where its record does not say, it may have been. */
export const isNeverBackedUp = (site: IDataObject) =>
	valueAt(site, 'backups.latest_snapshot') === null &&
	!valueAt(site, 'backups.available_snapshots');

/** When the newest snapshot of a site was made, if the site shows that it is a good one; NaN otherwise. */
export function goodSince(site: IDataObject): number {
	const { status, created_at: at } = latestOf(site);
	// A site does not show the scan of its snapshot, which may be hacked if the site is.
	const isInDoubt = statusClass('scanner', valueAt(site, 'security.scanner.status')) === 'bad';
	return isGood(status) && !isInDoubt ? instantOf(at) : NaN;
}

/** Number of malware detections in a site or a snapshot; NaN if the record does not say. Source: Part C. */
export function detectionsOf({ security }: IDataObject): number {
	const counts = Object.values(recordIn(recordIn(recordIn(security).scanner).detections));
	return counts.reduce<number>((sum, count) => sum + Number(count), counts.length > 0 ? 0 : NaN);
}

/** The scan result of a snapshot. A failed snapshot reports `clean` without a scan. Source: Part C. */
export function scanOf(snapshot: IDataObject): string {
	const { scanner, enabled } = recordIn(snapshot.security);
	const { status, files } = recordIn(scanner);
	const kind = statusClass('scanner', status);
	const found = detectionsOf(snapshot);
	if (kind === 'bad' || (kind !== 'good' && found > 0)) return 'hacked';
	if (kind !== 'good') return String(status ?? '') || 'not scanned';
	if (!isGood(snapshot.status) || enabled === false || recordIn(files).scanned === 0)
		return 'not scanned';
	return found > 0 ? 'not known' : 'clean';
}

/** A file or folder of a snapshot. Its size is NaN, and its time empty, where the record does not say. */
export function fileIn({ id, name, path, type, status, size, modified_at: at }: IDataObject) {
	const parts = String(name ?? path).split('/');
	return {
		...{ id: String(id), path: String(path), name: parts.filter(Boolean).at(-1) ?? '' },
		isFolder: type === 'folder' || String(path).endsWith('/'),
		isLeftOut: status === 'skipped',
		...{ size: Number(size ?? NaN), modified: isoOf(at) },
	};
}

export type SnapshotFile = ReturnType<typeof fileIn>;
