import type { IDataObject } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { includeTotal, whenNone } from '../input/controls';
import type { Settings } from '../input/field';
import { isTool } from '../n8n/context';
import type { Listed } from '../client/records';
import type { Item } from '../receive/output';

/** Item for an empty list: n8n would give a model an empty text, which looks like a failed call. */
const NO_RECORDS = { count: 0, message: 'No records were found' };

/** Facts about a list for the notes on it. */
interface About {
	/** IDs in the request, such as `site_id`. */
	above?: IDataObject;
	settings?: Settings;
	/** Whether the operation has filters. */
	hasFilters?: boolean;
}

/** An item for each record. Without records: a note for a model, or an item with the count if the user chose it. */
export function itemsFor(
	context: ItemContext,
	records: IDataObject[],
	{ above = {}, settings = {} }: About = {},
): Item[] {
	if (records.length > 0) return records.map((json) => ({ json }));
	if (isTool(context)) return [{ json: { ...above, ...NO_RECORDS }, isNote: true }];
	return settings[whenNone.name] === 'item' ? [{ json: { ...above, count: 0 } }] : [];
}

/** As `itemsFor`, for a list that may be cut. */
export function listItems(context: ItemContext, listed: Listed, about: About = {}): Item[] {
	const { records, total } = listed;
	const numbers = { returned: records.length, ...(total !== undefined && { total }) };
	const isWanted = about.settings?.[includeTotal.name] === true;
	const counted = isWanted ? records.map((record) => ({ ...record, ...numbers })) : records;
	const items = itemsFor(context, counted, about);
	if (!isTool(context) || !(listed.isCut || listed.hasOthers)) return items;
	const message = [
		listed.isCut && cutMessage(listed, about),
		listed.hasOthers && 'Records of sites that the credential does not allow were left out.',
	]
		.filter(Boolean)
		.join(' ');
	const more = listed.isCut && { ...numbers, more: true };
	return [...items, { json: { ...more, message }, isNote: true }];
}

/** Note for a model on a cut list, which would look complete. */
function cutMessage({ records, total }: Listed, { hasFilters = false }: About): string {
	const count =
		total === undefined ? `The first ${records.length}` : `${records.length} of ${total}`;
	const todo = hasFilters ? 'Narrow the list with a filter, or raise the limit' : 'Raise the limit';
	return `${count} records are shown${total === undefined ? ', and there may be more' : ''}. ${todo}.`;
}

/** Query key of a filter on one ID. */
const ID_FILTER = /^filters\[(\w+_id):eq\]$/;

/** IDs in the request of a list: those of its path and of its filters. */
export const idsAbove = (ids: IDataObject, qs: IDataObject = {}): IDataObject => ({
	...ids,
	...Object.fromEntries(
		Object.entries(qs).flatMap(([key, value]) => {
			const name = ID_FILTER.exec(key)?.[1];
			return name === undefined ? [] : [[name, value]];
		}),
	),
});
