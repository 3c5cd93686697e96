import type { IExecuteData } from 'n8n-workflow';
import { clock } from '../client/clock';
import { newReads } from '../client/sharedReads';
import { Semaphore } from '../client/queue';
import type { ItemContext } from '../n8n/context';
import { cancelSignal, onAbort } from '../n8n/context';
import { leaveTrace, TRACES } from '../n8n/trace';
import { isOutcomeUnknown } from '../receive/errors';

/** Maximum parallel downloads in a run. */
export const MAX_DOWNLOADS = 3;

/** A run of a node. n8n starts all its items at once; bad input of one item prevents all changes. */
export class Run {
	/** Number of items. */
	readonly total: number;

	/** Whether a request of an operation was sent, in this try or an earlier one. */
	hasSent: boolean;

	/** Each download holds a connection and writes to the disk. */
	readonly downloads = new Semaphore(MAX_DOWNLOADS);

	private readonly entered = new Set<number>();

	/** Number of items that have ended. */
	private ended = 0;

	/** Lookups of names; all must end before the first change. */
	private readonly lookups: Array<Promise<unknown>> = [];

	private readonly changes: OrderedMutations<unknown>;

	private readonly expected: number;

	/** Errors of tool calls with an unknown outcome, by their input: n8n may retry them. */
	private readonly unsure: Map<string, unknown>;

	/** Stops listening for a cancelled execution. */
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
	 * The run of an item. Retry On Fail passes the same data again: that is a new run without the changes already made.
	 * An agent passes the same data with each tool call: a new run, which repeats all changes except those with an
	 * unknown outcome.
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
	 * @throws the error of `check`, which prevents the changes of all other items
	 */
	enter<T>(context: ItemContext, check: (item: ItemContext) => T): T {
		this.entered.add(context.getItemIndex());
		try {
			return check(context);
		} catch (error) {
			return this.refused(error);
		}
	}

	/** A method, because n8n's lint rules let a catch clause throw only errors of nodes. */
	private refused(error: unknown): never {
		this.changes.fail();
		throw error;
	}

	/** Called once for each item when it has ended, also after an error. */
	end(): void {
		this.ended += 1;
		if (this.ended >= this.total) this.unsubscribe();
	}

	/** Number of changes made, in this try and earlier ones. */
	get made(): number {
		return this.changes.made;
	}

	/** Resolves when no change is running or waiting. */
	async idle(): Promise<void> {
		await this.changes.idle();
	}

	/** Records the changes made, because n8n keeps no output of a cancelled node. */
	private cancelled(context: ItemContext): void {
		if (this.made === 0) return;
		const value = `${context.getNode().name}: ${this.made} of ${this.total} made`;
		const line = `The execution ended after ${this.made} of ${this.total} changes of this node`;
		leaveTrace(context, { key: TRACES.changes, value, line });
	}

	/**
	 * Makes a change in item order, one at a time.
	 * @param what returns a key of the change from its input; slow for long bodies
	 * @param lookUp finds the records that the item names; if it fails, no change of the run is made
	 * @returns its result; undefined if it was not made because another item failed
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
			// n8n has already reported the error and ignores this promise; a rejection would be unhandled.
			if (this.entered.size < this.expected || this.changes.hasFailed || !isFound) return undefined;
			const isRetried = isRetriedTool(context);
			// Before the change, which modifies its input.
			const asked = isRetried || this.unsure.size > 0 ? what() : '';
			if (this.unsure.has(asked)) throw this.unsure.get(asked);
			return await change().catch((error: Error) => {
				if (isRetried && isOutcomeUnknown(error)) this.unsure.set(asked, error);
				throw error;
			});
		};
		const made = this.changes.make(context.getItemIndex(), make);
		// The error of a failed lookup takes precedence.
		made.catch(() => {});
		await found;
		return (await made) as T | undefined;
	}
}

/** Number of items; 1 for a tool call, whose input data are those of the agent. */
function totalOf(context: ItemContext): number {
	const { node, data } = context.getExecuteData();
	return isToolCall(context) || node.executeOnce ? 1 : (data.main?.[0]?.length ?? 1);
}

/**
 * Number of items that enter a run at once; 0 if unknown. If an expression of a later item fails, n8n reports that
 * error while earlier items are still running. Those must not make changes then.
 */
function expectedItems(context: ItemContext, total: number): number {
	const { batching } = context.getNodeParameter('requestOptions', {}) as { batching?: unknown };
	return isToolCall(context) || batching || context.continueOnFail() ? 0 : total;
}

/** A tool call has the execution data of the agent's node. */
const isToolCall = (context: ItemContext) =>
	context.getExecuteData().node.name !== context.getNode().name;

const isRetriedTool = (context: ItemContext) =>
	isToolCall(context) && context.getNode().retryOnFail === true;

/** Outcome of a change; kept so that a retry does not repeat it. */
export type Settled<T> = { result: T } | { unsure: Error };

/**
 * Makes the changes of a run one at a time, in order of arrival, and none after a failure unless `keepsGoing`.
 * A retry repeats neither a change that was made nor one with an unknown outcome.
 */
export class OrderedMutations<T> {
	/** Resolves at the end of the last change in the queue. */
	private last: Promise<unknown> = Promise.resolve();

	private waiting = 0;

	private failed = false;

	/** Whether no more changes are sent. */
	get hasFailed(): boolean {
		return this.failed;
	}

	/** Number of changes made. */
	made: number;

	/**
	 * @param keepsGoing whether changes are made after a failure
	 * @param isUnsure whether a failed change may still have been made
	 * @param settled outcomes of an earlier try of the same run, by index of the item
	 */
	constructor(
		private readonly keepsGoing: boolean,
		private readonly isUnsure: (error: Error) => boolean,
		readonly settled = new Map<number, Settled<T>>(),
	) {
		this.made = [...settled.values()].filter((each) => 'result' in each).length;
	}

	/** Prevents all changes that have not been sent yet. */
	fail(): void {
		if (!this.keepsGoing) this.failed = true;
	}

	/**
	 * Makes a change when its turn comes.
	 * @returns its result, or undefined if it was not made because another one failed
	 * @throws the error of the change
	 */
	async make(index: number, change: () => Promise<T>): Promise<T | undefined> {
		// After one tick n8n has started all items, and all input is checked.
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

	/** Resolves when all changes in the queue have been made or dropped. */
	async idle(): Promise<void> {
		await this.last;
	}
}
