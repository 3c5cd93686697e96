import type { Service } from '../../sandbox/service';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import { having, type Examples, type Several } from './examples';
import { activate } from './n8n';

/** The example 01 with what it calls, and the sites that it updates: those with a tag. */

export const TAG = 'Care plan';

/** What is sent while waiting depends on how long that takes. */
export const isLook = (request: string) =>
	/^GET \/(tasks|auto-update-history|sites\/\w+\/snapshots\/)/.test(request);

export const tagNamed = ({ world }: Service, wanted: string) =>
	world.store.tags.peek().find(({ name }) => name === wanted);

/** Lets only these sites have the tag. */
export function tagOnly(service: Service, sites: SiteRow[]): void {
	const { id } = tagNamed(service, TAG)!;
	for (const { internal } of service.world.store.sites.peek()) {
		internal.tag_ids = internal.tag_ids.filter((each) => each !== id);
	}
	for (const { internal } of sites) internal.tag_ids.push(id);
}

/** Adds a tag. @returns its ID */
export function addTag({ world }: Service, name: string): string {
	const id = world.store.nextNumber('tag');
	const times = { created_at: world.timestamp(), updated_at: world.timestamp() };
	return world.store.tags.insert({ id, name, color: null, ...times }).id;
}

/** Gives a site as many tags as the service allows. */
export function fillTags(service: Service, { id, internal: { tag_ids: tags } }: SiteRow): void {
	const { tagsPerSite } = service.world.settings;
	while (tags.length < tagsPerSite) tags.push(addTag(service, `Tag ${tags.length} of ${id}`));
}

export const backedUpSites = ({ world }: Service): SiteRow[] =>
	world.store.sites
		.peek()
		.filter(
			({ backups, connection, locked }) =>
				backups.enabled && connection.status === 'connected' && !locked,
		);

/** Those of them that can be updated and work. */
export const wellSites = (service: Service): SiteRow[] =>
	backedUpSites(service).filter(
		({ security, uptime, wp }) =>
			security.scanner.status !== 'hacked' && uptime.status === 'up' && !wp.core.locked,
	);

/** Sites on which everything goes well, unless a test makes it otherwise; others in each test. */
export function healthySites(
	service: Service,
	count: number,
	without: ReadonlySet<string> = new Set(),
): Several {
	const found = wellSites(service)
		.filter(({ id, wp }) => !without.has(id) && wp.core.update_available)
		.slice(0, count);
	expect(found).toHaveLength(count);
	return found as Several;
}

/** Adds the example and its sub-workflows. The service's time passes faster: the run is there after some seconds. */
export async function addSafeUpdate({ add, service }: Examples): Promise<string> {
	// Each test chooses the first wave.
	const canary = tagNamed(service, 'Canary')!.id;
	for (const { internal } of service.world.store.sites.peek()) {
		internal.tag_ids = internal.tag_ids.filter((tag) => tag !== canary);
	}
	await add('01a-check-pages.json');
	await add('01b-update-once.json');
	await add('01c-take-back-the-culprit.json');
	await add('01d-ask-a-person.json');
	await add('01f-repair-a-site.json');
	const soon = { amount: 0.5, unit: 'seconds' };
	await add('01e-update-a-wave.json', having({ 'Wait a minute': soon }));
	return await add('01-safe-update.json');
}

/** Adds example 02, which calls 01, with its sub-workflows. @returns the id of the inventory */
export async function addVulnerability({ add, n8n: { rest } }: Examples): Promise<string> {
	await activate(rest, 'safeUpdate000001');
	await activate(rest, await add('02-known-vulnerability.json'));
	await activate(rest, await add('02b-take-reports-of-a-feed.json'));
	return await add('02a-keep-the-inventory.json');
}
