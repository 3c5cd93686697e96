import { day, hour } from '../../engine/clock';
import { hashOf } from '../../engine/random';
import type { World } from '../../engine/world';
import { adjectives, nouns, pastTime, slug } from '../shared/demo';
import type { SiteRow } from './rows';
import { createSite, nextDaily } from './rules';

const domains = ['example.com', 'example.org', 'example.net', 'fleet.test'];
const hostings = ['Cloud Host', 'Shared Host', 'Managed Host', 'Dedicated Host'];
const phpVersions = '7.4.33,8.0.30,8.1.2,8.1.29,8.2.0,8.2.24,8.3.11,8.3.14,8.4.1'.split(',');
const mysqlVersions = ['5.7.44', '8.0.36', '8.0.40', '10.6.18-MariaDB', '10.11.8-MariaDB'];
const coreVersions = ['6.4.5', '6.5.5', '6.6.2', '6.7.1', '6.8.3', '6.8.3', '6.8.3'];
const latestCore = '6.8.3';

export function seed(world: World, size: number): void {
	const hosts = new Set<string>();
	for (let i = 0; i < size; i++) seedSite(world, hosts);
	seedCanary(world);
}

/** A tenth of the care plan gets updates first, as example 01 expects. No chance: the rest of the fleet stays the same. */
function seedCanary({ store }: World): void {
	const carePlan = store.tags.peek().find(({ name }) => name === 'Care plan')!;
	const id = store.nextNumber('tag');
	store.tags.insert({ ...carePlan, id, name: 'Canary', color: '#F9A825' });
	const cared = store.sites.all().filter(({ internal }) => internal.tag_ids.includes(carePlan.id));
	for (const [index, { internal }] of cared.entries()) {
		if (index % 10 === 0) internal.tag_ids.push(id);
	}
}

function seedSite(world: World, hosts: Set<string>): void {
	const clients = world.store.clients.peek();
	const tags = world.store.tags.peek();
	const { random } = world;
	const { title, url } = newAddress(world, hosts);
	const site = createSite(world, { url });
	site.title = title;
	site.created_at = pastTime(world, 1460 * day);
	site.internal.client_id = random.chance(0.7) ? random.pick(clients).id : null;
	site.internal.tag_ids = random.sample(tags, random.integer(0, 3)).map((tag) => tag.id);
	site.connection.status = random.chance(0.08) ? 'disconnected' : 'connected';
	site.locked = random.chance(0.03);
	site.multisite = random.chance(0.06);
	site.performance.enabled = random.chance(0.6);
	site.analytics.enabled = random.chance(0.3);
	site.activity_logs.enabled = random.chance(0.5);
	site.uptime.enabled = random.chance(0.7);
	site.uptime.status = site.uptime.enabled && random.chance(0.04) ? 'down' : 'up';
	site.server = {
		hosting: random.pick(hostings),
		mysql_version: random.pick(mysqlVersions),
		php_version: random.pick(phpVersions),
	};
	seedSync(world, site);
	seedSecurity(world, site);
	seedBackups(world, site);
	seedCore(world, site);
	site.screenshot = {
		thumbnail_url: `${url}/screenshot.png`,
		updated_at: site.sync.last_sync_at ?? site.created_at,
	};
}

function newAddress(world: World, hosts: Set<string>): { title: string; url: string } {
	const { random } = world;
	const name = `${random.pick(adjectives)} ${random.pick(nouns)}`;
	const domain = random.pick(domains);
	let title = name;
	for (let n = 2; hosts.has(`${slug(title)}.${domain}`); n++) title = `${name} ${n}`;
	const host = `${slug(title)}.${domain}`;
	hosts.add(host);
	return { title, url: `https://${host}` };
}

function seedSync(world: World, site: SiteRow): void {
	const { random } = world;
	const time = (max: number) => String(random.integer(0, max)).padStart(2, '0');
	const lastSyncAt = world.timestamp(world.clock.now() - random.integer(hour, day));
	const failed = site.connection.status === 'disconnected';
	site.sync.daily_sync_time = `${time(23)}:${time(59)}:00Z`;
	Object.assign(site.sync, {
		last_sync_at: lastSyncAt,
		next_sync_at: nextDaily(world, site.sync.daily_sync_time, world.clock.now()),
		last_sync_status: failed ? 'failed' : 'succeeded',
		last_sync_error: failed ? 'The site could not be reached' : null,
		paused: random.chance(0.05),
	});
	site.updated_at = lastSyncAt;
}

function seedSecurity(world: World, site: SiteRow): void {
	const { random } = world;
	const lastCheckAt = site.sync.last_sync_at;
	const files = random.integer(3_000, 60_000);
	const tables = random.integer(12, 140);
	Object.assign(site.security.scanner, {
		last_check_at: lastCheckAt,
		next_check_at: site.sync.next_sync_at,
		files: { total: files, scanned: files },
		database: { total: tables, scanned: tables },
	});
	site.security.enabled = random.chance(0.9);
	site.security.firewall.enabled = random.chance(0.8);
	site.security.firewall.advanced = random.chance(0.4);
	site.security.firewall.bot_protection.enabled = random.chance(0.5);
	if (site.security.enabled && random.chance(0.03)) {
		site.security.scanner.status = 'hacked';
		site.security.scanner.malware_detected_at = lastCheckAt;
		site.security.scanner.detections = {
			files: random.integer(1, 40),
			scripts: random.integer(0, 5),
			cron_jobs: random.integer(0, 2),
		};
		// What was found stays when the scanner is switched off. Source: Part C.
		site.security.enabled = hashOf(site.id, 'scanner') % 4 > 0;
	}
}

function seedBackups(world: World, site: SiteRow): void {
	const { random } = world;
	const { files, database } = site.security.scanner;
	const amounts = (total: number, ignored: number) => ({
		total,
		synced: total - ignored,
		ignored,
	});
	site.backups.enabled = random.chance(0.92);
	site.backups.real_time = site.backups.enabled && random.chance(0.2);
	site.backups.retention_days = random.pick([30, 90, 90, 180, 365]);
	site.backups.files = {
		count: amounts(files.total, random.integer(0, 200)),
		size: amounts(files.total * random.integer(20_000, 90_000), random.integer(0, 5_000_000)),
	};
	site.backups.database = {
		count: amounts(database.total, random.integer(0, 3)),
		size: amounts(database.total * random.integer(50_000, 900_000), random.integer(0, 50_000)),
	};
	if (!site.backups.enabled || !site.sync.last_sync_at) return;
	const ageDays = Math.floor((world.clock.now() - Date.parse(site.created_at)) / day);
	site.backups.available_snapshots = Math.max(1, Math.min(ageDays, site.backups.retention_days));
	site.backups.latest_snapshot = {
		id: random.hex(24),
		created_at: site.sync.last_sync_at,
		status: 'succeeded',
	};
}

function seedCore(world: World, site: SiteRow): void {
	const { random } = world;
	const current = random.pick(coreVersions);
	site.wp = {
		core: {
			current_version: current,
			latest_version: latestCore,
			update_available: current !== latestCore,
			locked: random.chance(0.04),
			vulnerable: current !== latestCore && random.chance(0.3),
		},
		default_wp_object_id: random.integer(1, 5),
	};
}
