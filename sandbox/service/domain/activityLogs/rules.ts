import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import type { ActivityLogRow } from './rows';

type Happening = Pick<ActivityLogRow, 'object_type' | 'event_type' | 'event_details'>;

const happening = (
	object_type: Happening['object_type'],
	event_type: Happening['event_type'],
	event_details: Happening['event_details'] = {},
): Happening => ({ object_type, event_type, event_details });

const happenings = [
	happening('user', 'login'),
	happening('user', 'login'),
	happening('user', 'logout'),
	happening('user', 'password_reset'),
	happening('post', 'published', { title: 'Opening hours in the holidays' }),
	happening('post', 'edited', { title: 'About us' }),
	happening('post', 'trashed', { title: 'Old price list' }),
	happening('comment', 'approved'),
	happening('comment', 'spammed'),
	happening('menu', 'updated', { name: 'Main menu' }),
	happening('plugin', 'activated', { name: 'Contact Forms' }),
	happening('plugin', 'updated', { name: 'Page Cache', version: '3.2.1' }),
	happening('plugin', 'deactivated', { name: 'Image Slider' }),
	happening('theme', 'changed', { name: 'Magazine' }),
	happening('wp_core', 'updated', { version: '6.8.3' }),
	happening('files', 'modified', { path: './wp-content/debug.log' }),
	happening('shop_order', 'status_changed', { order: '1042', status: 'completed' }),
	happening('user_profile', 'updated'),
];
const people: Array<[username: string, address: string, country: string]> = [
	['admin', '192.0.2.10', 'DE'],
	['editor', '192.0.2.44', 'DE'],
	['maria', '198.51.100.7', 'ES'],
	['shop-manager', '198.51.100.23', 'US'],
	['support', '203.0.113.80', 'GB'],
];

/** Logs that somebody did something on a site, at a time in milliseconds. */
export function logActivity(
	world: World,
	site: SiteRow,
	at = world.now,
	random: Random = world.random,
): ActivityLogRow {
	const [username, ip_address, country_code] = random.pick(people);
	const { event_details, ...what } = random.pick(happenings);
	return world.store.activityLogs.insert({
		id: random.hex(24),
		site_id: site.id,
		username,
		ip_address,
		country_code,
		...what,
		event_details: { ...event_details },
		timestamp: world.timestamp(at),
	});
}
