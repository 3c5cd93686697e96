import type { GenericValue, IDataObject, IExecuteData } from 'n8n-workflow';
import type { LocatorName } from '../input/locators';
import { holderOf } from '../input/value';
import type { Composing, ListChange, Operation, Route } from '../operation';
import { fillPath, idsOf } from '../operation';
import { targets } from '../operation/targets';
import { valueAt } from '../lib/valueAt';
import { cut } from '../receive/reason';
import { recordNameOf } from '../vocabulary/collections';
import { recordOf } from '../client/record';
import type { Change, ComposedChange, Done, Send } from './change';
import { problem, readAfter, stillHolds } from './change';
import { withRecordLock } from './recordLock';

/** What is left to do to a list. */
interface Plan {
	/** Entries to add or remove. */
	changed: string[];
	/** Entries that need no change. */
	unneeded: string[];
	/** The whole list to send. */
	list: GenericValue[];
}

/** By run: the current ID of a record by the one that items name. An invitation gets a new ID with each update. */
const currentIds = new WeakMap<IExecuteData, Map<string, string>>();

/** The path of the record that a route updates. */
export const updatedPath = (route: Route) =>
	route.slice(route.indexOf('/')).replace(/\/update$/, '');

/** Adds entries to a list of a record, or removes them: reads, merges, writes the whole list, and reads once more. */
export class ListWork implements ComposedChange {
	private readonly idName: LocatorName;

	private readonly currentIds: Map<string, string>;

	constructor(
		private readonly at: Composing,
		private readonly operation: Operation,
		private readonly change: ListChange,
	) {
		this.idName = idsOf(operation.route).at(-1)!;
		const run = at.context.getExecuteData();
		this.currentIds = currentIds.get(run) ?? new Map<string, string>();
		currentIds.set(run, this.currentIds);
	}

	async make(send: Send): Promise<Done> {
		return await withRecordLock(this.at.context, this.path, async () => {
			const record = await recordOf(this.at.context, this.path);
			const plan = this.planFor(record);
			if (plan.changed.length === 0) return this.doneWith(record, plan);
			const { id } = await send(this.requestFor(plan, record));
			if (id) this.currentIds.set(this.at.ids[this.idName]!, String(id));
			const verifyAt = this.path;
			const what = `The ${this.change.entry}s were ${this.isAdding ? 'added' : 'removed'}`;
			const now = await readAfter(
				this.at,
				{ what, verifyAt },
				async () => await recordOf(this.at.context, verifyAt),
			);
			this.compare(plan, now);
			return this.doneWith(now, plan);
		});
	}

	async preview(): Promise<Change | undefined> {
		const record = await recordOf(this.at.context, this.path);
		const plan = this.planFor(record);
		return plan.changed.length > 0 ? this.requestFor(plan, record) : undefined;
	}

	private get isAdding(): boolean {
		return this.change.how === 'add';
	}

	private get ids(): Record<string, string> {
		const id = this.at.ids[this.idName]!;
		return { ...this.at.ids, [this.idName]: this.currentIds.get(id) ?? id };
	}

	private get path(): string {
		return fillPath(updatedPath(this.operation.route), this.ids);
	}

	/** In a sentence: `the client 7c41e2b09a`. */
	private get named(): string {
		return `the ${targets[this.idName]?.label ?? 'record'} ${this.ids[this.idName]}`;
	}

	private readonly keyOf = (entry: unknown) =>
		this.change.ignoresCase ? String(entry).trim().toLowerCase() : String(entry);

	/** Whether an entry is in the state that the operation wants. */
	private isDone(entry: string, list: GenericValue[] | 'all'): boolean {
		const isThere = list === 'all' || list.map(this.keyOf).includes(this.keyOf(entry));
		return isThere === this.isAdding;
	}

	/** The list of a record, or `all` where the record has every entry that exists. */
	private listOf(record: IDataObject): GenericValue[] | 'all' {
		const { all, along = {}, place, entry } = this.change;
		const has = ([at, state]: [string, unknown]) => valueAt(record, at) === state;
		if (all && Object.entries(all).every(has)) return 'all';
		const value = valueAt(record, place);
		const list = value === null ? [] : value;
		if (Array.isArray(list) && Object.entries(along).every(has)) return list;
		throw problem(
			this.at,
			`${this.operation.labels.name} was refused: ${this.named} was returned without its list of ${entry}s (${place})`,
			{
				outcome: 'notSent',
				todo: 'The current entries of the list are unknown and would be lost. Nothing was changed by this item.',
			},
		);
	}

	private planFor(record: IDataObject): Plan {
		const list = this.listOf(record);
		const asked = [this.at.settings[this.change.from]].flat().map(String);
		const entries = [...new Map(asked.map((entry) => [this.keyOf(entry), entry])).values()];
		const unneeded = entries.filter((entry) => this.isDone(entry, list));
		const changed = entries.filter((entry) => !unneeded.includes(entry));
		if (list !== 'all') {
			const removed = new Set(changed.map(this.keyOf));
			const left = list.filter((entry) => !removed.has(this.keyOf(entry)));
			return { changed, unneeded, list: this.isAdding ? [...list, ...changed] : left };
		}
		if (this.isAdding) return { changed, unneeded, list: [] };
		throw problem(
			this.at,
			`${this.operation.labels.name} was refused: ${this.named} applies to all ${this.change.entry}s, not to a list of them`,
			{ outcome: 'notSent', todo: 'Use Update to choose them first. Nothing was changed.' },
		);
	}

	private requestFor({ list }: Plan, record: IDataObject): Change {
		const { place, along = {} } = this.change;
		const { route, touches } = this.operation;
		const body: IDataObject = {};
		for (const [at, value] of [...Object.entries(along), [place, list] as const]) {
			const [holder, key] = holderOf(body, `${recordNameOf(route)}.${at}`);
			holder[key] = value;
		}
		const before = JSON.stringify(this.listOf(record));
		const isSame = async () => {
			const now = await recordOf(this.at.context, this.path);
			return JSON.stringify(this.listOf(now)) === before;
		};
		return {
			...{ route, touches, ids: this.ids, body },
			before: stillHolds(this.at, this.operation, isSame),
		};
	}

	/** @throws NodeOperationError with both states, where the list is not as it was sent */
	private compare({ changed, list: sent }: Plan, record: IDataObject): void {
		const now = this.listOf(record);
		const keys = new Set(now === 'all' ? sent.map(this.keyOf) : now.map(this.keyOf));
		const undone = changed.filter((entry) => !this.isDone(entry, now));
		const lost = sent.map(String).filter((e) => !keys.has(this.keyOf(e)) && !undone.includes(e));
		if (undone.length + lost.length === 0) return;
		const { entry } = this.change;
		const state = this.isAdding ? 'missing' : 'still there';
		const parts = [
			...(undone.length > 0 ? [`${entry} ${undone.join(', ')} is ${state}`] : []),
			...(lost.length > 0 ? [`${entry} ${lost.join(', ')} was there before and is missing`] : []),
		];
		const shown = (list: unknown) => cut([list].flat().join(', ') || 'none');
		throw problem(
			this.at,
			`Another process changed the ${entry}s of ${this.named} at the same time: ${parts.join('; ')} (sent: ${shown(sent)}; now: ${shown(now)}). Check ${this.path}`,
			{
				outcome: 'unknown',
				verifyAt: this.path,
				todo: 'The service does not show which change came first. Running the operation again is safe.',
			},
		);
	}

	private doneWith(record: IDataObject, { changed, unneeded }: Plan): Done {
		const beside = this.isAdding
			? { added_count: changed.length, already_there: unneeded }
			: { removed_count: changed.length, not_there: unneeded };
		return { record, beside };
	}
}
