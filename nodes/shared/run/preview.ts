import type { IDataObject } from 'n8n-workflow';
import { harms } from '../access/effects';
import { listsIn, replacedIn, SITES } from '../receive/proof';
import { isList, isRecord, recordIn, textsIn, valueAt } from '../lib';
import { fieldsOf } from '../input/field';
import { type LocatorName, recordLabel } from '../input/locators';
import { effectsOf, fullName, idsOf, type Operation } from '../operation';
import { BLANK, withLeaves } from '../receive/output';
import { cut } from '../receive/messages';
import { identifyingPlaces, type Target, targets } from '../operation/targets';
import { listUpTo } from '../client/records';
import { type ApiRequest, type ItemContext, sharedReads } from '../n8n/context';
import { requirePermitted } from '../client/allowed';
import type { ItemRequest } from './itemRequest';
import { sentenceOf } from './inWords';
import { overwritten, targetRecord, wholeList } from './names';

/** Fields of a record that a preview shows in addition to the identifying ones; never a secret. */
const SHOWN = ['id', 'type', 'status', 'created_at'];

/** Above this number of records their list is read instead. */
const FEW = 20;

type Previewed = Pick<ItemRequest, 'context' | 'resource' | 'operation' | 'ids'>;

/** The records that an operation would affect, and its request; makes no change. @param checked its snapshot */
export async function previewOf(item: Previewed, request: ApiRequest, checked?: IDataObject) {
	const { context, resource, operation, ids } = item;
	await requirePermitted(context, request);
	const { method, url, qs, body } = request;
	const { route, overwrites } = operation;
	const target: IDataObject = {};
	for (const id of idsOf(route)) {
		const record = await targetRecord(context, id, ids);
		const sites = record && (await sitesOf(context, record, targets[id]!));
		target[keyOf(id)] = record ? { ...briefly(record, id), ...sites } : { id: ids[id] };
	}
	const inBody = namedIds(operation, body);
	const allIds = { ...ids };
	for (const { id, value, isMany } of inBody) if (!isMany) allIds[id] = value[0]!;
	for (const { id, value, isMany } of inBody) {
		const records = await wholeRecords(context, id, value, allIds);
		const shown = records.map((record) => briefly(record, id));
		target[isMany ? `${keyOf(id)}s` : keyOf(id)] = isMany ? shown : shown[0];
		const { sites: place } = targets[id]!;
		const left =
			place && operation.isFinal ? records.flatMap((each) => textsIn(valueAt(each, place))) : [];
		if (left.length > 0) {
			target[`sites_that_lose_their_${keyOf(id)}`] = await recordsOf(context, 'siteId', left);
		}
	}
	const sites = overwrites ? await overwritten(context, valueAt(body, overwrites)) : [];
	const [site, ...others] = sites.map((each) => briefly(each, 'siteId'));
	const replaces = await replacedBy(item, body);
	const length = hasContent(body) ? JSON.stringify(body).length : 0;
	const shown = {
		...(site
			? { target: others.length > 0 ? { sites: [site, ...others] } : { site }, source: target }
			: { target }),
		...(hasContent(replaces) && { replaces }),
		...(checked && { checked }),
		request: {
			method,
			path: url,
			...(hasContent(qs) && { query: qs }),
			...(hasContent(body) && { body }),
			...(length > MAX_TEXT && { body_length: length }),
		},
	};
	const preview = {
		preview: true,
		operation: fullName(resource, operation),
		does: harmsOf(operation, body),
		...recordIn(withLeaves(shown, blanked)),
	};
	return { would: sentenceOf(operation.labels.action, preview), ...preview };
}

/** What it harms: the consequence that its panel names, or its kinds, and what the body adds. */
function harmsOf(operation: Operation, body: unknown): string[] {
	const { consequence, effects } = operation;
	const all = effectsOf(operation, body);
	const others = consequence ? all.filter((effect) => !effects.includes(effect)) : all;
	const words = others.flatMap((effect) => harms[effect] ?? []);
	return consequence ? [consequence, ...words] : words;
}

/** Lists of a record that an update replaces, by place. Source: Part A, 4.2, 4.7, 4.11 and 4.12. */
async function replacedBy({ context, operation, ids }: Previewed, body: unknown) {
	const id = idsOf(operation.route).pop();
	const sent = recordIn(Object.values(recordIn(body))[0]);
	if (!operation.replacesLists || !id || listsIn(sent).length === 0) return {};
	const record = await targetRecord(context, id, ids);
	const replaced: IDataObject = {};
	for (const [place, list] of Object.entries(record ? replacedIn(sent, record) : {})) {
		const { before, after, dropped, added } = list;
		const name = async (entries: unknown[]) =>
			SITES.test(place) ? await recordsOf(context, 'siteId', entries.map(String)) : entries;
		replaced[place] = {
			// `all` if it meant every record of the account; then what is dropped is unknown.
			before,
			after,
			dropped: dropped && (await name(dropped)),
			added: await name(added),
			dropped_count: dropped?.length ?? null,
		};
	}
	return replaced;
}

/** `stagingSiteId` becomes `staging_site`. */
const keyOf = (id: LocatorName) => recordLabel(id).replaceAll(' ', '_');

function briefly(record: IDataObject, id: LocatorName): IDataObject {
	const places = [...SHOWN, ...identifyingPlaces(targets[id]!)];
	const values = places.map((place) => [place, valueAt(record, place)] as const);
	return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** On how many sites a record has an effect. */
async function sitesOf(context: ItemContext, record: IDataObject, { sites, allSites }: Target) {
	if (!sites) return undefined;
	if (!allSites || valueAt(record, allSites[0]) !== allSites[1]) {
		const ids = valueAt(record, sites);
		return isList(ids) ? { sites: counted(ids.length) } : undefined;
	}
	const read = async () => (await listUpTo(context, { url: '/sites' }, { max: 1 })).total;
	const total = await sharedReads(context).get('number of sites', read);
	return { sites: total === undefined ? 'all sites' : `all ${counted(total)}` };
}

const counted = (count: number) => `${count} site${count === 1 ? '' : 's'}`;

const isTarget = (name: string): name is LocatorName => name in targets;

/** IDs of records in a body, such as `staging_site.site_id`. */
function namedIds({ fields }: Operation, body: unknown) {
	return fields
		.flatMap((field) => [field, ...fieldsOf(field)])
		.flatMap(({ name, target }) => {
			const id = [name, name.replace(/s$/, '')].find(isTarget);
			const found = id && target?.type === 'body' && valueAt(body, target.property);
			return found ? [{ id, value: [found].flat().map(String), isMany: isList(found) }] : [];
		});
}

const recordsOf = async (context: ItemContext, id: LocatorName, wanted: string[]) =>
	(await wholeRecords(context, id, wanted)).map((record) => briefly(record, id));

/** Only the ID if a record does not exist. */
async function wholeRecords(context: ItemContext, id: LocatorName, wanted: string[], ids = {}) {
	const all = wanted.length > FEW ? await wholeList(context, id, ids) : undefined;
	const byId = all && new Map(all.map((record) => [String(record.id), record]));
	const found = wanted.map(async (each) => {
		const read = async () => await targetRecord(context, id, { ...ids, [id]: each });
		const record = byId ? byId.get(each) : await read().catch(() => undefined);
		return record ?? { id: each };
	});
	return await Promise.all(found);
}

const hasContent = (value: unknown) => isRecord(value) && Object.keys(value).length > 0;

/** Maximum characters of a text in a preview; a logo as a data URI has millions. */
const MAX_TEXT = 1_000;

/** User and password in a URL. */
const IN_URL = /([\\/]{2,}|:[\\/])[^\s\\/?#]*@/g;

/** A value in a preview: no secret, and no long text. */
function blanked(leaf: unknown, isSecret: boolean) {
	if (isSecret && leaf !== null) return BLANK;
	return typeof leaf === 'string' ? cut(leaf.replace(IN_URL, `$1${BLANK}@`), MAX_TEXT) : leaf;
}
