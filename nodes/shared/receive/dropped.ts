import type { IDataObject } from 'n8n-workflow';
import { isRecord, valueAt } from '../lib/records';

/** The entries of a list that are not in the list that replaces it; numbers and their texts are the same. */
export const droppedFrom = (before: readonly unknown[], after: readonly unknown[]): unknown[] => {
	const kept = new Set(after.map(String));
	return before.filter((each) => !kept.has(String(each)));
};

/** What a schedule updates. Kinds that are not sent are no longer updated. Source: Part A, 4.7. */
const UPDATES = 'scope.updates';

/** The names of what is on in an object such as `{ cms_core: true, plugins: { … } }`. */
const switchedOn = (value: unknown): string[] | undefined =>
	isRecord(value) ? Object.keys(value).filter((key) => Boolean(value[key])) : undefined;

/** The places of lists of sites. */
export const SITES = /(^|\.)(site_ids|sites\.ids)$/;

/** The lists of plain values in an object, by their places: `scope.sites.ids`. */
const plainListsIn = (value: unknown, place = ''): Array<[string, unknown[]]> => {
	if (Array.isArray(value)) return value.some(isRecord) ? [] : [[place, value]];
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, each]) =>
		plainListsIn(each, place ? `${place}.${key}` : key),
	);
};

/** A list of a record; `all` for a selection of all, and for a person with access to all sites. */
function listAt(record: IDataObject, place: string): unknown[] | 'all' | undefined {
	const value = valueAt(record, place);
	const above = place.includes('.') ? valueAt(record, place.replace(/\.[^.]*$/, '')) : record;
	const { selection, all_sites_access: access }: IDataObject = isRecord(above) ? above : {};
	// An unknown selection may be any site.
	const isAll = selection !== undefined && selection !== 'specific';
	if (isAll || (access === true && SITES.test(place))) return 'all';
	if (place === UPDATES) return switchedOn(value);
	return Array.isArray(value) ? value : undefined;
}

/** The lists that an update replaces, by their places. */
export function listsIn(sent: IDataObject): Array<[string, unknown[]]> {
	const lists = plainListsIn(sent);
	const updates = switchedOn(valueAt(sent, UPDATES));
	return updates ? [...lists, [UPDATES, updates]] : lists;
}

interface Replaced {
	/** `all` where it was everything in the account, of which there is no list. */
	before: unknown[] | 'all';
	after: unknown[];
	dropped: unknown[] | null;
}

/** The lists of a record before and after an update replaces them, by their places. */
export const replacedIn = (sent: IDataObject, record: IDataObject): Record<string, Replaced> =>
	Object.fromEntries(
		listsIn(sent).flatMap(([place, after]) => {
			const before = listAt(record, place);
			if (!before) return [];
			const dropped = before === 'all' ? null : droppedFrom(before, after);
			return [[place, { before, after, dropped }]];
		}),
	);
