import type { Scope } from '../domain/backups/rules';
import { harmOf } from '../domain/content/flaws';
import { fatalErrorOf, phpBreakOf } from '../domain/content/phpBreaks';
import { notFound, unprocessable } from '../engine/errors';
import type { Row } from '../engine/store';
import { Collection } from '../engine/store';
import type { World } from '../engine/world';
import { control, WebPage } from '../http/module';
import type { Module } from '../http/module';
import { boolean, integer, limited, object, optional, string } from '../http/schema';

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
		/** Those that answer nobody, by name. */
		hostsDown: Collection<Row>;
	}
}

/** Host and path, alike for all ways to write them. */
export const placeOf = (url: unknown) =>
	String(url)
		.replace(/^https?:\/\//i, '')
		.replace(/\/+$/, '')
		.toLowerCase();

const stagingOf = (siteId: string) => `staging of ${siteId}`;

/** What a visitor of an address meets; undefined where there is nothing. */
function pageAt(world: World, address: unknown) {
	const { store } = world;
	const place = placeOf(address);
	const isThere = ({ url }: { url: string }) => placeOf(url) === place;
	const site = store.sites.peek().find(isThere) ?? siteWithPage(world, place);
	if (site) {
		const isUp = site.uptime.status === 'up' && !store.hostsDown.get(site.server.hosting);
		const path = place.slice(placeOf(site.url).length);
		const fails = phpBreakOf(world, site, site.server.php_version, path);
		return { brokenAs: site.id, title: site.title, isUp, harm: harmOf(world, site), fails };
	}
	const [host = ''] = place.split('/', 1);
	const staging = store.stagingSites.peek().find(({ url }) => placeOf(url) === host);
	const live = staging && store.sites.peek().find(({ id }) => id === staging.site_id);
	const path = place.slice(host.length);
	if (!live || (path && !siteWithPage(world, `${placeOf(live.url)}${path}`))) return undefined;
	return {
		brokenAs: stagingOf(live.id),
		title: `Staging site of ${live.title}`,
		isUp: staging.status === 'active',
		fails: phpBreakOf(world, live, staging.php_version, path),
	};
}

/** The site that has this as one of its important pages. */
function siteWithPage({ store }: World, place: string) {
	const page = store.importantPages.peek().find(({ url }) => placeOf(url) === place);
	return page && store.sites.peek().find(({ id }) => id === page.site_id);
}

/** By all of its files: what was broken by hand is in none of its folders. */
const isRestored = ({ store }: World, siteId: string, since: string) =>
	store.tasks
		.peek()
		.some(
			({ type, status, created_at: at, details, internal }) =>
				type === 'restore' &&
				status === 'completed' &&
				at >= since &&
				!(internal.payload.scope as Scope | undefined)?.paths &&
				details.sites.some(({ id }) => id === siteId),
		);

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const shown = (status: number, text: string, more = '') =>
	new WebPage(
		status,
		`<!doctype html><html lang="en"><title>${escaped(text)}</title><h1>${escaped(text)}</h1>${more}</html>\n`,
	);

const repaired = 200;
/** The page is fine, or answers with an error. */
const statuses = [repaired, ...Array.from({ length: 200 }, (_, index) => 400 + index)];

/** The break of a page that lasts, if there is one. */
function breakOf(world: World, id: string): BrokenPageRow | undefined {
	const broken = world.store.brokenPages.peek().find((each) => each.id === id);
	return broken && !isRestored(world, broken.site_id, broken.since) ? broken : undefined;
}

/** What visitors of a site and of its staging sites get, where a page was broken. */
const breaksOf = (world: World, siteId: string) => ({
	site_id: siteId,
	status: breakOf(world, siteId)?.status ?? repaired,
	staging_status: breakOf(world, stagingOf(siteId))?.status ?? repaired,
});

/** Where the sites are, by name; a site whose host is not known is nowhere. */
function hostsOf({ store }: World) {
	const names = store.sites.peek().map(({ server }) => server.hosting);
	return [...new Set(names)]
		.filter(Boolean)
		.sort()
		.map((hosting) => ({
			hosting,
			down: Boolean(store.hostsDown.get(hosting)),
			sites: names.filter((name) => name === hosting).length,
		}));
}

export const web: Module = {
	routes: [],
	collections: () => ({ brokenPages: new Collection(), hostsDown: new Collection() }),
	controls: [
		control({
			method: 'GET',
			path: '/web',
			does: 'The page of a site or a staging site as its visitors see it, by ?url=…; status 503 while the site is down',
			handle({ world, query }) {
				const page = pageAt(world, query.url);
				if (!page) return shown(404, 'This site does not exist');
				const broken = breakOf(world, page.brokenAs);
				if (broken) return shown(broken.status, 'There has been a critical error on this website');
				if (!page.isUp) return shown(503, 'Service unavailable');
				if (page.harm === 'error' || page.fails?.hides)
					return shown(500, 'There has been a critical error on this website');
				if (page.fails) return shown(200, page.title, fatalErrorOf(page.fails));
				return page.harm === 'empty' ? new WebPage(200, '') : shown(200, page.title);
			},
		}),
		control({
			method: 'GET',
			path: '/web/{site_id}',
			does: 'Whether the page of a site is broken, and the pages of its staging sites: the status of each, 200 if not',
			handle({ world, params: { site_id: id = '' } }) {
				if (!world.store.sites.get(id)) throw notFound(`The site ${id}`);
				return breaksOf(world, id);
			},
		}),
		control({
			method: 'POST',
			path: '/web',
			does: 'Breaks the page of a site, or the pages of its staging sites, until the site is restored: {"site_id", "status": 500, "staging"?: true}. Status 200 repairs it',
			body: object({
				site_id: string,
				status: limited(integer, { enum: statuses }),
				staging: optional(boolean),
			}),
			handle({ world, body: { site_id, status, staging } }) {
				const { sites, brokenPages } = world.store;
				if (!sites.get(site_id)) throw unprocessable('not_found', 'site_id', 'is not a site');
				const id = staging ? stagingOf(site_id) : site_id;
				if (status === repaired) brokenPages.delete(id);
				else brokenPages.insert({ id, site_id, status, since: world.timestamp() });
				return breaksOf(world, site_id);
			},
		}),
		control({
			method: 'GET',
			path: '/hosts',
			does: 'The hosts of the sites: how many sites each has, and whether its pages are down',
			handle: ({ world }) => ({ hosts: hostsOf(world) }),
		}),
		control({
			method: 'POST',
			path: '/hosts',
			does: 'Takes all pages of a host down or brings them up, by its name in the record of a site (server.hosting): {"hosting", "down": true}',
			body: object({ hosting: string, down: boolean }),
			handle({ world, body: { hosting, down } }) {
				const find = () => hostsOf(world).find((host) => host.hosting === hosting);
				if (!find()) throw unprocessable('not_found', 'hosting', 'is the host of no site');
				const { hostsDown } = world.store;
				if (down) hostsDown.insert({ id: hosting });
				else hostsDown.delete(hosting);
				return find();
			},
		}),
	],
};
