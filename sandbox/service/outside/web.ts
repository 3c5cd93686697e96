import { unprocessable } from '../engine/errors';
import type { Row } from '../engine/store';
import { Collection } from '../engine/store';
import type { World } from '../engine/world';
import { control, WebPage } from '../http/module';
import type { Module } from '../http/module';
import { atLeast, limited, object, string } from '../http/schema';

/*
 * The pages of the sites, as a visitor sees them: the addresses of the demo fleet lead nowhere, and workflows look at
 * a page from outside after an update or a restore.
 */

/** A page that answers with an error until its site is restored. */
interface BrokenPageRow extends Row {
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

const pages = (world: World) => [
	...world.store.sites.peek().map(({ id, title, url, uptime }) => ({
		url,
		siteId: id,
		title,
		isUp: uptime.status === 'up',
	})),
	...world.store.stagingSites.peek().map(({ id, site_id: siteId, url, status }) => ({
		url,
		siteId: id,
		title: `Staging copy of ${world.store.sites.peek().find((site) => site.id === siteId)?.title}`,
		isUp: status === 'active',
	})),
];

const pageAt = (world: World, url: unknown) =>
	pages(world).find((page) => placeOf(page.url) === placeOf(url));

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
				const broken = world.store.brokenPages.peek().find(({ id }) => id === page.siteId);
				if (broken && !isRestored(world, broken.id, broken.since))
					return shown(broken.status, 'There has been a critical error on this website');
				return page.isUp ? shown(200, page.title) : shown(503, 'Service unavailable');
			},
		}),
		control({
			method: 'POST',
			path: '/web',
			does: 'Breaks the page of a site until the site is restored: {"site_id", "status": 500}',
			body: object({ site_id: string, status: limited(atLeast(400), { maximum: 599 }) }),
			handle({ world, body: { site_id: id, status } }) {
				if (!world.store.sites.get(id)) throw unprocessable('not_found', 'site_id', 'is no site');
				return world.store.brokenPages.insert({ id, status, since: world.timestamp() });
			},
		}),
	],
};
