import { type IDataObject, NodeApiError } from 'n8n-workflow';
import { listAll, pageOf } from '../shared/client/records';
import { accountOf } from '../shared/client/request';
import { WrongAnswer } from '../shared/receive/answer';
import type { CallContext } from '../shared/n8n/context';
import { clock, HOUR_MS, instantOf, perRecord, recordIn, recordsIn, valueAt } from '../shared/lib';
import type { Row } from './find';

/** The components of sites by the service's own lists, which an account may not have. Source: Part D. */

const LISTS = { plugin: '/sites/wp/plugins', theme: '/sites/wp/themes' } as const;

const ONLY_LISTS = 'The lists of the service have no must-use plugins and drop-ins';

/** Statuses of an address that the service does not know. */
const NOT_THERE = ['400', '403', '404', '405', '410', '422'];

/** Most sites that a request names; for more, all sites of the account are read. */
const NAMED = 50;

/** Until when an account counts as one without the lists. */
const known = perRecord<object, { until: number }>(() => ({ until: 0 }));

/** The lists do not answer as lists of components; the reason is the message. */
export class NoLists extends Error {}

/**
 * The rows of these sites; one with a reason for a site of which the lists do not show what it has now.
 * @param kinds to read; empty for all that the lists have
 * @throws NoLists if the account has no such lists, they lack a kind, or they are not recognisable
 */
export async function componentsByService(context: CallContext, sites: Row[], kinds: string[]) {
	if (kinds.some((kind) => !(kind in LISTS))) throw new NoLists(ONLY_LISTS);
	const { limiter } = await accountOf(context);
	const memory = known(limiter.account);
	if (clock.now() < memory.until) throw new NoLists(NOT_KNOWN);
	const ids = sites.map(({ site_id: id }) => id);
	const asked = [listOf(context, 'plugin', ids), listOf(context, 'theme', ids)];
	const lists = await Promise.all(asked).catch((error: unknown) => {
		if (error instanceof NoLists) memory.until = clock.now() + HOUR_MS;
		throw error;
	});
	return sites.flatMap((site) => {
		const parts = lists.map((list) => list(site.site_id));
		const rows = parts.flatMap((part) => part ?? []);
		// Every site has a theme.
		const isListed = rows.length > 0 && !parts.includes(undefined);
		const reason = site.is_disconnected ? MAY_BE_OLD : NOT_LISTED;
		const known = isListed && !site.is_disconnected ? rows : [{ reason }];
		// The service has read the site at its last sync, as far as is known.
		const at = Math.min(limiter.now(), instantOf(site.synced_at) || Infinity);
		const of = { as_of: new Date(at).toISOString(), source: 'service' };
		return known.map((row) => ({ ...site, ...row, ...of }));
	});
}

const MAY_BE_OLD = 'The site is disconnected, so the lists of the service may be old';
const NOT_LISTED = 'The lists of the service do not show its plugins and themes';

const NOT_KNOWN = 'The service has no lists of plugins and themes';

/**
 * Returns what gives the rows of a site in one list; undefined for a site that the list does not show.
 * @throws NoLists only if a request that names no sites shows it: others depend on the sites that they name
 */
async function listOf(context: CallContext, kind: keyof typeof LISTS, ids: string[]) {
	if (ids.length > NAMED) return await readList(context, kind);
	return await readList(context, kind, ids).catch(async (error: unknown) => {
		if (!(error instanceof NoLists)) throw error;
		return await readList(context, kind);
	});
}

function notRecognized(url: string, error: unknown): never {
	if (!(error instanceof WrongAnswer)) throw error;
	throw new NoLists(`The list ${url} was not recognized: it is ${error.message}`);
}

/** @param ids sites to name @throws NoLists; NodeApiError also where no answer came, which says nothing of the lists */
async function readList(context: CallContext, kind: keyof typeof LISTS, ids?: string[]) {
	const url = LISTS[kind];
	const qs = { include_vulnerabilities: true, ...(ids && { site_ids: ids }) };
	// Only Sites filters by site, because the path names none.
	const does = { effects: ['reads' as const], touches: 'noSite' as const };
	const list = { url, qs, does };
	const sites = await listAll(context, list, {
		pageIn(answer, asked) {
			try {
				return pageOf('sites', answer, asked);
			} catch (error) {
				return notRecognized(url, error);
			}
		},
		shape: ({ id, wp }) => ({ id, wp }),
	}).catch((error: unknown) => {
		const isGone = error instanceof NodeApiError && NOT_THERE.includes(String(error.httpCode));
		throw isGone ? new NoLists(NOT_KNOWN) : error;
	});
	const shown = sites.flatMap(({ id, wp }) => {
		const components = valueAt(wp, `${kind}s`);
		return Array.isArray(components) ? [[String(id), recordsIn(components)] as const] : [];
	});
	if (shown.length === 0) throw new NoLists(`The list ${url} shows ${kind}s of none of the sites`);
	const all = shown.flatMap(([, components]) => components);
	if (all.length > 0 && all.every((each) => !versionOf(each))) {
		throw new NoLists(`The list ${url} has no versions`);
	}
	const bySite = new Map(shown);
	return (id: string) => bySite.get(id)?.map((each) => rowOf(kind, each));
}

const textOf = (value: unknown) =>
	['string', 'number'].includes(typeof value) ? String(value) : '';

const versionOf = (component: IDataObject) =>
	textOf(component.current_version ?? component.version);

const flagOf = (value: unknown) => (typeof value === 'boolean' ? value : null);

/** A row for a component of the list. A plugin of one file has its file name as slug. */
function rowOf(kind: keyof typeof LISTS, component: IDataObject): IDataObject {
	const { slug, name, filename, security } = component;
	const base = textOf(slug);
	const main = textOf(filename) || (kind === 'theme' ? 'style.css' : `${base}.php`);
	const isFile = /\.php$/i.test(base);
	const vulnerable = valueAt(security, 'vulnerable');
	return {
		...{ kind, name: textOf(name) || base, folder: isFile ? '' : base },
		file: isFile || main.includes('/') ? main : `${base}/${main}`,
		version: versionOf(component),
		latest_version: textOf(component.latest_version) || null,
		active: flagOf(component.active),
		vulnerable: flagOf(vulnerable),
		vulnerabilities: vulnerabilitiesIn(recordIn(security)),
	};
}

/** What is known of each vulnerability, the worst first; null if the service does not say. */
function vulnerabilitiesIn({ vulnerabilities, vulnerable }: IDataObject): IDataObject[] | null {
	if (!Array.isArray(vulnerabilities)) return null;
	const found = recordsIn(vulnerabilities).map((each) => ({
		title: each.title ?? null,
		cve_id: each.cve_id ?? null,
		cvss_score: each.cvss_score ?? null,
		cvss_rating: each.cvss_rating ?? null,
		fixed_in: each.patched_version ?? null,
	}));
	// An empty list says "none" only if the service says so as well.
	if (found.length === 0 && vulnerable !== false) return null;
	return found.sort((a, b) => Number(b.cvss_score ?? 0) - Number(a.cvss_score ?? 0));
}
