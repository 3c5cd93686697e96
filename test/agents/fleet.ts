import type { World } from '../../sandbox/service';
import type { ClientRow } from '../../sandbox/service/domain/clients/rows';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import { nameLatest } from '../../sandbox/service/domain/snapshots/rules';
import type { TeamMemberRow } from '../../sandbox/service/domain/teamMembers/rows';

/** The fleet that the requests are about: that of the sandbox, with a few people, clients and tags besides. */

/** Its time, a Sunday. */
export const NOW = '2026-03-01T12:00:00.000Z';

/** What its records are called, and where they are. */
export class AgencyFleet {
	constructor(readonly world: World) {}

	get store(): World['store'] {
		return this.world.store;
	}

	site(host: string): SiteRow {
		return found(host, this.store.sites.peek(), ({ url }) => url === `https://${host}`);
	}

	sites(chosen: (site: SiteRow) => boolean): SiteRow[] {
		return this.store.sites.peek().filter(chosen);
	}

	client(company: string): ClientRow {
		return found(company, this.store.clients.peek(), (each) => each.company_name === company);
	}

	person(name: string): TeamMemberRow {
		return found(name, this.store.teamMembers.peek(), (each) => each.name === name);
	}

	tag(name: string) {
		return found(name, this.store.tags.peek(), (each) => each.name === name);
	}

	schedule(name: string) {
		return found(name, this.store.autoUpdateSchedules.peek(), (each) => each.name === name);
	}

	stagingSiteOf(host: string) {
		const { id } = this.site(host);
		return found(host, this.store.stagingSites.peek(), ({ site_id: site }) => site === id);
	}

	addTag(name: string): void {
		const at = this.world.timestamp();
		const id = this.store.nextNumber('tag');
		this.store.tags.insert({ id, name, color: null, created_at: at, updated_at: at });
	}

	addPerson(name: string, more: Partial<TeamMemberRow>): void {
		const at = this.world.timestamp();
		this.store.teamMembers.insert({
			id: this.world.random.hex(24),
			name,
			email: `${name.toLowerCase().replace(' ', '.')}@agency.example.org`,
			company_name: '',
			note: '',
			role: 'collaborator',
			status: 'connected',
			all_sites_access: false,
			site_ids: [],
			two_fa_enabled: false,
			created_at: at,
			updated_at: at,
			...more,
		});
	}

	addNote(host: string, content: string): void {
		const at = this.world.timestamp();
		this.store.notes.insert({
			id: this.world.random.hex(24),
			site_id: this.site(host).id,
			content,
			user: { name: 'Jonas Weber', email: 'jonas.weber@agency.example.com' },
			created_at: at,
			updated_at: at,
			internal: { versions: [] },
		});
	}

	addActivity(host: string, username: string, timestamp: string, what: Record<string, string>) {
		this.store.activityLogs.insert({
			id: this.world.random.hex(24),
			site_id: this.site(host).id,
			username,
			ip_address: '192.0.2.77',
			country_code: 'DE',
			object_type: 'plugin',
			event_type: 'deactivated',
			event_details: what,
			timestamp,
		});
	}

	/** Leaves a site without a good backup since a time. */
	ageBackups(host: string, since: string): void {
		const site = this.site(host);
		const { snapshots } = this.store;
		for (const { id, created_at: at, status } of snapshots.ofSite(site.id)) {
			if (at >= since && status === 'succeeded') snapshots.delete(id);
		}
		const [newest] = snapshots
			.ofSite(site.id)
			.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
		site.backups.latest_snapshot = newest
			? { id: newest.id, created_at: newest.created_at, status: newest.status }
			: null;
	}

	failNewestBackup(host: string): void {
		const site = this.site(host);
		const snapshot = this.store.snapshots.get(site.backups.latest_snapshot!.id)!;
		snapshot.status = 'failed';
		nameLatest(site, snapshot);
	}

	/** Adds a recipient to the newest report of a site, who has marked it as spam. */
	markAsSpam(host: string, email: string): void {
		const { id } = this.site(host);
		const [report] = this.store.reports
			.all()
			.filter((each) => each.site.id === id)
			.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
		const at = report!.created_at;
		const times = { sent_at: at, delivered_at: at, opened_at: null };
		report!.email.recipients.push({ email, status: 'spam', ...times });
	}

	rename(host: string, title: string, newHost: string): void {
		const site = this.site(host);
		Object.assign(site, { title, url: `https://${newHost}`, home_url: `https://${newHost}` });
	}
}

function found<T>(name: string, rows: readonly T[], is: (row: T) => boolean): T {
	const row = rows.find(is);
	if (!row) throw new Error(`The fleet has no ${name}`);
	return row;
}

/** What all requests find. */
export function prepareFleet(world: World): void {
	const fleet = new AgencyFleet(world);
	fleet.client('Misty Films').company_name = 'Acme';
	fleet.client('Copper Museum').company_name = 'Miller Furniture';
	fleet.rename('early-shop.example.net', 'Miller Shop', 'shop.miller.example.com');
	fleet.rename('lively-books.example.com', 'Miller Furniture', 'www.miller.example.com');
	fleet.ageBackups('crisp-yoga.example.net', '2026-02-20');
	fleet.ageBackups('olive-events.example.com', '2026-02-21');
	fleet.addTag('Spring clean');
	fleet.addPerson('Noah Klein', {
		note: 'Intern until the end of March',
		site_ids: fleet.sites(({ id }) => id < '3').map(({ id }) => id),
	});
}
