import type { IDataObject } from 'n8n-workflow';
import { holderOf } from '../input/value';
import type { Composing, ListChange, Operation, Route } from '../operation';
import { fillPath, idsOf } from '../operation';
import { valueAt } from '../lib/valueAt';
import { targets } from '../operation/targets';
import { clock } from '../client/clock';
import { cancelSignal } from '../n8n/context';
import { recordOf } from '../client/record';
import { accountOf } from '../client/request';
import type { Change, Done, Changed, Send } from './change';
import { afterwards, MAX_ROUNDS, problem, SETTLE_MS, untilFresh } from './change';
import type { Held } from './held';
import { heldOf, renamed } from './held';

/** What is to be done to a list as it is. */
interface Plan {
	/** Entries that are added or taken out. */
	changed: string[];
	/** Entries of which nothing is left to do. */
	done: string[];
	/** The whole list as it is to be. */
	list: unknown[];
}

/** The path of a record whose update has this route. */
const pathIn = (route: Route) => route.slice(route.indexOf('/')).replace(/\/update$/, '');

/** Its collection: `/clients`. */
export const collectionIn = (route: Route) => pathIn(route).replace(/\/[^/]*$/, '');

/** A change of a list, for one item. */
class ListWork {
	private readonly path: string;

	readonly id: string;

	private readonly idName: string;

	constructor(
		private readonly at: Composing,
		private readonly operation: Operation,
		private readonly change: ListChange,
	) {
		this.idName = idsOf(operation.route).at(-1)!;
		this.id = at.ids[this.idName]!;
		this.path = pathIn(operation.route);
	}

	/** What the user wants, each once. */
	get asked(): string[] {
		const given = this.at.settings[this.change.from] as string[];
		return [...new Map(given.map((entry) => [this.keyOf(entry), entry])).values()];
	}

	get isAdding(): boolean {
		return this.change.how === 'add';
	}

	/** Where to see what became of it. */
	lookAt(id: string): string {
		return fillPath(this.path, { ...this.at.ids, [this.idName]: id });
	}

	/** As it stands in a sentence: `The client 7c41e2b09a`. */
	private named(id: string): string {
		return `the ${targets[this.idName as never as 'clientId']?.label ?? 'record'} ${id}`;
	}

	async read(id: string): Promise<IDataObject> {
		return await recordOf(this.at.context, this.lookAt(id));
	}

	private readonly keyOf = (entry: unknown) =>
		this.change.ignoresCase ? String(entry).trim().toLowerCase() : String(entry);

	/** The entries of a record's list, or `all`. */
	private entriesOf(record: IDataObject, id: string): unknown[] | 'all' {
		const { all, along = {}, place, entry } = this.change;
		const has = ([at, state]: [string, unknown]) => valueAt(record, at) === state;
		if (all && Object.entries(all).every(has)) return 'all';
		const list = valueAt(record, place) === null ? [] : valueAt(record, place);
		// A list that is not there is no empty one: what the record has would be lost.
		if (Array.isArray(list) && Object.entries(along).every(has)) return list;
		throw problem(
			this.at,
			`${this.operation.labels.name} was refused: ${this.named(id)} was returned without its list of ${entry}s (${place})`,
			{
				outcome: 'notSent',
				todo: 'The current entries of the list are unknown and would be lost. Nothing was changed by this item.',
			},
		);
	}

	/** The entries of a record's list as they are compared. */
	keysIn(record: IDataObject, id: string): Set<string> | 'all' {
		const entries = this.entriesOf(record, id);
		return entries === 'all' ? entries : new Set(entries.map(this.keyOf));
	}

	planFor(record: IDataObject, id: string, asked = this.asked): Plan {
		const entries = this.entriesOf(record, id);
		if (entries === 'all') {
			if (this.isAdding) return { changed: [], done: asked, list: [] };
			throw problem(
				this.at,
				`${this.operation.labels.name} was refused: ${this.named(id)} applies to all ${this.change.entry}s, not to a list of them`,
				{ outcome: 'notSent', todo: 'Use Update to choose them first. Nothing was changed.' },
			);
		}
		const there = new Set(entries.map(this.keyOf));
		const isLeft = (entry: string) => there.has(this.keyOf(entry)) !== this.isAdding;
		const changed = asked.filter(isLeft);
		const keys = new Set(changed.map(this.keyOf));
		return {
			changed,
			done: asked.filter((entry) => !isLeft(entry)),
			list: this.isAdding
				? [...entries, ...changed]
				: entries.filter((entry) => !keys.has(this.keyOf(entry))),
		};
	}

	/** The request that makes a list what it is to be. @param record what it was made from */
	changeOf(plan: Plan, record: IDataObject, id: string, readAt: number): Change {
		const { place, along = {} } = this.change;
		const { answer, route, touches } = this.operation;
		const wrapper = 'wrapper' in answer ? answer.wrapper! : '';
		const body: IDataObject = {};
		for (const [at, value] of [...Object.entries(along), [place, plan.list] as const]) {
			const [holder, key] = holderOf(body, `${wrapper}.${at}`);
			holder[key] = value as IDataObject[string];
		}
		const before = JSON.stringify(this.entriesOf(record, id));
		return {
			route,
			touches,
			ids: { ...this.at.ids, [this.idName]: id },
			body,
			readAt,
			isSame: async () => JSON.stringify(this.entriesOf(await this.read(id), id)) === before,
		};
	}

	madeOf(record: IDataObject, { changed, done }: Plan): Changed {
		const beside = this.isAdding
			? { added_count: changed.length, already_there: done }
			: { removed_count: changed.length, not_there: done };
		return { record, beside };
	}

	/**
	 * Looks again, and does again what others have undone.
	 * @param first what was done, and the entries that were there before
	 */
	async settle(
		held: Held,
		send: Send,
		first: { plan: Plan; before: Set<string>; number: number },
	): Promise<Changed> {
		const { plan, before, number } = first;
		/** What others may have undone, by its key; what this process has changed later is no longer ours. */
		const own = new Map(plan.changed.map((entry) => [this.keyOf(entry), { entry, number }]));
		const others = [...before].filter((key) => !own.has(key));
		for (let round = 1; ; round++) {
			await clock.sleep(SETTLE_MS, cancelSignal(this.at.context));
			const record = await this.read(held.id);
			const now = this.keysIn(record, held.id);
			const isThere = (key: string) => now === 'all' || now.has(key);
			for (const [key, each] of own) {
				if (held.isChangedSince(each.number, key)) own.delete(key);
			}
			const undone = [...own].filter(([key]) => isThere(key) !== this.isAdding);
			const lost = others.filter((key) => !held.isChangedSince(number, key) && !isThere(key));
			if (undone.length + lost.length === 0) return this.madeOf(record, plan);
			const entries = undone.map(([, { entry }]) => entry);
			if (round === MAX_ROUNDS) throw this.lostError(held.id, { undone: entries, lost });
			if (undone.length === 0) continue;
			const again = await held.alone(async () => await this.make(held, send, entries));
			if (again.number === undefined) continue;
			for (const [, each] of undone) each.number = again.number;
		}
	}

	private lostError(id: string, { undone, lost }: { undone: string[]; lost: string[] }) {
		const { entry } = this.change;
		const state = this.isAdding ? 'missing' : 'still there';
		const parts = [
			...(undone.length > 0 ? [`${entry} ${undone.join(', ')} is ${state}`] : []),
			...(lost.length > 0 ? [`${entry} ${lost.join(', ')} was there before and is missing`] : []),
		];
		const look = this.lookAt(id);
		return problem(
			this.at,
			`Another process changed the ${entry}s of ${this.named(id)} at the same time: ${parts.join('; ')}. Check ${look}`,
			{
				outcome: 'unknown',
				verifyAt: look,
				todo: 'The service does not show which change came first. Running the operation again is safe.',
			},
		);
	}

	/** Reads, merges and writes. Nothing is sent where nothing is left to do. */
	async make(held: Held, send: Send, asked?: string[]) {
		return await untilFresh(this.at, this.operation.labels.name, async () => {
			const readAt = clock.now();
			const record = await this.read(held.id);
			const plan = this.planFor(record, held.id, asked);
			if (plan.changed.length === 0) return { plan, record };
			const after = await send(this.changeOf(plan, record, held.id, readAt));
			const number = held.note(plan.changed.map(this.keyOf));
			const { limiter } = await accountOf(this.at.context);
			renamed(limiter, collectionIn(this.operation.route), held, String(after.id ?? held.id));
			return { plan, record, number };
		});
	}
}

/** Adds entries to a list of a record, or takes them out. */
export async function changeList(
	at: Composing,
	operation: Operation,
	change: ListChange,
	send: Send,
): Promise<Done> {
	const work = new ListWork(at, operation, change);
	const { limiter } = await accountOf(at.context);
	const held = heldOf(limiter, collectionIn(operation.route), work.id);
	const { plan, record, number } = await held.alone(async () => await work.make(held, send));
	const made = work.madeOf(record, plan);
	if (number === undefined) return { made };
	const before = work.keysIn(record, held.id) as Set<string>;
	const what = `The ${change.entry}s were ${work.isAdding ? 'added' : 'removed'}`;
	return {
		made,
		settled: async () =>
			await afterwards(
				at,
				{ what, look: work.lookAt(held.id) },
				async () => await work.settle(held, send, { plan, before, number }),
			),
	};
}

/** What would be sent. */
export async function listPreview(
	at: Composing,
	operation: Operation,
	change: ListChange,
): Promise<Change | undefined> {
	const work = new ListWork(at, operation, change);
	const record = await work.read(work.id);
	const plan = work.planFor(record, work.id);
	return plan.changed.length > 0 ? work.changeOf(plan, record, work.id, clock.now()) : undefined;
}
