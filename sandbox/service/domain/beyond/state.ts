import { hashOf } from '../../engine/random';
import type { World } from '../../engine/world';
import { componentsAt } from '../content/components';
import type { Component } from '../content/odd';
import type { SiteRow } from '../sites/rows';
import { type BeyondRow, secondFactors, type UserRow, userRoles } from './rows';

const usernames = ['admin', 'jo.editor', 'kim', 'robin', 'shop'];

/** The users of a site that nobody has changed; the one that the service signs in as is among them. */
function firstUsers(site: SiteRow): UserRow[] {
	const count = Math.max(site.wp.default_wp_object_id, 1 + (hashOf(site.id, 'users') % 4));
	return usernames.slice(0, count).map((username, index) => ({
		id: String(index + 1),
		username,
		email: `${username}@${new URL(site.url).hostname}`,
		role: userRoles[index]!,
		two_fa_status: secondFactors[hashOf(site.id, username) % secondFactors.length]!,
		first_name: null,
		locale: 'en_US',
		created_at: site.created_at,
		password_changed_at: null,
	}));
}

const unchanged = (site: SiteRow): BeyondRow => ({
	id: site.id,
	components: {},
	users: firstUsers(site),
	safe: [],
	ip_list: { mode: 'block', entries: [], note: null, expires_at: null },
});

/** To be looked at. */
export const stateOf = (world: World, site: SiteRow): BeyondRow =>
	world.store.beyond.get(site.id) ?? unchanged(site);

/** To be changed. */
export const changedState = ({ store }: World, site: SiteRow): BeyondRow =>
	store.beyond.get(site.id) ?? store.beyond.insert(unchanged(site));

/** The plugins or themes that a site has and that were not deleted. */
export function installed(world: World, site: SiteRow, kind: Component['kind']): Component[] {
	const { components } = stateOf(world, site);
	return componentsAt(world, site, world.now).filter(
		(each) => each.kind === kind && !components[each.file]?.deleted,
	);
}
