import type { GenericValue, IDataObject, IExecuteData } from 'n8n-workflow';
import { distinct, entryForm } from '../input/id';
import { holderOf } from '../input/value';
import { perRecord, recordIn, valueAt } from '../lib';
import type { ListChange, Route } from '../operation';
import { fillPath, idsOf, partsOf } from '../operation';
import { recordLabel } from '../input/locators';
import { listsIn } from '../receive/proof';
import { cut } from '../receive/messages';
import { knownError } from '../receive/errors';
import { recordNameOf } from '../vocabulary/words';
import { recordOf } from '../client/records';
import type { Change, ComposedChange } from './change';
import { readAfter, refused, withRecordLock } from './change';
import type { ItemRequest } from './itemRequest';

/** Path of the record that a route updates. */
const updatedPath = (route: Route) => partsOf(route).template.replace(/\/update$/, '');

/** Runs an update of an operation that replaces lists; if it sends one, with the lock of its record. */
export async function withListLock<T>(item: ItemRequest, update: () => Promise<T>): Promise<T> {
	const [sent] = Object.values(item.body);
	if (listsIn(recordIn(sent)).length === 0) return await update();
	return await withRecordLock(item, fillPath(updatedPath(item.operation.route), item.ids), update);
}

/** A list, or `all` if the record has every entry that exists. */
type List = GenericValue[] | 'all';

/** By run: the current ID of a record by the one that items name. An invitation gets a new ID with each update. */
const newIdsOf = perRecord<IExecuteData, Map<string, string>>(() => new Map());

/** Adds entries to a list of a record, or removes them: reads, merges, writes the whole list, and reads again. */
export function changeList(item: ItemRequest, composed: ListChange): ComposedChange {
	const { context, operation, settings } = item;
	const { route, touches } = operation;
	const { place, entry, from, all, along = {} } = composed;
	const isAdding = composed.how === 'add';
	const idName = idsOf(route).at(-1)!;
	const askedId = item.ids[idName]!;
	const newIds = newIdsOf(context.getExecuteData());
	// By its current ID, which each update can change.
	const ids = () => ({ ...item.ids, [idName]: newIds.get(askedId) ?? askedId });
	const path = () => fillPath(updatedPath(route), ids());
	const named = () => `the ${recordLabel(idName)} ${ids()[idName]}`;

	const listOf = (record: IDataObject): List => {
		const has = ([at, state]: [string, unknown]) => valueAt(record, at) === state;
		if (all && Object.entries(all).every(has)) return 'all';
		const value = valueAt(record, place);
		const list = value === null ? [] : value;
		if (Array.isArray(list) && Object.entries(along).every(has)) return list;
		const why = `: ${named()} was returned without its list of ${entry}s (${place})`;
		throw refused(item, why, 'The current entries of the list are unknown and would be lost.');
	};
	const read = async () => {
		const record = await recordOf(context, path());
		return { record, list: listOf(record) };
	};

	/** @param list the whole list before the change @param changed entries to add or remove */
	const changeFrom = (list: GenericValue[], changed: string[]): Change => {
		const isChanged = hasIn(changed);
		const merged = isAdding ? [...list, ...changed] : list.filter((each) => !isChanged(each));
		const body: IDataObject = {};
		for (const [at, value] of Object.entries({ ...along, [place]: merged })) {
			const [holder, key] = holderOf(body, `${recordNameOf(route)}.${at}`);
			holder[key] = value;
		}
		const stillHolds = async () => JSON.stringify((await read()).list) === JSON.stringify(list);
		const after = async ({ id }: IDataObject) => {
			if (id) newIds.set(askedId, String(id));
			const what = `The ${entry}s were ${isAdding ? 'added' : 'removed'}`;
			const now = await readAfter(item, what, path(), read);
			compare(changed, merged, now.list);
			return now.record;
		};
		return { route, touches, ids: ids(), body, stillHolds, after };
	};

	/** @throws NodeOperationError with both lists, if the list is not as it was sent */
	const compare = (changed: string[], sent: GenericValue[], now: List): void => {
		const isThere = hasIn(now);
		const isOwn = hasIn(changed);
		const undone = changed.filter((each) => isThere(each) !== isAdding);
		const lost = sent.filter((each) => !isThere(each) && !isOwn(each));
		if (undone.length + lost.length === 0) return;
		const state = isAdding ? 'is missing' : 'is still there';
		const parts = [
			undone.length > 0 && `${entry} ${undone.join(', ')} ${state}`,
			lost.length > 0 && `${entry} ${lost.join(', ')} was there before and is missing`,
		];
		const shown = (list: unknown) => cut([list].flat().join(', ') || 'none');
		throw knownError(
			context.getNode(),
			{ outcome: 'unknown', verifyAt: path() },
			`Another process changed the ${entry}s of ${named()} at the same time: ${parts.filter(Boolean).join('; ')} (sent: ${shown(sent)}; now: ${shown(now)}). Check ${path()}`,
			'The service does not show which change came first. Running the operation again is safe.',
		);
	};

	const plan = async () => {
		const { record, list } = await read();
		const isThere = hasIn(list);
		const entries = distinct([settings[from]].flat().map(String));
		const changed = entries.filter((each) => isThere(each) !== isAdding);
		const unneeded = entries.filter((each) => isThere(each) === isAdding);
		const extra = isAdding
			? { added_count: changed.length, already_there: unneeded }
			: { removed_count: changed.length, not_there: unneeded };
		if (list === 'all' && !isAdding) {
			const why = `: ${named()} applies to all ${entry}s, not to a list of them`;
			throw refused(item, why, 'Use Update to choose them first.');
		}
		if (list === 'all' || changed.length === 0) return { record, extra };
		return { record, change: changeFrom(list, changed), extra };
	};
	return { lock: path(), plan };
}

const keyOf = (entry: unknown) => entryForm(String(entry).trim());

function hasIn(list: List): (entry: unknown) => boolean {
	const keys = list === 'all' ? undefined : new Set(list.map(keyOf));
	return (entry) => keys?.has(keyOf(entry)) ?? true;
}
