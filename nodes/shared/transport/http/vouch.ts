import type { IDataObject } from 'n8n-workflow';
import type { Deed, Vouched } from '../../access/check';
import { deedOf, recordToLookAt } from '../../access/check';
import { recordContent, sitesIn } from '../../access/content';
import type { RequestToSign } from '../../access/target';
import { Refused } from '../../access/target';
import { listsIn, replacedIn } from '../../receive/dropped';
import { isRecord, recordsIn } from '../../lib/isRecord';
import type { Account } from '../../input/credential';
import { SiteUrl } from '../../input/id';
import { singular } from '../../operation';
import type { ApiRequest, CallContext } from '../../n8n/context';
import { Run } from '../run/run';

/** Reads what a path gives: the whole answer. */
type ReadRecord = (request: ApiRequest) => Promise<IDataObject>;

/**
 * What the signer cannot see for itself: which sites have a tag, and which ones a record or a URL belongs to.
 * @throws NodeApiError where that cannot be read; Refused where another site is meant
 */
export async function vouchFor(
	context: CallContext,
	{ base, limits }: Account,
	sent: RequestToSign & { isLook?: boolean },
	look: ReadRecord,
): Promise<Vouched> {
	const vouched: Vouched = {
		by: limits.by,
		// Not in a file, which nobody reads on its way.
		blanksSecrets: sent.encoding !== 'stream',
		execution: 'getExecutionId' in context ? context.getExecutionId() : undefined,
	};
	const { only, maxHarmful } = limits;
	if (sent.isLook) return { ...vouched, sitesAreAllowed: true, tagged: [] };
	const deed = deedOf(sent, base, new Map());
	if (maxHarmful < Infinity) vouched.dropped = await droppedBy(deed, sent.body, look);
	if (!only) return vouched;
	const places = placesOf(deed);
	if (!places.namesSites && places.looks.length === 0) return vouched;
	const tagged = (
		await Promise.all(only.tags.map(async (tag) => await sitesOfTag(context, tag, deed, look)))
	).flat();
	const allowed = new Set([...only.sites, ...tagged].map((id) => id.toLowerCase()));
	for (const find of places.looks) {
		const { ids, all } = await find(look);
		const other = ids.find((id) => !allowed.has(id));
		if (all || ids.length === 0 || other !== undefined) {
			const which =
				other === undefined
					? 'the request is not for single sites'
					: `the request is for the site ${other}`;
			throw new Refused(
				`${deed.verb} ${String(sent.url)} is not allowed by ${limits.by}: ${which}, and its Sites are limited`,
			);
		}
	}
	return { ...vouched, tagged, sitesAreAllowed: true };
}

/** What tells which sites a request is about, besides itself. */
function placesOf(deed: Deed) {
	const { path, sites } = deed;
	const record = recordToLookAt(deed);
	const looks: Array<(look: ReadRecord) => Promise<{ ids: string[]; all: boolean }>> = [];
	if (record !== undefined) {
		looks.push(async (look) => {
			const found = await look({ method: 'GET', url: record });
			const [collection] = path.segments as [string];
			return sitesIn(recordContent({ [singular(collection)]: found }));
		});
	}
	const { destination } = sites;
	if (destination) {
		looks.push(async (look) => ({
			all: !destination.isOwn,
			ids: destination.isOwn ? await sitesAt(destination.url, look) : [],
		}));
	}
	const isBelowSite = path.segments[0] === 'sites' && path.segments.length > 1;
	return { looks, namesSites: isBelowSite || sites.ids.length > 0 };
}

/** How many entries of a record's lists an update drops; Infinity where it had all. */
async function droppedBy({ path }: Deed, body: unknown, look: ReadRecord): Promise<number> {
	const [collection, id, verb] = path.given;
	const [wrapper, sent] = Object.entries(isRecord(body) ? body : {})[0] ?? [];
	if (verb !== 'update' || !isRecord(sent) || listsIn(sent as IDataObject).length === 0) return 0;
	const { [wrapper!]: record } = await look({ method: 'GET', url: `/${collection}/${id}` });
	const lists = isRecord(record) ? replacedIn(sent as IDataObject, record as IDataObject) : {};
	return Object.values(lists).reduce((sum, { dropped }) => sum + (dropped?.length ?? Infinity), 0);
}

/** Read anew for each change; a run that only reads asks once. */
async function sitesOfTag(
	context: CallContext,
	tag: string,
	{ verb }: Deed,
	look: ReadRecord,
): Promise<string[]> {
	const read = async () =>
		sitesIn(recordContent(await look({ method: 'GET', url: `/tags/${tag}` }))).ids;
	return verb === 'GET' && 'getItemIndex' in context
		? await Run.current(context).once(`sites of tag ${tag}`, read)
		: await read();
}

/** The ids of the sites that have a URL; more than one cannot be told apart. */
async function sitesAt(url: string, look: ReadRecord): Promise<string[]> {
	const read = async (qs: IDataObject): Promise<IDataObject[]> => {
		const sites = new Map<unknown, IDataObject>();
		for (let page = 1, known = -1; sites.size > known; page++) {
			known = sites.size;
			const asked = { ...qs, page, perPage: 100 };
			const { sites: more } = await look({ method: 'GET', url: '/sites', qs: asked });
			for (const site of recordsIn(more)) sites.set(site.id, site);
		}
		return [...sites.values()];
	};
	const found = await SiteUrl.parse(url)?.among(read);
	return (found?.there ?? []).map(({ id }) => String(id).toLowerCase());
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
