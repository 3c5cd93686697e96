import { visitorsSince } from '../domain/content/visitors';
import { toUtc } from '../domain/shared/recurrence';
import { notFound, unprocessable } from '../engine/errors';
import { control } from '../http/module';
import type { Module } from '../http/module';
import { formats } from '../http/schema';
import { placeOf } from './web';

/*
 * The shops of the sites: a workflow asks them what a restore of the database would take back, as it would ask the
 * interface of a real shop.
 */

export const shop: Module = {
	routes: [],
	controls: [
		control({
			method: 'GET',
			path: '/orders',
			does: 'How many orders and comments came to a site after a time and are still there, by ?url=…&since=2026-01-31T00:00:00Z. Orders lost by a restore do not count. Also answers while the page is broken or down.',
			handle({ world, query: { url, since } }) {
				const time = String(since);
				if (!formats.timestamp(time)) {
					throw unprocessable(
						'unreadable',
						'since',
						'has to be a time such as 2026-01-31T00:00:00Z',
					);
				}
				const place = placeOf(url);
				const site = world.store.sites.peek().find((each) => placeOf(each.url) === place);
				if (!site) throw notFound(`A site with the URL ${String(url)}`);
				return visitorsSince(world, site, Date.parse(toUtc(time)));
			},
		}),
	],
};
