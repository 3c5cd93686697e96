import type { GenericValue, IDataObject, IExecuteData } from 'n8n-workflow';
import { holderOf } from '../input/value';
import type { Composing, ListChange, Operation, Route } from '../operation';
import { fillPath, idsOf, partsOf } from '../operation';
import { targets } from '../operation/targets';
import { valueAt } from '../lib/records';
import { cut, knownError } from '../receive/errors';
import { recordNameOf } from '../vocabulary/words';
import { recordOf } from '../client/records';
import type { Change, Done, Send } from './change';
import { readAfter, stillHolds } from './change';
import { withRecordLock } from './recordLock';

/** The path of the record that a route updates. */
export const updatedPath = (route: Route) => partsOf(route).template.replace(/\/update$/, '');

/** A list, or `all` where the record has every entry that exists. */
type List = GenericValue[] | 'all';

/** What is left to do. */
interface Plan {
	/** Entries to add or remove. */
	changed: string[];
	/** Entries that need no change. */
	unneeded: string[];
	/** The whole list to send. */
	list: GenericValue[];
	/** Undefined where nothing is left to do. */
	request?: Change;
}

/** By run: the current ID of a record by the one that items name. An invitation gets a new ID with each update. */
const newIds = new WeakMap<IExecuteData, Map<string, string>>();

/** Adds entries to a list of a record, or removes them: reads, merges, writes the whole list, and reads once more. */
export class ListWork {
	private readonly isAdding: boolean;

	/** The ID as the item names it. */
	private readonly askedId: string;

	private readonly newIds: Map<string, string>;

	constructor(
		private readonly at: Composing,
		private readonly operation: Operation,
		private readonly change: ListChange,
	) {
		this.isAdding = change.how === 'add';
		this.askedId = at.ids[this.idName]!;
		const run = at.context.getExecuteData();
		this.newIds = newIds.get(run) ?? new Map<string, string>();
		newIds.set(run, this.newIds);
	}

	async make(send: Send): Promise<Done> {
		return await withRecordLock(this.at.context, this.path, async () => {
			let record = await this.read();
			const plan = this.planFor(record);
			const { changed, unneeded, request } = plan;
			if (request) {
				const { id } = await send(request);
				if (id) this.newIds.set(this.askedId, String(id));
				const what = `The ${this.change.entry}s were ${this.isAdding ? 'added' : 'removed'}`;
				const now = await readAfter(this.at, { what, verifyAt: this.path }, async () => {
					record = await this.read();
					return this.listOf(record);
				});
				this.compare(plan, now);
			}
			const beside = this.isAdding
				? { added_count: changed.length, already_there: unneeded }
				: { removed_count: changed.length, not_there: unneeded };
			return { record, beside };
		});
	}

	/** The request that would be sent; undefined where nothing is left to do. */
	async preview(): Promise<Change | undefined> {
		return this.planFor(await this.read()).request;
	}

	private get idName() {
		return idsOf(this.operation.route).at(-1)!;
	}

	private get id(): string {
		return this.newIds.get(this.askedId) ?? this.askedId;
	}

	private get path(): string {
		return fillPath(updatedPath(this.operation.route), { ...this.at.ids, [this.idName]: this.id });
	}

	/** In a sentence: `the client 7c41e2b09a`. */
	private get named(): string {
		return `the ${targets[this.idName]?.label ?? 'record'} ${this.id}`;
	}

	private readonly read = async () => await recordOf(this.at.context, this.path);

	private readonly keyOf = (entry: unknown) =>
		this.change.ignoresCase ? String(entry).trim().toLowerCase() : String(entry);

	/** Whether a list has an entry. */
	private hasIn(list: List): (entry: unknown) => boolean {
		const keys = list === 'all' ? undefined : new Set(list.map(this.keyOf));
		return (entry) => keys?.has(this.keyOf(entry)) ?? true;
	}

	private listOf(record: IDataObject): List {
		const { all, along = {}, place, entry } = this.change;
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

	private planFor(record: IDataObject): Plan {
		const list = this.listOf(record);
		const asked = [this.at.settings[this.change.from]].flat().map(String);
		const entries = [...new Map(asked.map((entry) => [this.keyOf(entry), entry])).values()];
		const isThere = this.hasIn(list);
		const changed = entries.filter((entry) => isThere(entry) !== this.isAdding);
		const unneeded = entries.filter((entry) => isThere(entry) === this.isAdding);
		if (list === 'all' && !this.isAdding) {
			throw this.refused(
				`applies to all ${this.change.entry}s, not to a list of them`,
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

	/** @param before the list that it was made from */
	private requestFor(list: GenericValue[], before: List): Change {
		const { place, along = {} } = this.change;
		const { route, touches } = this.operation;
		const body: IDataObject = {};
		for (const [at, value] of [...Object.entries(along), [place, list] as const]) {
			const [holder, key] = holderOf(body, `${recordNameOf(route)}.${at}`);
			holder[key] = value;
		}
		const isSame = async () =>
			JSON.stringify(this.listOf(await this.read())) === JSON.stringify(before);
		const ids = { ...this.at.ids, [this.idName]: this.id };
		return { route, touches, ids, body, before: stillHolds(this.at, this.operation, isSame) };
	}

	/** @throws NodeOperationError with both lists, where the list is not as it was sent */
	private compare({ changed, list: sent }: Plan, now: List): void {
		const [isThere, isOwn] = [this.hasIn(now), this.hasIn(changed)];
		const undone = changed.filter((entry) => isThere(entry) !== this.isAdding);
		const lost = sent.filter((entry) => !isThere(entry) && !isOwn(entry));
		if (undone.length + lost.length === 0) return;
		const { entry } = this.change;
		const parts = [
			[undone, this.isAdding ? 'is missing' : 'is still there'] as const,
			[lost, 'was there before and is missing'] as const,
		].map(([some, state]) => some.length > 0 && `${entry} ${some.join(', ')} ${state}`);
		const shown = (list: unknown) => cut([list].flat().join(', ') || 'none');
		throw knownError(
			this.at.context.getNode(),
			{ outcome: 'unknown', verifyAt: this.path },
			`Another process changed the ${entry}s of ${this.named} at the same time: ${parts.filter(Boolean).join('; ')} (sent: ${shown(sent)}; now: ${shown(now)}). Check ${this.path}`,
			'The service does not show which change came first. Running the operation again is safe.',
		);
	}

	private refused(why: string, todo: string) {
		const message = `${this.operation.labels.name} was refused: ${this.named} ${why}`;
		return knownError(this.at.context.getNode(), { outcome: 'notSent' }, message, todo);
	}
}
