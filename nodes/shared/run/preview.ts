import type { IDataObject } from 'n8n-workflow';
import { effectTexts } from '../access/effects';
import { droppedFrom, listsIn, replacedIn, SITES } from '../receive/proof';
import { isRecord, valueAt } from '../lib/records';
import type { Field } from '../input/field';
import type { LocatorName } from '../input/locators';
import type { Operation, Resource } from '../operation';
import { effectsOf, idsOf } from '../operation';
import { BLANK, withLeaves } from '../receive/secrets';
import { CHECKS } from '../input/controls';
import { targets } from '../operation/targets';
import type { ApiRequest, ItemContext } from '../n8n/context';
import { requirePermitted } from '../client/allowed';
import { overwritten, targetRecord, wholeList } from './onlyIf';

/** Fields of a record that a preview shows in addition to the identifying ones; never a secret. */
const SHOWN = ['id', 'status', 'created_at'];

/** Above this number of records their list is read instead. */
const FEW = 20;

/** The request of an operation and the records it would affect; makes no change. */
export async function previewOf(
	context: ItemContext,
	{ name }: Resource,
	operation: Operation,
	asked: ApiRequest,
	ids: Record<string, string>,
): Promise<IDataObject> {
	await requirePermitted(context, asked);
	const { method, url, qs, body } = asked;
	const { route, overwrites } = operation;
	const target: IDataObject = {};
	for (const id of idsOf(route)) {
		const record = await targetRecord(context, id, ids);
		target[keyOf(id)] = record ? briefly(record, id) : { id: ids[id] };
	}
	const inBody = namedIds(operation, body);
	const allIds = { ...ids, ...Object.fromEntries(inBody.filter(isOne)) };
	for (const [id, asked] of inBody) {
		const records = await recordsOf(context, id, asked, allIds);
		target[Array.isArray(asked) ? `${keyOf(id)}s` : keyOf(id)] = Array.isArray(asked)
			? records
			: records[0];
	}
	const replaces = await replacedBy(context, operation, body, ids);
	const shown = {
		request: {
			method,
			path: url,
			...(hasContent(qs) && { query: qs }),
			...(hasContent(body) && { body }),
		},
		...(overwrites
			? { target: await destination(context, overwrites, body), source: target }
			: { target: target }),
		...(hasContent(replaces) && { replaces }),
	};
	return {
		preview: true,
		operation: `${name}: ${operation.labels.name}`,
		does: effectsOf(operation, body).map((effect) => effectTexts[effect].name),
		...(blanked(shown) as IDataObject),
	};
}

/** The overwritten site, or only its address if it is outside the account. */
async function destination(
	context: ItemContext,
	place: string,
	body: unknown,
): Promise<Record<string, unknown>> {
	const sites = await overwritten(context, place, body);
	const all = sites.map((site) => briefly(site, 'siteId'));
	return all.length === 1 ? { site: all[0] } : { sites: all };
}

/** A list that an update replaces. */
interface Replaced {
	/** `all` if it meant every record of the account. */
	before: unknown[] | 'all';
	after: unknown[];
	dropped: unknown[] | null;
	added: unknown[];
	/** Null if `before` is `all`. */
	dropped_count: number | null;
}

/** Lists of a record that an update replaces, by place. Source: Part A, 4.2, 4.7, 4.11 and 4.12. */
async function replacedBy(
	context: ItemContext,
	{ route, replacesLists }: Operation,
	body: unknown,
	ids: Record<string, string>,
): Promise<Record<string, Replaced>> {
	const id = idsOf(route).pop();
	const [sent] = isRecord(body) ? Object.values(body) : [];
	if (!replacesLists || !id || !isRecord(sent)) return {};
	const record = listsIn(sent).length > 0 ? await targetRecord(context, id, ids) : undefined;
	const replaced: Record<string, Replaced> = {};
	for (const [place, { before, after, dropped }] of Object.entries(
		record ? replacedIn(sent, record) : {},
	)) {
		const name = async (list: unknown[]) =>
			SITES.test(place) ? await recordsOf(context, 'siteId', list.map(String)) : list;
		replaced[place] = {
			before,
			after,
			dropped: dropped && (await name(dropped)),
			added: before === 'all' ? [] : await name(droppedFrom(after, before)),
			dropped_count: dropped?.length ?? null,
		};
	}
	return replaced;
}

/** `stagingSiteId` becomes `staging_site`. */
const keyOf = (id: LocatorName) => targets[id]?.label.replaceAll(' ', '_') ?? id.replace(/Id$/, '');

function briefly(record: IDataObject, id: LocatorName): IDataObject {
	const target = targets[id]!;
	const places = CHECKS.flatMap((check) => target[check] ?? []);
	const shown = [...SHOWN, ...places].filter((place) => valueAt(record, place) !== undefined);
	return Object.fromEntries(shown.map((place) => [place, valueAt(record, place)])) as IDataObject;
}

/** IDs of records in a body, such as `staging_site.site_id`. */
function namedIds({ fields }: Operation, body: unknown): Array<[LocatorName, string | string[]]> {
	if (!isRecord(body)) return [];
	const all = fields.flatMap((field) => [field, ...((field.options ?? []) as Field[])]);
	return all.flatMap(({ name, target }): Array<[LocatorName, string | string[]]> => {
		const id = (name in targets ? name : name.replace(/s$/, '')) as LocatorName;
		if (target?.type !== 'body' || !targets[id]) return [];
		const value = valueAt(body, target.property);
		return value ? [[id, value as string | string[]]] : [];
	});
}

const isOne = (named: [LocatorName, string | string[]]): named is [LocatorName, string] =>
	!Array.isArray(named[1]);

/** Records with their identifying fields; only the ID if a record does not exist. */
async function recordsOf(
	context: ItemContext,
	id: LocatorName,
	asked: string | string[],
	ids: Record<string, string> = {},
): Promise<IDataObject[]> {
	const wanted = [asked].flat();
	if (wanted.length <= FEW) {
		return await Promise.all(
			wanted.map(async (each) => {
				const record = await targetRecord(context, id, { ...ids, [id]: each }).catch(
					() => undefined,
				);
				return record ? briefly(record, id) : { id: each };
			}),
		);
	}
	const all = await wholeList(context, targets[id]!);
	const byId = new Map(all.map((record) => [String(record.id), record]));
	return wanted.map((each) => (byId.has(each) ? briefly(byId.get(each)!, id) : { id: each }));
}

const hasContent = (value: unknown) => isRecord(value) && Object.keys(value).length > 0;

/** Maximum characters of a text in a preview; a logo as a data URI has millions. */
const MAX_TEXT = 1_000;

/** User and password in a URL. */
const IN_URL = /([\\/]{2,}|:[\\/])[^\s\\/?#]*@/g;

/** A copy without secrets and with long texts cut. */
const blanked = (value: unknown) =>
	withLeaves(value, (leaf, isSecret) => {
		if (isSecret && leaf !== null) return BLANK;
		if (typeof leaf !== 'string') return leaf;
		const text = leaf.replace(IN_URL, `$1${BLANK}@`);
		return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
	});
