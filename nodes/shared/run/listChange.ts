import type { GenericValue, IDataObject, IExecuteData } from 'n8n-workflow';
import { distinct, entryForm } from '../input/id';
import { holderOf } from '../input/value';
import { perRecord, recordIn, valueAt } from '../lib';
import { fillPath, idsOf, type ListChange, partsOf, type Route } from '../operation';
import { recordLabel } from '../input/locators';
import { listsIn } from '../receive/proof';
import { cut } from '../receive/messages';
import { knownError } from '../receive/errors';
import { recordNameOf } from '../vocabulary/words';
import { recordOf } from '../client/records';
import { type Change, type ComposedChange, readAfter, refused, withRecordLock } from './change';
import type { ItemRequest } from './itemRequest';

const updatedPath = (route: Route) => partsOf(route).template.replace(/\/update$/, '');

/** Sends a request; one that replaces lists of a record, with the lock of that record. */
export async function withListLock<T>(item: ItemRequest, send: () => Promise<T>): Promise<T> {
	const { route, replacesLists } = item.operation;
	const [sent] = Object.values(item.body);
	if (!replacesLists || listsIn(recordIn(sent)).length === 0) return await send();
	return await withRecordLock(item, fillPath(updatedPath(route), item.ids), send);
}

/** A list, or `all` if the record has every entry that exists. */
type List = GenericValue[] | 'all';

/** By run: the current ID of a record by the one that items name. An invitation gets a new ID with each update. */
const newIdsOf = perRecord<IExecuteData, Map<string, string>>(() => new Map());

/** The record by its current ID; `named` is for a sentence, such as `the client 7c41e2b09a`. */
function placeOf({ context, operation, ids: asked }: ItemRequest) {
	const idName = idsOf(operation.route).at(-1)!;
	const askedId = asked[idName]!;
	const newIds = newIdsOf(context.getExecuteData());
	const id = newIds.get(askedId) ?? askedId;
	const ids = { ...asked, [idName]: id };
	const path = fillPath(updatedPath(operation.route), ids);
	const named = `the ${recordLabel(idName)} ${id}`;
	return { ids, path, named, rename: (newId: string) => newIds.set(askedId, newId) };
}

/** Adds entries to a list of a record, or removes them: reads, merges, writes the whole list, and reads again. */
export function listChange(item: ItemRequest, composed: ListChange): ComposedChange {
	const { settings, operation } = item;
	const { entry, from } = composed;
	const isAdding = composed.how === 'add';
	const read = async () => await readList(item, composed);
	const changeFrom = (list: List, changed: string[]): Change => {
		const { route, touches } = operation;
		const { ids, rename } = placeOf(item);
		if (list === 'all' || changed.length === 0) return { route, touches, ids };
		const isChanged = isIn(changed);
		const merged = isAdding ? [...list, ...changed] : list.filter((each) => !isChanged(each));
		const after = async ({ id }: IDataObject) => {
			if (id) rename(String(id));
			const what = `The ${entry}s were ${isAdding ? 'added' : 'removed'}`;
			const now = await readAfter(item, what, placeOf(item).path, read);
			compare(item, composed, changed, { sent: merged, now: now.list });
			return now.record;
		};
		const body: IDataObject = {};
		for (const [place, value] of Object.entries({ ...composed.along, [composed.place]: merged })) {
			const [holder, key] = holderOf(body, `${recordNameOf(route)}.${place}`);
			holder[key] = value;
		}
		return { route, touches, ids, body, after };
	};
	const plan = async () => {
		const { record, list } = await read();
		const isThere = isIn(list);
		const entries = distinct([settings[from]].flat().map(String));
		const changed = entries.filter((each) => isThere(each) !== isAdding);
		const unneeded = entries.filter((each) => isThere(each) === isAdding);
		const extra = isAdding
			? { added_count: changed.length, already_there: unneeded }
			: { removed_count: changed.length, not_there: unneeded };
		if (list === 'all' && !isAdding) {
			const why = `: ${placeOf(item).named} applies to all ${entry}s, not to a list of them`;
			throw refused(item, why, 'Use Update to choose them first.');
		}
		return { record, change: changeFrom(list, changed), extra };
	};
	return { lock: placeOf(item).path, plan };
}

async function readList(
	item: ItemRequest,
	{ all, along = {}, place, entry }: ListChange,
): Promise<{ record: IDataObject; list: List }> {
	const { path, named } = placeOf(item);
	const record = await recordOf(item.context, path);
	const has = ([at, state]: [string, unknown]) => valueAt(record, at) === state;
	const value = valueAt(record, place);
	const list = value === null ? [] : value;
	if (all && Object.entries(all).every(has)) return { record, list: 'all' };
	if (Array.isArray(list) && Object.entries(along).every(has)) return { record, list };
	throw refused(
		item,
		`: ${named} was returned without its list of ${entry}s (${place})`,
		'The current entries of the list are unknown and would be lost.',
	);
}

function isIn(list: List): (entry: unknown) => boolean {
	const keyOf = (entry: unknown) => entryForm(String(entry).trim());
	const keys = list === 'all' ? undefined : new Set(list.map(keyOf));
	return (entry) => keys?.has(keyOf(entry)) ?? true;
}

/** @throws NodeOperationError with both lists, if the list is not as it was sent */
function compare(
	item: ItemRequest,
	{ entry, how }: ListChange,
	changed: string[],
	{ sent, now }: { sent: GenericValue[]; now: List },
): void {
	const isThere = isIn(now);
	const isOwn = isIn(changed);
	const undone = changed.filter((each) => isThere(each) !== (how === 'add'));
	const lost = sent.filter((each) => !isThere(each) && !isOwn(each));
	if (undone.length + lost.length === 0) return;
	const { path, named } = placeOf(item);
	const state = how === 'add' ? 'is missing' : 'is still there';
	const parts = [
		undone.length > 0 && `${entry} ${undone.join(', ')} ${state}`,
		lost.length > 0 && `${entry} ${lost.join(', ')} was there before and is missing`,
	];
	const shown = (list: unknown) => cut([list].flat().join(', ') || 'none');
	throw knownError(
		item.context.getNode(),
		{ outcome: 'unknown', verifyAt: path },
		`Another process changed the ${entry}s of ${named} at the same time: ${parts.filter(Boolean).join('; ')} (sent: ${shown(sent)}; now: ${shown(now)}). Check ${path}`,
		'The service does not show which change came first. Running the operation again is safe.',
	);
}
