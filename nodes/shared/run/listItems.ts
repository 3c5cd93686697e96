import type { IDataObject } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { includeTotal, whenNone } from '../input/controls';
import type { Settings } from '../input/field';
import { isTool } from '../n8n/context';
import type { Listed } from '../client/paging';
import type { Item } from '../receive/output';

/** Without an item n8n hands a model an empty text, which could as well be a call that failed. */
const NO_RECORDS = { count: 0, message: 'No records were found' };

/** What else is known of a list, for the items that are not its records. */
interface About {
	/** The ids that it was asked for with, such as `site_id`. */
	above?: IDataObject;
	settings?: Settings;
	/** Whether filters could make it shorter. */
	hasFilters?: boolean;
}

/** An item for each record; where there are none, one that says so, to a model and to whoever wants it. */
export function itemsFor(
	context: ItemContext,
	records: IDataObject[],
	{ above = {}, settings = {} }: About = {},
): Item[] {
	if (records.length > 0) return records.map((json) => ({ json }));
	if (isTool(context)) return [{ json: { ...above, ...NO_RECORDS }, isNote: true }];
	return settings[whenNone.name] === 'item' ? [{ json: { ...above, count: 0 } }] : [];
}

/** As `itemsFor`, for a list that may be longer than what was asked for. */
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

/** What a model reads below a list that was cut, which looks like a whole one. */
function cutMessage({ records, total }: Listed, { hasFilters = false }: About): string {
	const count =
		total === undefined ? `The first ${records.length}` : `${records.length} of ${total}`;
	const todo = hasFilters ? 'Narrow the list with a filter, or raise the limit' : 'Raise the limit';
	return `${count} records are shown${total === undefined ? ', and there may be more' : ''}. ${todo}.`;
}

/** A filter on exactly one id, as it stands in a query. */
const ID_FILTER = /^filters\[(\w+_id):eq\]$/;

/** The ids that a list was asked for with: those of its path, and those that filters name. */
export const idsAbove = (ids: IDataObject, qs: IDataObject = {}): IDataObject => ({
	...ids,
	...Object.fromEntries(
		Object.entries(qs).flatMap(([key, value]) => {
			const name = ID_FILTER.exec(key)?.[1];
			return name === undefined ? [] : [[name, value]];
		}),
	),
});
