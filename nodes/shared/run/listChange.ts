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
export class ListWork implements ComposedChange {
	constructor(
		private readonly item: ItemRequest,
		private readonly composed: ListChange,
	) {}

	get lock() {
		return this.at.path;
	}

	readonly plan = async () => {
		const { item, composed, isAdding } = this;
		const { record, list } = await this.read();
		const asked = [item.settings[composed.from]].flat().map(String);
		const entries = distinct(asked);
		const isThere = this.hasIn(list);
		const changed = entries.filter((entry) => isThere(entry) !== isAdding);
		const unneeded = entries.filter((entry) => isThere(entry) === isAdding);
		const extra = isAdding
			? { added_count: changed.length, already_there: unneeded }
			: { removed_count: changed.length, not_there: unneeded };
		if (list === 'all' && !isAdding) {
			const why = `: ${this.at.named} applies to all ${composed.entry}s, not to a list of them`;
			throw refused(item, why, 'Use Update to choose them first.');
		}
		if (list === 'all' || changed.length === 0) return { record, extra };
		return { record, change: this.changeFrom(list, changed), extra };
	};

	private get isAdding() {
		return this.composed.how === 'add';
	}

	/** The record by its current ID; `named` is for a sentence, such as `the client 7c41e2b09a`. */
	private get at() {
		const { context, operation, ids: asked } = this.item;
		const idName = idsOf(operation.route).at(-1)!;
		const askedId = asked[idName]!;
		const newIds = newIdsOf(context.getExecuteData());
		const id = newIds.get(askedId) ?? askedId;
		const ids = { ...asked, [idName]: id };
		const path = fillPath(updatedPath(operation.route), ids);
		const named = `the ${recordLabel(idName)} ${id}`;
		return { ids, path, named, rename: (newId: string) => newIds.set(askedId, newId) };
	}

	private readonly read = async () => {
		const record = await recordOf(this.item.context, this.at.path);
		return { record, list: this.listOf(record) };
	};

	private listOf(record: IDataObject): List {
		const { all, along = {}, place, entry } = this.composed;
		const has = ([at, state]: [string, unknown]) => valueAt(record, at) === state;
		if (all && Object.entries(all).every(has)) return 'all';
		const value = valueAt(record, place);
		const list = value === null ? [] : value;
		if (Array.isArray(list) && Object.entries(along).every(has)) return list;
		throw refused(
			this.item,
			`: ${this.at.named} was returned without its list of ${entry}s (${place})`,
			'The current entries of the list are unknown and would be lost.',
		);
	}

	private readonly keyOf = (entry: unknown) => entryForm(String(entry).trim());

	private hasIn(list: List): (entry: unknown) => boolean {
		const keys = list === 'all' ? undefined : new Set(list.map(this.keyOf));
		return (entry) => keys?.has(this.keyOf(entry)) ?? true;
	}

	/** @param list the whole list before the change @param changed entries to add or remove */
	private changeFrom(list: GenericValue[], changed: string[]): Change {
		const { item, composed, isAdding, read } = this;
		const { route, touches } = item.operation;
		const { ids, rename } = this.at;
		const isChanged = this.hasIn(changed);
		const merged = isAdding ? [...list, ...changed] : list.filter((entry) => !isChanged(entry));
		const body: IDataObject = {};
		for (const [place, value] of Object.entries({ ...composed.along, [composed.place]: merged })) {
			const [holder, key] = holderOf(body, `${recordNameOf(route)}.${place}`);
			holder[key] = value;
		}
		const stillHolds = async () => JSON.stringify((await read()).list) === JSON.stringify(list);
		const after = async ({ id }: IDataObject) => {
			if (id) rename(String(id));
			const what = `The ${composed.entry}s were ${isAdding ? 'added' : 'removed'}`;
			const now = await readAfter(item, what, this.at.path, read);
			this.compare(changed, merged, now.list);
			return now.record;
		};
		return { route, touches, ids, body, stillHolds, after };
	}

	/** @throws NodeOperationError with both lists, if the list is not as it was sent */
	private compare(changed: string[], sent: GenericValue[], now: List): void {
		const isThere = this.hasIn(now);
		const isOwn = this.hasIn(changed);
		const undone = changed.filter((entry) => isThere(entry) !== this.isAdding);
		const lost = sent.filter((entry) => !isThere(entry) && !isOwn(entry));
		if (undone.length + lost.length === 0) return;
		const { entry } = this.composed;
		const { path, named } = this.at;
		const state = this.isAdding ? 'is missing' : 'is still there';
		const parts = [
			undone.length > 0 && `${entry} ${undone.join(', ')} ${state}`,
			lost.length > 0 && `${entry} ${lost.join(', ')} was there before and is missing`,
		];
		const shown = (list: unknown) => cut([list].flat().join(', ') || 'none');
		throw knownError(
			this.item.context.getNode(),
			{ outcome: 'unknown', verifyAt: path },
			`Another process changed the ${entry}s of ${named} at the same time: ${parts.filter(Boolean).join('; ')} (sent: ${shown(sent)}; now: ${shown(now)}). Check ${path}`,
			'The service does not show which change came first. Running the operation again is safe.',
		);
	}
}
