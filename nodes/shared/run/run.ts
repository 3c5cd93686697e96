import type { IExecuteData } from 'n8n-workflow';
import { clock } from '../client/clock';
import { newReads } from '../client/sharedReads';
import { Semaphore } from '../client/semaphore';
import type { ItemContext } from '../n8n/context';
import { cancelSignal, onAbort } from '../n8n/context';
import { leaveTrace, TRACES } from '../n8n/trace';
import { isOutcomeUnknown } from '../receive/errors';

/** Files of one run of a node that are read at the same time. */
export const MAX_DOWNLOADS = 3;

/** The items of one run of a node, which n8n starts all at once. Bad input of one keeps all changes from being sent. */
export class Run {
	/** How many items it has. */
	readonly total: number;

	/** Whether a request of an operation has left, in an earlier try, too. */
	hasSent: boolean;

	/** Each download holds a connection and writes to the disk. */
	readonly downloads = new Semaphore(MAX_DOWNLOADS);

	private readonly entered = new Set<number>();

	/** How many items have ended. */
	private ended = 0;

	/** Lookups of names, all of which end before the first change. */
	private readonly lookups: Array<Promise<unknown>> = [];

	private readonly changes: OrderedMutations<unknown>;

	private readonly expected: number;

	/** Changes of tools with an unknown outcome, by what was asked for: n8n may try them again. */
	private readonly unsure: Map<string, unknown>;

	/** Ends the watch for a cancelled execution. */
	private readonly unsubscribe: () => void;

	private constructor(context: ItemContext, earlier?: Run) {
		newReads(context);
		const before = isToolCall(context) ? undefined : earlier;
		this.changes = new OrderedMutations(
			context.continueOnFail(),
			isOutcomeUnknown,
			before?.changes.settled,
		);
		this.hasSent = before?.hasSent ?? false;
		this.total = totalOf(context);
		this.expected = expectedItems(context, this.total);
		this.unsure = earlier?.unsure ?? new Map<string, unknown>();
		this.unsubscribe = onAbort(cancelSignal(context), () => this.cancelled(context));
	}

	private static readonly runs = new WeakMap<IExecuteData, Run>();

	/**
	 * The run that an item belongs to. Retry On Fail hands in the same data again: a new run, which does not repeat the
	 * changes of the first. An agent hands in the same data with each call of a tool: a new run, which repeats all but
	 * changes with an unknown outcome.
	 */
	static of(context: ItemContext): Run {
		const key = context.getExecuteData();
		let run = Run.runs.get(key);
		if (!run || run.entered.has(context.getItemIndex())) {
			run = new Run(context, run);
			Run.runs.set(key, run);
		}
		return run;
	}

	/**
	 * Called once for each item, before anything is sent.
	 * @param check reads the input of the item
	 * @throws what `check` throws: it keeps the changes of all other items from being sent
	 */
	enter<T>(context: ItemContext, check: (item: ItemContext) => T): T {
		this.entered.add(context.getItemIndex());
		try {
			return check(context);
		} catch (error) {
			return this.refused(error);
		}
	}

	/** Apart, since n8n's lint rules let a catch clause throw nothing but errors of nodes. */
	private refused(error: unknown): never {
		this.changes.fail();
		throw error;
	}

	/** Called once for each item when it has ended, well or not. */
	end(): void {
		this.ended += 1;
		if (this.ended >= this.total) this.unsubscribe();
	}

	/** How many changes have been made, in an earlier try, too. */
	get made(): number {
		return this.changes.made;
	}

	/** Resolves when no change is under way or waits for its turn. */
	async idle(): Promise<void> {
		await this.changes.idle();
	}

	/** n8n keeps no output of a node that it ends: what was changed would be nowhere. */
	private cancelled(context: ItemContext): void {
		if (this.made === 0) return;
		const value = `${context.getNode().name}: ${this.made} of ${this.total} made`;
		const line = `The execution ended after ${this.made} of ${this.total} changes of this node`;
		leaveTrace(context, { key: TRACES.changes, value, line });
	}

	/**
	 * Makes a change in item order, one at a time.
	 * @param what tells it from other changes, by what was asked for; long bodies make it costly
	 * @param lookUp finds what the item names; where that fails, no change of the run is made
	 * @returns its result; undefined when it was not made because another item had failed
	 */
	async inOrder<T>(
		context: ItemContext,
		what: () => string,
		change: () => Promise<T>,
		lookUp: () => Promise<unknown> = async () => {},
	): Promise<T | undefined> {
		const found = lookUp();
		let isFound = true;
		this.lookups.push(
			found.catch(() => {
				isFound = false;
				this.changes.fail();
			}),
		);
		const make = async () => {
			await Promise.all(this.lookups);
			// n8n has reported its error by now and drops this promise: a rejection would have no owner.
			if (this.entered.size < this.expected || this.changes.hasFailed || !isFound) return undefined;
			const isRetried = isRetriedTool(context);
			// Before the change, which adds to its input.
			const asked = isRetried || this.unsure.size > 0 ? what() : '';
			if (this.unsure.has(asked)) throw this.unsure.get(asked);
			return await change().catch((error: Error) => {
				if (isRetried && isOutcomeUnknown(error)) this.unsure.set(asked, error);
				throw error;
			});
		};
		const made = this.changes.make(context.getItemIndex(), make);
		// A failed lookup is the error of the item, whatever comes of its turn.
		made.catch(() => {});
		await found;
		return (await made) as T | undefined;
	}
}

/** An agent calls a tool for one thing, whatever it was handed itself. */
function totalOf(context: ItemContext): number {
	const { node, data } = context.getExecuteData();
	return isToolCall(context) || node.executeOnce ? 1 : (data.main?.[0]?.length ?? 1);
}

/**
 * How many items enter a run at once; 0 when n8n does not tell. If an expression of a later item fails, n8n ends
 * its loop over the items and reports that, while the items before it are on their way: those must not change anything.
 */
function expectedItems(context: ItemContext, total: number): number {
	const { batching } = context.getNodeParameter('requestOptions', {}) as { batching?: unknown };
	return isToolCall(context) || batching || context.continueOnFail() ? 0 : total;
}

/** An agent that calls tools itself hands in data of its own. */
const isToolCall = (context: ItemContext) =>
	context.getExecuteData().node.name !== context.getNode().name;

const isRetriedTool = (context: ItemContext) =>
	isToolCall(context) && context.getNode().retryOnFail === true;

/** What became of a change; kept, so that a retry does not repeat it. */
export type Settled<T> = { result: T } | { unsure: Error };

/**
 * The changes of a run: one at a time, in the order in which items hand them in, and none after a failure unless the
 * run keeps going. A retry repeats neither a change that was made nor one whose outcome is unknown.
 */
export class OrderedMutations<T> {
	/** The end of the last change that was handed in. */
	private last: Promise<unknown> = Promise.resolve();

	private waiting = 0;

	private failed = false;

	/** Whether nothing more is sent. */
	get hasFailed(): boolean {
		return this.failed;
	}

	/** How many changes have been made. */
	made: number;

	/**
	 * @param keepsGoing whether changes are made after a failure
	 * @param isUnsure whether a failed change may have been made all the same
	 * @param settled what an earlier try of the same run has brought, by the index of its item
	 */
	constructor(
		private readonly keepsGoing: boolean,
		private readonly isUnsure: (error: Error) => boolean,
		readonly settled = new Map<number, Settled<T>>(),
	) {
		this.made = [...settled.values()].filter((each) => 'result' in each).length;
	}

	/** Keeps everything from being sent that has not been sent yet. */
	fail(): void {
		if (!this.keepsGoing) this.failed = true;
	}

	/**
	 * Makes a change when its turn comes.
	 * @returns its result, or undefined when it was not made because another one had failed
	 * @throws what it failed with
	 */
	async make(index: number, change: () => Promise<T>): Promise<T | undefined> {
		// After a tick, n8n has handed in all items and every input has been checked.
		const before =
			this.waiting === 0 ? this.last.then(async () => await clock.sleep(0)) : this.last;
		this.waiting += 1;
		const made = before.then(async () =>
			this.failed ? undefined : await this.once(index, change),
		);
		this.last = made.catch(() => this.fail()).finally(() => (this.waiting -= 1));
		return await made;
	}

	private async once(index: number, change: () => Promise<T>): Promise<T> {
		const earlier = this.settled.get(index);
		if (earlier) {
			if ('unsure' in earlier) throw earlier.unsure;
			return earlier.result;
		}
		const result = await change().catch((error: Error) => {
			if (this.isUnsure(error)) this.settled.set(index, { unsure: error });
			throw error;
		});
		if (result === undefined) return result;
		this.settled.set(index, { result });
		this.made += 1;
		return result;
	}

	/** Resolves when all changes that were handed in have been made or given up. */
	async idle(): Promise<void> {
		await this.last;
	}
}
