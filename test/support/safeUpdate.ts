import type { Service } from '../../sandbox/service';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';

/** The sites that the example 01 updates: those with a tag. */

export const TAG = 'Care plan';

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
export function healthySites({ world }: Service, count: number): SiteRow[] {
	const found = world.store.sites
		.peek()
		.filter(
			({ connection, backups, locked, uptime, wp }) =>
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
