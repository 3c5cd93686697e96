import type { IDataObject } from 'n8n-workflow';
import type { Deed } from '../access/deed';
import { isAlsoAllowed, Refused } from '../access/deed';
import { HARMFUL } from '../access/effects';
import type { Limits } from '../access/limits';
import { allowedBy } from '../access/limits';
import type { About, Does } from '../access/touches';
import type { Account } from '../input/credential';
import { SiteUrl } from '../input/id';
import { isRecord, recordsIn, valueAt } from '../lib/records';
import type { ApiRequest, CallContext } from '../n8n/context';
import { CREDENTIAL } from '../n8n/context';
import { listsIn, replacedIn } from '../receive/dropped';
import { clock } from './clock';
import { sharedReads } from './sharedReads';

/** Reads a record, or a page of a list, for nothing but the limits. */
export type Look = (path: string, qs?: IDataObject) => Promise<unknown>;

/** Where records name their sites, by their collection. Source: Part A, 2. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
	sites: ['id'],
	clients: ['site_ids'],
	tags: ['site_ids'],
	'report-templates': ['site_ids'],
	'team-members': ['site_ids', 'all_sites_access'],
	reports: ['site.id'],
	'scheduled-reports': ['site.id'],
	'staging-sites': ['site_id'],
	'auto-update-schedules': ['scope.sites'],
	'auto-update-history': ['sites.id'],
	tasks: ['input.sites.id', 'details.sites.id'],
};

type Sites = readonly string[] | 'all';

/** Any other text, such as a list in a text or `all`, may name several. */
const isId = (value: unknown): value is string =>
	typeof value === 'string' && /^(?!(all|true)$)[\w-]+$/i.test(value.trim());

/** The sites that a value names: an id, a list of them, `{ selection, ids }`, or true for all. Undefined: any other. */
function sitesIn(value: unknown): Sites | undefined {
	if (value === undefined || value === null || value === false) return [];
	if (value === true) return 'all';
	const ids: unknown[] = Array.isArray(value) ? value : [value];
	if (ids.every(isId)) return ids.map((id) => id.toLowerCase());
	if (!isRecord(value) || value.selection === undefined) return undefined;
	return value.selection === 'specific' ? sitesIn(value.ids) : 'all';
}

/** The sites at places of a record or a body; undefined where one of them is of an unknown form. */
function sitesAt(value: IDataObject, places: readonly string[]): Sites | undefined {
	const found: string[] = [];
	let isKnown = true;
	for (const place of places) {
		const sites = sitesIn(valueAt(value, place));
		if (sites === 'all') return 'all';
		if (sites) found.push(...sites);
		else isKnown = false;
	}
	return isKnown ? found : undefined;
}

const sitesOf = (collection: string, record: unknown): Sites | undefined =>
	isRecord(record) ? sitesAt(record, PLACES[collection] ?? []) : undefined;

/** Sites of an unknown form may be any. */
const together = (...all: Array<Sites | undefined>): Sites =>
	all.every((each) => Array.isArray(each)) ? all.flat() : 'all';

const segmentsOf = (url: string) => url.split('/').slice(1) as [string, ...string[]];

/** The site that a path names. */
function siteOfPath(url: string): string[] {
	const [collection, id] = segmentsOf(url);
	return collection === 'sites' && id ? [decodeURIComponent(id).toLowerCase()] : [];
}

/** The sites of each record that a request changes, as they are now. */
async function sitesBefore(
	{ record, records }: About,
	{ url, body = {} }: ApiRequest,
	look: Look,
): Promise<Array<Sites | undefined>> {
	const [collection, id = ''] = segmentsOf(url);
	const named = records ? (idsAt(body, records) ?? []).map(encodeURIComponent) : [];
	const ids = record ? [id] : named;
	return await Promise.all(
		ids.map(async (each) => sitesOf(collection, await look(`/${collection}/${each}`))),
	);
}

/** What is sent beside the login of a site. Source: Part B, 4.6. */
const HTTP_AUTH = ['username', 'password'];

/** Where a copy of a site is written to; undefined where that is no site of the account. */
async function sitesWritten(to: IDataObject, look: Look): Promise<string[] | undefined> {
	const { connection, destination_url: url, type } = to;
	const { method = 'http', credentials = {} } = (connection ?? {}) as IDataObject;
	const isOwn = Object.entries(credentials as IDataObject).every(
		([name, value]) =>
			name === 'http_auth' &&
			(value === null || Object.keys(value as object).every((key) => HTTP_AUTH.includes(key))),
	);
	if (method !== 'http' || !isOwn) return undefined;
	if (url === undefined) return [];
	if (type !== 'internal') return undefined;
	const read = async (qs: IDataObject): Promise<IDataObject[]> => {
		const sites = new Map<unknown, IDataObject>();
		for (let page = 1, known = -1; sites.size > known; page++) {
			known = sites.size;
			const more = recordsIn(await look('/sites', { ...qs, page, perPage: 100 }));
			for (const site of more) sites.set(site.id, site);
		}
		return [...sites.values()];
	};
	const there = (await SiteUrl.parse(String(url))?.among(read))?.there ?? [];
	return there.length > 0 ? there.map(({ id }) => String(id).toLowerCase()) : undefined;
}

/** A list of ids; undefined where there is another thing. */
function idsAt(body: IDataObject, place: string): string[] | undefined {
	const list: unknown = valueAt(body, place);
	return Array.isArray(list) && list.every(isId) ? list : undefined;
}

/** How many records a request changes; what is in an unknown form may be any number. */
function countOf({ sites = [], records, makes }: About, body: IDataObject): number {
	const named = sitesAt(body, sites) ?? 'all';
	if (named === 'all') return Infinity;
	const made: unknown = makes ? valueAt(body, makes) : [];
	const listed = records ? idsAt(body, records) : [];
	return Array.isArray(made) && made.every(isRecord) && listed
		? Math.max(1, named.length, listed.length, made.length)
		: Infinity;
}

/** What a request that nobody knows changes at most. */
const valuesIn = (value: unknown): number =>
	typeof value === 'object' && value !== null
		? Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 0)
		: 1;

/** How many entries of a record's lists an update drops; Infinity where it had all. */
async function droppedBy({ url, body = {}, does }: ApiRequest, look: Look): Promise<number> {
	const [sent] = Object.values(body);
	const [collection, id] = segmentsOf(url);
	if (!does?.replacesLists || !isRecord(sent) || listsIn(sent).length === 0) return 0;
	const record = await look(`/${collection}/${id}`);
	const lists = isRecord(record) ? replacedIn(sent, record) : {};
	return Object.values(lists).reduce((sum, { dropped }) => sum + (dropped?.length ?? Infinity), 0);
}

/** The sites with one of Only Tags: read anew for each change; a run that only reads asks once. */
async function taggedBy(
	context: CallContext,
	{ only, by }: Limits,
	isChange: boolean,
	look: Look,
): Promise<string[]> {
	const read = async (tag: string) => {
		const found = await look(`/tags/${tag}`).catch((error: unknown) => notRead(error, tag, by));
		return sitesOf('tags', found) ?? [];
	};
	const all = async () => (await Promise.all((only?.tags ?? []).map(read))).flat();
	return !isChange && 'getItemIndex' in context
		? await sharedReads(context).get('sites of Only Tags', all)
		: await all();
}

/** A person looks for a tag of the workflow, and it is one of the credential. */
function notRead(error: unknown, tag: string, by: string): never {
	const { httpCode } = error as { httpCode?: string };
	if (httpCode !== '404') throw error;
	throw new Refused(
		`Only Tags of ${by} has the tag ${tag}, which does not exist`,
		'Nothing was sent. Open the credential and enter the IDs of tags that exist. Tag: Get Many shows them.',
	);
}

/** What is known of a request of our own that only finds something out, and of one that nobody has judged. */
const READS: Does = { effects: ['reads'], touches: {} };
const UNKNOWN: Does = { touches: {} };

/**
 * What a request does to what: from the table of its operation and the body that is sent, as a plain copy.
 * @throws NodeApiError where a record cannot be read; Refused where Only Tags are wrong
 */
export async function judge(
	context: CallContext,
	{ limits }: Account,
	asked: ApiRequest,
	lookAt: Look,
): Promise<Deed> {
	const { method = 'GET', url, body = {}, isLook } = asked;
	const isChange = method !== 'GET';
	const { does = isChange ? UNKNOWN : READS } = asked;
	const about: About = typeof does.touches === 'string' ? {} : does.touches;
	const looks = new Map<string, Promise<unknown>>();
	const look: Look = async (path, qs) => {
		if (qs) return await lookAt(path, qs);
		const found = looks.get(path) ?? lookAt(path);
		looks.set(path, found);
		return await found;
	};
	const harms = !does.effects || HARMFUL.some((each) => does.effects?.includes(each));
	const count = does.effects ? countOf(about, body) : Math.max(1, valuesIn(body));
	const changes = isChange ? count : 0;
	const dropped = isChange && limits.maxHarmful < Infinity ? await droppedBy(asked, look) : 0;
	const deed: Deed = {
		...{ method, path: url, effects: does.effects, changes },
		...{ sites: [], tagged: [], isAccountWide: about.isAccountWide === true, hasNoSite: false },
		harmful: Math.max(isChange && harms ? changes : 0, dropped),
		by: limits.by,
		credential: String(context.getNode().credentials?.[CREDENTIAL]?.id ?? limits.by),
		execution: executionOf(context),
		at: clock.now(),
	};
	if (!limits.only || isLook) return deed;
	const isNamed = isAlsoAllowed(limits, method, url);
	const to = about.destination && valueAt(body, about.destination);
	const written = isRecord(to) ? await sitesWritten(to, look) : [];
	const own = does.touches === 'noSite' ? [] : siteOfPath(url);
	const before = isNamed ? [] : await sitesBefore(about, asked, look);
	const after = sitesAt(body, about.sites ?? []);
	const sites = together(own, ...before, after, written ?? []);
	const isOfSites = isChange && !isNamed && !about.mayNameNone;
	// One that has no site would hide behind those that have.
	const hasOther =
		about.records !== undefined &&
		(!idsAt(body, about.records) || before.some((each) => each?.length === 0));
	return {
		...deed,
		sites,
		isAccountWide: deed.isAccountWide || written === undefined,
		hasNoSite: isOfSites && (sites.length === 0 || hasOther),
		tagged: sites.length > 0 ? await taggedBy(context, limits, isChange, lookAt) : [],
	};
}

/** What n8n says where it has no execution, as behind its MCP Server Trigger. */
const NO_EXECUTION = '__UNKNOWN__';

function executionOf(context: CallContext): string | undefined {
	const id = 'getExecutionId' in context ? context.getExecutionId() : undefined;
	return id && id !== NO_EXECUTION ? id : undefined;
}

/** The sites that a credential allows; undefined where it allows all. */
export async function sitesAllowed(
	context: CallContext,
	{ limits }: Account,
	look: Look,
): Promise<Set<string> | undefined> {
	if (!limits.only) return undefined;
	const tagged = await taggedBy(context, limits, false, look);
	return allowedBy(limits.only, tagged);
}

/** Whether a record may be shown: one that names an allowed site, or none at all. @param path of it or of its list */
export function isShown(allowed: ReadonlySet<string>, path: string, record: IDataObject): boolean {
	const [collection, , ...below] = segmentsOf(path);
	if (!PLACES[collection] || below.length > 0) return true;
	const sites = sitesOf(collection, record);
	if (sites === 'all' || sites?.length === 0) return true;
	return sites?.some((id) => allowed.has(id)) ?? false;
}

/** The refusal of the signer in an error of n8n, by its name: an upgrade loads its class anew. */
export function refusalIn(failure: unknown): Refused | undefined {
	let error = failure;
	for (let depth = 0; error instanceof Error && depth < 5; depth++) {
		if (error.name === 'Refused' && 'why' in error) return error as Refused;
		error = error.cause;
	}
	return undefined;
}
