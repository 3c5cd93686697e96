import { day } from '../../engine/clock';
import { hashOf, type Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { forEachSite } from '../shared/demo';
import type { SiteRow } from '../sites/rows';
import type { SnapshotRow } from './rows';
import { beginSnapshot, completeSnapshot, failSnapshot, showLatest } from './rules';

const snapshotNotes = ['Before the redesign', 'Before the plugin updates', 'Sale starts tomorrow'];

export const seed = (world: World) =>
	forEachSite(world, 'snapshots', (site, random) => seedSnapshots(world, site, random));

/** The snapshots of the last days, up to the one that the site has as its latest. */
function seedSnapshots(world: World, site: SiteRow, random: Random): void {
	const { latest_snapshot: latest } = site.backups;
	if (!latest) return;
	const completed: SnapshotRow[] = [];
	for (let age = random.integer(3, 8); age >= 0; age--) {
		const at = Date.parse(latest.created_at) - age * day;
		if (at < Date.parse(site.created_at)) continue;
		const id = age === 0 ? latest.id : random.hex(24);
		const snapshot = seedSnapshot(world, site, random, id, at, age);
		if (snapshot.status === 'succeeded') completed.push(snapshot);
	}
	site.backups.available_snapshots = completed.length;
	const newest = completed.at(-1);
	if (newest) showLatest(site, newest);
	const { status } = world.store.snapshots.get(latest.id)!;
	site.backups.latest_snapshot = { ...latest, status };
}

function seedSnapshot(
	world: World,
	site: SiteRow,
	random: Random,
	id: string,
	at: number,
	age: number,
): SnapshotRow {
	const snapshot = beginSnapshot(world, site, {
		id,
		status: 'cancelled',
		note: random.chance(0.12) ? random.pick(snapshotNotes) : null,
		created_at: world.timestamp(at),
	});
	const { scanner } = snapshot.security;
	if (age > 1) {
		scanner.status = 'clean';
		scanner.detections = { files: 0, scripts: 0, cron_jobs: 0 };
	}
	const luck = random.next();
	if (age === 0 ? site.sync.last_sync_status === 'failed' : luck < 0.06) {
		failSnapshot(snapshot, 'The site could not be reached');
	} else if (age === 0 || luck < 0.98) {
		completeSnapshot(world, site, snapshot);
	}
	// Flags of some differ from those of the site, which may have been switched since. Source: Part C.
	if (hashOf(id, 'flags') % 5 === 0) {
		snapshot.backups.real_time = !site.backups.real_time;
		snapshot.security.enabled = !site.security.enabled;
	}
	return snapshot;
}
