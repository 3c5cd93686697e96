import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';
import { isAlsoAllowed, type Deed, type Refused } from '../access/deed';
import { HARMFUL, type About, type Does } from '../access/effects';
import { countsChanges, type Limits } from '../access/credential';
import { SiteUrl } from '../input/id';
import { clock, isRecord, recordsIn, valueAt } from '../lib';
import { CREDENTIAL, sharedReads, type ApiRequest, type CallContext } from '../n8n/context';
import { knownError } from '../receive/errors';
import { listsIn, replacedIn, SITES } from '../receive/proof';

/** Reads a record or a page of a list, only to check limits. */
export type Look = (path: string, qs?: IDataObject) => Promise<unknown>;

/** Places of site IDs in records, by collection. Source: Part A, 2. */
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

/** Whether a value is a single ID; other text, such as `1,2` or `all`, may name several. */
const isId = (value: unknown): value is string =>
	typeof value === 'string' && /^(?!(all|true)$)[\w-]+$/i.test(value.trim());

/** Sites that a value names: an ID, a list of IDs, `{ selection, ids }`, or true for all. Undefined for other forms. */
function sitesIn(value: unknown): Sites | undefined {
	if (value === undefined || value === null || value === false) return [];
	if (value === true) return 'all';
	const ids: unknown[] = Array.isArray(value) ? value : [value];
	if (ids.every(isId)) return ids.map((id) => id.toLowerCase());
	if (!isRecord(value) || value.selection === undefined) return undefined;
	return value.selection === 'specific' ? sitesIn(value.ids) : 'all';
}

/** Sites at places of a record or a body; undefined if one has an unknown form. */
function sitesAt(value: IDataObject, places: readonly string[]): Sites | undefined {
	const found = places.map((place) => sitesIn(valueAt(value, place)));
	return found.includes('all') ? 'all' : joined(found);
}

const sitesOf = (collection: string, record: unknown): Sites | undefined =>
	isRecord(record) ? sitesAt(record, PLACES[collection] ?? []) : undefined;

const joined = (all: Array<Sites | undefined>): string[] | undefined =>
	all.every((each) => Array.isArray(each)) ? all.flat() : undefined;

const segmentsOf = (url: string) => url.split('/').slice(1) as [string, ...string[]];

function siteOfPath(url: string): string[] {
	const [collection, id] = segmentsOf(url);
	return collection === 'sites' && id ? [decodeURIComponent(id).toLowerCase()] : [];
}

/** Current sites of each record that a request changes. */
async function sitesBefore({ record, records }: About, { url, body = {} }: ApiRequest, look: Look) {
	const [collection, id = ''] = segmentsOf(url);
	const named = records ? (idsAt(body, records) ?? []).map(encodeURIComponent) : [];
	const ids = record ? [id] : named;
	return await Promise.all(
		ids.map(async (each) => sitesOf(collection, await look(`/${collection}/${each}`))),
	);
}

/** Fields of the HTTP authentication in front of a site. Source: Part B, 4.6. */
const HTTP_AUTH = ['username', 'password'];

/** Sites that a copy overwrites; undefined if the destination is not a site of the account. */
async function sitesWritten(to: IDataObject, look: Look): Promise<string[] | undefined> {
	const { connection, destination_url: url, type } = to;
	const { method = 'http', credentials = {} } = (connection ?? {}) as IDataObject;
	const { http_auth: auth, ...others } = credentials as IDataObject;
	const isOwn = Object.keys(auth ?? {}).every((key) => HTTP_AUTH.includes(key));
	if (method !== 'http' || !isOwn || Object.keys(others).length > 0) return undefined;
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

function idsAt(body: IDataObject, place: string): string[] | undefined {
	const list: unknown = valueAt(body, place);
	return Array.isArray(list) && list.every(isId) ? list : undefined;
}

/** Number of records that a request changes; Infinity if the form is unknown. */
function countOf({ sites = [], records, makes }: About, body: IDataObject): number {
	const named = sitesAt(body, sites) ?? 'all';
	if (named === 'all') return Infinity;
	const made: unknown = makes ? valueAt(body, makes) : [];
	const listed = records ? idsAt(body, records) : [];
	return Array.isArray(made) && made.every(isRecord) && listed
		? Math.max(1, named.length, listed.length, made.length)
		: Infinity;
}

/** Maximum number of records that an unknown request changes: one per value in its body. */
const valuesIn = (value: unknown): number =>
	typeof value === 'object' && value !== null
		? Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 0)
		: 1;

/** What an update changes of lists of a record: sites added or dropped, and all entries dropped; Infinity if it was for all sites. */
async function listChangesBy({ url, body = {}, does }: ApiRequest, look: Look) {
	const [sent] = Object.values(body);
	const [collection, id] = segmentsOf(url);
	if (!does?.replacesLists || !isRecord(sent) || listsIn(sent).length === 0) return undefined;
	const record = await look(`/${collection}/${id}`);
	const replaced = { sites: 0, dropped: 0 };
	const lists = isRecord(record) ? replacedIn(sent, record) : {};
	for (const [place, after] of listsIn(sent)) {
		const isOfSites = SITES.test(place);
		// A list that the record lacks counts as empty: all that is sent may be new.
		const { dropped, added } = lists[place] ?? { dropped: [], added: after };
		const count = dropped?.length ?? (isOfSites ? Infinity : 0);
		replaced.dropped += count;
		if (isOfSites) replaced.sites += count + added.length;
	}
	return replaced;
}

/** Sites with one of Only Tags: read again for each change, once per run for reads. */
export async function taggedBy(
	context: CallContext,
	{ only, by }: Limits,
	look: Look,
	isChange = false,
): Promise<string[]> {
	const read = async (tag: string) => {
		const found = await look(`/tags/${tag}`).catch((error: unknown) => {
			if (!(error instanceof NodeApiError) || error.httpCode !== '404') throw error;
			// Name the credential: users would look for the tag in the workflow.
			throw refusedBy(context.getNode(), {
				why: `Only Tags of ${by} has the tag ${tag}, which does not exist`,
				todo: 'Nothing was sent. Open the credential and enter the IDs of tags that exist. Tag: Get Many shows them.',
			});
		});
		return sitesOf('tags', found) ?? [];
	};
	const readAll = async () => (await Promise.all((only?.tags ?? []).map(read))).flat();
	return await sharedReads(context, isChange).get('sites of Only Tags', readAll);
}

/** Judges what a request, with its body as a plain copy, does to which sites. @throws NodeApiError; NodeOperationError */
export async function judge(
	context: CallContext,
	limits: Limits,
	asked: ApiRequest,
	look: Look,
): Promise<Deed> {
	const { method = 'GET', url, body = {}, isLook } = asked;
	const isChange = method !== 'GET';
	const does: Does =
		asked.does ?? (isChange ? { touches: {} } : { effects: ['reads'], touches: {} });
	const about: About = typeof does.touches === 'string' ? {} : does.touches;
	const isHarmful = !does.effects || HARMFUL.some((each) => does.effects?.includes(each));
	const count = does.effects ? countOf(about, body) : Math.max(1, valuesIn(body));
	const replaced = isChange && countsChanges(limits) ? await listChangesBy(asked, look) : undefined;
	const { sites: moved = 0, dropped = 0 } = replaced ?? {};
	// Live sites that stay in a list are changed, too.
	const isOfMoved = replaced && !isHarmful && count < Infinity;
	const made = isOfMoved ? Math.max(1, moved) : Math.max(count, moved);
	const changes = isChange && !about.isCounted ? made : 0;
	const deed: Deed = {
		...{ method, path: url, effects: does.effects, changes },
		...{ sites: [], tagged: [], isAccountWide: about.isAccountWide === true, hasNoSite: false },
		harmful: Math.max(isChange && isHarmful ? changes : 0, dropped),
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
	const sites = joined([own, ...before, after, written ?? []]) ?? 'all';
	const isOfSites = isChange && !isNamed && !about.mayNameNone;
	// A record without a site must not pass because others have one.
	const hasOther =
		about.records !== undefined &&
		(!idsAt(body, about.records) || before.some((each) => each?.length === 0));
	return {
		...deed,
		sites,
		isAccountWide: deed.isAccountWide || written === undefined,
		hasNoSite: isOfSites && (sites.length === 0 || hasOther),
		tagged: sites.length > 0 ? await taggedBy(context, limits, look, isChange) : [],
	};
}

/** n8n's execution ID; undefined without an execution, such as behind its MCP Server Trigger. */
function executionOf(context: CallContext): string | undefined {
	const id = 'getExecutionId' in context ? context.getExecutionId() : undefined;
	return id && id !== '__UNKNOWN__' ? id : undefined;
}

/** Whether a record may be shown: it names an allowed site or no site. @param path of the record or its list */
export function isShown(allowed: Set<string>, path: string, record: IDataObject): boolean {
	const [collection, , ...below] = segmentsOf(path);
	if (!PLACES[collection] || below.length > 0) return true;
	const sites = sitesOf(collection, record);
	if (sites === 'all' || sites?.length === 0) return true;
	return sites?.some((id) => allowed.has(id)) ?? false;
}

/** The signer's refusal in an error of n8n. Matched by name, because an upgrade loads a second copy of its class. */
export function refusalIn(failure: unknown): Refused | undefined {
	let error = failure;
	for (let depth = 0; error instanceof Error && depth < 5; depth++) {
		if (error.name === 'Refused' && 'why' in error) return error as Refused;
		error = error.cause;
	}
	return undefined;
}

export const refusedBy = (node: INode, { why, todo }: Pick<Refused, 'why' | 'todo'>) =>
	knownError(node, { outcome: 'notSent' }, why, todo);
