import { notFound, unprocessable } from '../../engine/errors';
import { hashOf, Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { scan } from '../content/infections';
import { amountsAt } from '../content/rules';
import { requireSiteFeature } from '../account/rules';
import type { SiteRow } from '../sites/rows';
import type { Amounts, BackupAmounts, SnapshotRow } from './rows';

/** The completed snapshots of a site, newest first. */
export function completedSnapshots(world: World, siteId: string): SnapshotRow[] {
	return world.store.snapshots
		.ofSite(siteId)
		.filter((snapshot) => snapshot.status === 'succeeded')
		.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

/** The last backup of a site: its newest completed snapshot that is not hacked. */
export const lastGood = (world: World, siteId: string) =>
	completedSnapshots(world, siteId).find(({ security }) => security.scanner.status !== 'hacked');

/** The snapshot, if it is a completed one of the site. */
export function completedSnapshot(
	world: World,
	siteId: string,
	snapshotId: string,
): SnapshotRow | undefined {
	const snapshot = world.store.snapshots.get(snapshotId);
	return snapshot?.site_id === siteId && snapshot.status === 'succeeded' ? snapshot : undefined;
}

/** The same, or else 404 when the site has no such snapshot and 422 when it is not completed. */
export function requireCompletedSnapshot(
	world: World,
	siteId: string,
	snapshotId: string,
	param = 'snapshot_id',
): SnapshotRow {
	if (world.store.snapshots.get(snapshotId)?.site_id !== siteId) {
		throw notFound(`The snapshot ${snapshotId}`);
	}
	const snapshot = completedSnapshot(world, siteId, snapshotId);
	if (!snapshot) throw unprocessable('not_completed', param, 'is a snapshot that is not completed');
	return snapshot;
}

/** Fails with 422 unless the site's plan has backups and the site has them enabled. */
export function requireBackups(world: World, site: SiteRow): void {
	requireSiteFeature(world, site, 'backups');
	if (!site.backups.enabled) {
		throw unprocessable('backups_disabled', 'site_id', 'is a site whose backups are disabled');
	}
}

/**
 * The snapshot of which the content is asked for: the completed one of that id (else 404 or 422),
 * or without an id the latest (422 when there is none).
 */
export function chosenSnapshot(world: World, site: SiteRow, snapshotId?: string): SnapshotRow {
	if (snapshotId !== undefined) return requireCompletedSnapshot(world, site.id, snapshotId);
	const [latest] = completedSnapshots(world, site.id);
	if (!latest)
		throw unprocessable('no_snapshot', 'site_id', 'is a site without a completed snapshot');
	return latest;
}

/** Adds a snapshot of what the site is now; its content is not backed up yet. */
export function beginSnapshot(
	world: World,
	site: SiteRow,
	fields: Pick<SnapshotRow, 'id' | 'status' | 'note'> & { created_at?: string },
): SnapshotRow {
	const { status, detections, files, database } = site.security.scanner;
	const none = (): Amounts => ({ total: 0, synced: 0, ignored: 0 });
	return world.store.snapshots.insert({
		site_id: site.id,
		created_at: world.timestamp(),
		error_message: null,
		...fields,
		backups: {
			enabled: site.backups.enabled,
			real_time: site.backups.real_time,
			files: { count: none(), size: none() },
			database: { count: none(), size: none() },
		},
		security: {
			enabled: site.security.enabled,
			scanner: {
				status,
				detections: { ...detections },
				files: { ...files },
				database: { ...database },
			},
		},
		performance: measure(site, fields.id),
	});
}

/** Lets a snapshot succeed: it has what the site had when it was begun. */
export function completeSnapshot(world: World, site: SiteRow, snapshot: SnapshotRow): void {
	const { files, database } = amountsAt(world, site, Date.parse(snapshot.created_at));
	snapshot.status = 'succeeded';
	Object.assign(snapshot.backups, { files, database });
	Object.assign(snapshot.security.scanner, {
		files: scanned(files),
		database: scanned(database),
	});
	const found = scan(world, site, Date.parse(snapshot.created_at));
	if (found) Object.assign(snapshot.security.scanner, found);
}

/** Lets a snapshot fail: nothing of it was scanned, and its scanner reports clean. Source: Part C. */
export function failSnapshot(snapshot: SnapshotRow, why: string): void {
	Object.assign(snapshot, { status: 'failed', error_message: why });
	const { scanner } = snapshot.security;
	scanner.status = 'clean';
	scanner.detections = { files: 0, scripts: 0, cron_jobs: 0 };
	for (const amount of [scanner.files, scanner.database])
		Object.assign(amount, { total: 0, scanned: 0 });
}

/** Names a snapshot as the newest of its site, as one that failed is, too: what the site has backed up stays. */
export function nameLatest(site: SiteRow, { id, created_at, status }: SnapshotRow): void {
	site.backups.latest_snapshot = { id, created_at, status };
}

/** Shows a snapshot as the latest of its site, with what is in it. */
export function showLatest(site: SiteRow, snapshot: SnapshotRow): void {
	const { backups, security } = snapshot;
	nameLatest(site, snapshot);
	Object.assign(site.backups, {
		files: structuredClone(backups.files),
		database: structuredClone(backups.database),
	});
	Object.assign(site.security.scanner, {
		files: { ...security.scanner.files },
		database: { ...security.scanner.database },
	});
}

const scanned = ({ count }: BackupAmounts) => ({ total: count.total, scanned: count.total });

function measure(site: SiteRow, snapshotId: string): SnapshotRow['performance'] {
	const { enabled } = site.performance;
	if (!enabled) {
		return { enabled, score: null, load_time: null, page_size: null, total_requests: null };
	}
	const random = new Random(hashOf(snapshotId));
	return {
		enabled,
		score: random.integer(48, 99),
		load_time: random.integer(600, 5_200),
		page_size: random.integer(300_000, 5_000_000),
		total_requests: random.integer(18, 140),
	};
}
