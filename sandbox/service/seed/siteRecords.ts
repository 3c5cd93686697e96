import { changeContent, hashOf, tablesAt } from '../content';
import { Random } from '../random';
import type { SiteRow } from '../records';
import { logActivity } from '../siteActivity';
import type { SnapshotRow } from '../rows/snapshots';
import { beginSnapshot, completeSnapshot, showLatest } from '../snapshots';
import type { World } from '../world';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

const works: Array<[title: string, description: string]> = [
	['Checkout page reworked', 'Fewer fields, and the delivery costs are shown earlier.'],
	['Contact form repaired', 'Mails were not sent since the change of the mail server.'],
	['Pictures made smaller', ''],
	['New opening hours', 'Footer and contact page.'],
	['Translation checked', 'Spanish texts of the shop.'],
	['Accessibility review', 'Contrast, labels and the order of the tab key.'],
];
const noteTexts = [
	'Ask the owner before updating the booking plugin.',
	'The certificate is renewed by the hosting company.',
	'Staging copy wanted before the summer sale.',
	'Invoices go to the accounting office, not to the contact person.',
];
const authors = [
	{ name: 'Ines Novak', email: 'ines.novak@agency.example.com' },
	{ name: 'Jonas Weber', email: 'jonas.weber@agency.example.com' },
];
const snapshotNotes = ['Before the redesign', 'Before the plugin updates', 'Sale starts tomorrow'];
const pagePaths = ['/', '/contact', '/shop', '/about', '/?page_id=12'];

/** Gives every site its history: snapshots, logs, notes, custom works, pages and settings. */
export function seedSiteRecords(world: World): void {
	for (const site of world.store.sites.all()) {
		const random = new Random(hashOf(site.id, 'records'));
		seedContent(world, site, random);
		seedSnapshots(world, site, random);
		seedActivity(world, site, random);
		seedCustomWorks(world, site, random);
		seedNotes(world, site, random);
		seedPages(world, site, random);
		if (random.chance(0.3)) {
			world.store.siteSettings.insert({
				id: site.id,
				wp_auto_updates: { enabled: random.chance(0.7) },
				shop_db_upgrade: { enabled: random.chance(0.4) },
			});
		}
	}
}

/** What some sites leave out of their backups. */
function seedContent(world: World, site: SiteRow, random: Random): void {
	if (!random.chance(0.25)) return;
	const content = changeContent(world, site.id);
	content.marks = { './wp-content/cache/': 'skipped' };
	content.skipped_tables = [random.pick(tablesAt(world, site, world.now)).name];
}

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
		snapshot.status = 'failed';
		snapshot.error_message = 'The site could not be reached';
	} else if (age === 0 || luck < 0.98) {
		completeSnapshot(world, site, snapshot);
	}
	return snapshot;
}

function seedActivity(world: World, site: SiteRow, random: Random): void {
	if (!site.activity_logs.enabled) return;
	const range = Math.min(14 * day, world.now - Date.parse(site.created_at));
	for (let left = random.integer(3, 9); left > 0; left--) {
		logActivity(world, site, world.now - random.integer(0, range), random);
	}
}

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

function seedNotes(world: World, site: SiteRow, random: Random): void {
	if (!random.chance(0.35)) return;
	for (const content of random.sample(noteTexts, random.integer(1, 2))) {
		const user = random.pick([...authors, world.settings.currentUser]);
		const updatedAt = world.now - random.integer(hour, 90 * day);
		const createdAt = random.chance(0.3) ? updatedAt - random.integer(hour, 20 * day) : updatedAt;
		const created = world.timestamp(createdAt);
		world.store.notes.insert({
			id: random.hex(24),
			site_id: site.id,
			content,
			user: { ...user },
			created_at: created,
			updated_at: world.timestamp(updatedAt),
			internal: {
				versions:
					createdAt === updatedAt
						? []
						: [
								{
									id: random.hex(24),
									content: `${content} (to be checked)`,
									user: { ...user },
									created_at: created,
									updated_at: created,
								},
							],
			},
		});
	}
}

function seedPages(world: World, site: SiteRow, random: Random): void {
	if (!site.performance.enabled) return;
	for (const path of random.sample(pagePaths, random.integer(1, 3))) {
		const url = `${site.url}${path}`;
		world.store.importantPages.insert({ id: random.hex(24), site_id: site.id, url });
	}
}
