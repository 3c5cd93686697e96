import type { GenericValue, IDataObject, IExecuteData } from 'n8n-workflow';
import { holderOf } from '../input/value';
import { perRecord, recordIn, valueAt } from '../lib/records';
import type { ListChange, Route } from '../operation';
import { fillPath, idsOf, partsOf } from '../operation';
import { recordLabel } from '../input/locators';
import { listsIn } from '../receive/proof';
import { cut } from '../receive/secrets';
import { recordNameOf } from '../vocabulary/words';
import { recordOf } from '../client/records';
import type { Change, Done, Send } from './change';
import { ComposedChange, withRecordLock } from './change';
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
export class ListWork extends ComposedChange<ListChange> {
	private readonly idName = idsOf(this.item.operation.route).at(-1)!;

	/** The ID as the item names it. */
	private readonly askedId = this.item.ids[this.idName]!;

	private readonly newIds = newIdsOf(this.item.context.getExecuteData());

	private readonly isAdding = this.composed.how === 'add';

	async make(send: Send): Promise<Done> {
		return await withRecordLock(this.item, this.record.path, async () => {
			let record = await this.read();
			const { changed, unneeded, request, list } = this.planFor(record);
			if (request) {
				const { id } = await send(request);
				if (id) this.newIds.set(this.askedId, String(id));
				const what = `The ${this.composed.entry}s were ${this.isAdding ? 'added' : 'removed'}`;
				const now = await this.readAfter(what, this.record.path, async () => {
					record = await this.read();
					return this.listOf(record);
				});
				this.compare(changed, list, now);
			}
			const extra = this.isAdding
				? { added_count: changed.length, already_there: unneeded }
				: { removed_count: changed.length, not_there: unneeded };
			return { record, extra };
		});
	}

	async preview() {
		return this.planFor(await this.read()).request;
	}

	/** The record by its current ID; `named` is for a sentence, such as `the client 7c41e2b09a`. */
	private get record() {
		const id = this.newIds.get(this.askedId) ?? this.askedId;
		const ids = { ...this.item.ids, [this.idName]: id };
		const path = fillPath(updatedPath(this.item.operation.route), ids);
		return { ids, path, named: `the ${recordLabel(this.idName)} ${id}` };
	}

	private readonly read = async () => await recordOf(this.item.context, this.record.path);

	private readonly keyOf = (entry: unknown) =>
		this.composed.ignoresCase ? String(entry).trim().toLowerCase() : String(entry);

	/** Whether a list has an entry. */
	private hasIn(list: List): (entry: unknown) => boolean {
		const keys = list === 'all' ? undefined : new Set(list.map(this.keyOf));
		return (entry) => keys?.has(this.keyOf(entry)) ?? true;
	}

	private listOf(record: IDataObject): List {
		const { all, along = {}, place, entry } = this.composed;
		const has = ([at, state]: [string, unknown]) => valueAt(record, at) === state;
		if (all && Object.entries(all).every(has)) return 'all';
		const value = valueAt(record, place);
		const list = value === null ? [] : value;
		if (Array.isArray(list) && Object.entries(along).every(has)) return list;
		throw this.refused(
			`was returned without its list of ${entry}s (${place})`,
			'The current entries of the list are unknown and would be lost. Nothing was changed by this item.',
		);
	}

	/** Entries to change and others, the whole list to send, and its request; undefined if nothing is left to do. */
	private planFor(record: IDataObject) {
		const list = this.listOf(record);
		const asked = [this.item.settings[this.composed.from]].flat().map(String);
		const entries = [...new Map(asked.map((entry) => [this.keyOf(entry), entry])).values()];
		const isThere = this.hasIn(list);
		const changed = entries.filter((entry) => isThere(entry) !== this.isAdding);
		const unneeded = entries.filter((entry) => isThere(entry) === this.isAdding);
		if (list === 'all' && !this.isAdding) {
			throw this.refused(
				`applies to all ${this.composed.entry}s, not to a list of them`,
				'Use Update to choose them first. Nothing was changed.',
			);
		}
		if (list === 'all' || changed.length === 0) return { changed, unneeded, list: [] };
		const isChanged = this.hasIn(changed);
		const merged = this.isAdding
			? [...list, ...changed]
			: list.filter((entry) => !isChanged(entry));
		return { changed, unneeded, list: merged, request: this.requestFor(merged, list) };
	}

	/** @param before the list before the change */
	private requestFor(list: GenericValue[], before: List): Change {
		const { place, along = {} } = this.composed;
		const { route, touches } = this.item.operation;
		const body: IDataObject = {};
		for (const [at, value] of [...Object.entries(along), [place, list] as const]) {
			const [holder, key] = holderOf(body, `${recordNameOf(route)}.${at}`);
			holder[key] = value;
		}
		const isSame = async () =>
			JSON.stringify(this.listOf(await this.read())) === JSON.stringify(before);
		return { route, touches, ids: this.record.ids, body, before: this.stillHolds(isSame) };
	}

	/** @throws NodeOperationError with both lists, if the list is not as it was sent */
	private compare(changed: string[], sent: GenericValue[], now: List): void {
		const isThere = this.hasIn(now);
		const isOwn = this.hasIn(changed);
		const undone = changed.filter((entry) => isThere(entry) !== this.isAdding);
		const lost = sent.filter((entry) => !isThere(entry) && !isOwn(entry));
		if (undone.length + lost.length === 0) return;
		const { entry } = this.composed;
		const state = this.isAdding ? 'is missing' : 'is still there';
		const parts = [
			undone.length > 0 && `${entry} ${undone.join(', ')} ${state}`,
			lost.length > 0 && `${entry} ${lost.join(', ')} was there before and is missing`,
		];
		const shown = (list: unknown) => cut([list].flat().join(', ') || 'none');
		throw this.error(
			{ outcome: 'unknown', verifyAt: this.record.path },
			`Another process changed the ${entry}s of ${this.record.named} at the same time: ${parts.filter(Boolean).join('; ')} (sent: ${shown(sent)}; now: ${shown(now)}). Check ${this.record.path}`,
			'The service does not show which change came first. Running the operation again is safe.',
		);
	}

	private refused(why: string, todo: string) {
		const message = `${this.item.operation.labels.name} was refused: ${this.record.named} ${why}`;
		return this.error({ outcome: 'notSent' }, message, todo);
	}
}
