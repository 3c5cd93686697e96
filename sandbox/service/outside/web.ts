import { unprocessable } from '../engine/errors';
import type { Row } from '../engine/store';
import { Collection } from '../engine/store';
import type { World } from '../engine/world';
import { control, WebPage } from '../http/module';
import type { Module } from '../http/module';
import { atLeast, boolean, limited, object, optional, string } from '../http/schema';

/*
 * The pages of the sites, as a visitor sees them: the addresses of the demo fleet lead nowhere, and workflows look at
 * a page from outside after an update or a restore.
 */

/** A page, or those of all staging sites of a site, with an error as the answer until the site is restored. */
interface BrokenPageRow extends Row {
	site_id: string;
	status: number;
	since: string;
}

declare module '../engine/store' {
	interface Collections {
		brokenPages: Collection<BrokenPageRow>;
	}
}

/** Host and path, alike for all ways to write them. */
const placeOf = (url: unknown) =>
	String(url)
		.replace(/^https?:\/\//i, '')
		.replace(/\/+$/, '')
		.toLowerCase();

const stagingOf = (siteId: string) => `staging of ${siteId}`;

/** What a visitor of an address meets; undefined where there is nothing. */
function pageAt({ store }: World, address: unknown) {
	const place = placeOf(address);
	const isThere = ({ url }: { url: string }) => placeOf(url) === place;
	const site = store.sites.peek().find(isThere);
	if (site) return { brokenAs: site.id, title: site.title, isUp: site.uptime.status === 'up' };
	const staging = store.stagingSites.peek().find(isThere);
	if (!staging) return undefined;
	const live = store.sites.peek().find(({ id }) => id === staging.site_id);
	return {
		brokenAs: stagingOf(staging.site_id),
		title: `Staging copy of ${live?.title}`,
		isUp: staging.status === 'active',
	};
}

const isRestored = ({ store }: World, siteId: string, since: string) =>
	store.tasks
		.peek()
		.some(
			({ type, status, created_at: at, details }) =>
				type === 'restore' &&
				status === 'completed' &&
				at >= since &&
				details.sites.some(({ id }) => id === siteId),
		);

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const shown = (status: number, text: string) =>
	new WebPage(
		status,
		`<!doctype html><html lang="en"><title>${escaped(text)}</title><h1>${escaped(text)}</h1></html>\n`,
	);

export const web: Module = {
	routes: [],
	collections: () => ({ brokenPages: new Collection() }),
	controls: [
		control({
			method: 'GET',
			path: '/web',
			does: 'The page of a site or a staging site as a visitor sees it, by ?url=…: 503 while it is down',
			handle({ world, query }) {
				const page = pageAt(world, query.url);
				if (!page) return shown(404, 'There is no such site');
				const broken = world.store.brokenPages.peek().find(({ id }) => id === page.brokenAs);
				if (broken && !isRestored(world, broken.site_id, broken.since))
					return shown(broken.status, 'There has been a critical error on this website');
				return page.isUp ? shown(200, page.title) : shown(503, 'Service unavailable');
			},
		}),
		control({
			method: 'POST',
			path: '/web',
			does: 'Breaks the page of a site, or those of its staging sites, until the site is restored: {"site_id", "status": 500, "staging"?: true}',
			body: object({
				site_id: string,
				status: limited(atLeast(400), { maximum: 599 }),
				staging: optional(boolean),
			}),
			handle({ world, body: { site_id, status, staging } }) {
				const { sites, brokenPages } = world.store;
				if (!sites.get(site_id)) throw unprocessable('not_found', 'site_id', 'is no site');
				const id = staging ? stagingOf(site_id) : site_id;
				return brokenPages.insert({ id, site_id, status, since: world.timestamp() });
			},
		}),
	],
};
