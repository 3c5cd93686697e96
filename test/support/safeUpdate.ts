import type { Service } from '../../sandbox/service';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import { having, type Examples } from './examples';

/** The example 01 with what it calls, and the sites that it updates: those with a tag. */

export const TAG = 'Care plan';

/** How long 01e waits before it looks at the pages once more, in tests. */
export const LATE_SECONDS = 5;

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

/** Sites on which everything goes well, unless a test makes it otherwise; others in each test. */
export function healthySites(
	{ world }: Service,
	count: number,
	without: ReadonlySet<string> = new Set(),
): SiteRow[] {
	const found = world.store.sites
		.peek()
		.filter(
			({ id, connection, backups, locked, uptime, wp }) =>
				!without.has(id) &&
				connection.status === 'connected' &&
				backups.enabled &&
				!locked &&
				uptime.status === 'up' &&
				wp.core.update_available &&
				!wp.core.locked,
		)
		.slice(0, count);
	expect(found).toHaveLength(count);
	return found;
}

/** Adds the example and its sub-workflows. The service's time passes faster: the run is there after some seconds. */
export async function addSafeUpdate({ add }: Examples): Promise<string> {
	await add('01a-check-pages.json');
	await add('01b-update-once.json', having('Wait half a minute', { amount: 1 }));
	await add('01c-take-back-the-culprit.json');
	await add('01d-ask-a-person.json');
	const soon = having('Wait a minute', { amount: LATE_SECONDS / 10, unit: 'seconds' });
	await add('01e-update-a-wave.json', soon);
	return await add('01-safe-update.json');
}
