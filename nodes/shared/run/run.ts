import type { IExecuteData } from 'n8n-workflow';
import { clock } from '../client/clock';
import { newReads } from '../client/runCache';
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

	private ended = 0;

	/** Lookups of names; all must end before the first change. */
	private readonly lookups: Array<Promise<unknown>> = [];

	readonly changes: OrderedMutations<unknown>;

	/** Items that must enter before a change, since n8n may report a later item's error first; 0 if unknown. */
	private readonly expected: number;

	/** Errors of tool calls with an unknown outcome, by their input: n8n may retry them. */
	private readonly unsure: Map<string, unknown>;

	/** Stops listening for a cancelled execution. */
	private readonly unsubscribe: () => void;

	private constructor(context: ItemContext, earlier?: Run) {
		newReads(context);
		const outcomes = isToolCall(context) ? undefined : earlier?.changes.outcomes;
		this.changes = new OrderedMutations(context.continueOnFail(), isOutcomeUnknown, outcomes);
		this.hasSent = !isToolCall(context) && earlier?.hasSent === true;
		this.total = totalOf(context);
		const { batching } = context.getNodeParameter('requestOptions', {}) as { batching?: unknown };
		const isUnknown = isToolCall(context) || batching || context.continueOnFail();
		this.expected = isUnknown ? 0 : this.total;
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

	/** Reads the input of an item, once and before anything is sent; if this throws, no item makes a change. */
	enter<T>(context: ItemContext, check: (item: ItemContext) => T): T {
		this.entered.add(context.getItemIndex());
		let isChecked = false;
		try {
			const checked = check(context);
			isChecked = true;
			return checked;
		} finally {
			if (!isChecked) this.changes.fail();
		}
	}

	/** Called once for each item when it has ended, also after an error. */
	end(): void {
		this.ended += 1;
		if (this.ended >= this.total) this.unsubscribe();
	}

	/** Records the changes made, because n8n keeps no output of a cancelled node. */
	private cancelled(context: ItemContext): void {
		const { made } = this.changes;
		if (made === 0) return;
		const value = `${context.getNode().name}: ${made} of ${this.total} made`;
		const line = `The execution ended after ${made} of ${this.total} changes of this node`;
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
		const isFound = found.then(
			() => true,
			() => (this.changes.fail(), false),
		);
		this.lookups.push(isFound);
		const make = async () => {
			await Promise.all(this.lookups);
			// n8n has already reported the error and ignores this promise; a rejection would be unhandled.
			if (this.entered.size < this.expected || this.changes.hasFailed) return undefined;
			if (!(await isFound)) return undefined;
			const isRetried = isToolCall(context) && context.getNode().retryOnFail === true;
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

/** A tool call has the execution data of the agent's node. */
const isToolCall = (context: ItemContext) =>
	context.getExecuteData().node.name !== context.getNode().name;

/** Outcome of a change; kept so that a retry does not repeat it. */
export type Settled<T> = { result: T } | { unsure: Error };

/**
 * Makes the changes of a run one at a time, in order of arrival, and none after a failure unless `keepsGoing`.
 * A retry repeats neither a change that was made nor one with an unknown outcome.
 */
export class OrderedMutations<T> {
	/** Resolves when all changes in the queue have been made or dropped. */
	idle: Promise<unknown> = Promise.resolve();

	private waiting = 0;

	/** Whether no more changes are sent. */
	hasFailed = false;

	/**
	 * @param keepsGoing whether changes are made after a failure
	 * @param isUnsure whether a failed change may still have been made
	 * @param outcomes those of an earlier try of the same run, by index of the item
	 */
	constructor(
		private readonly keepsGoing: boolean,
		private readonly isUnsure: (error: Error) => boolean,
		readonly outcomes = new Map<number, Settled<T>>(),
	) {}

	/** Number of changes made, in this try and earlier ones. */
	get made(): number {
		return [...this.outcomes.values()].filter((each) => 'result' in each).length;
	}

	/** Prevents all changes that have not been sent yet. */
	fail(): void {
		if (!this.keepsGoing) this.hasFailed = true;
	}

	/** Makes a change when its turn comes. @returns its result; undefined if another one failed before */
	async make(index: number, change: () => Promise<T>): Promise<T | undefined> {
		// After one tick n8n has started all items, and all input is checked.
		const before =
			this.waiting === 0 ? this.idle.then(async () => await clock.sleep(0)) : this.idle;
		this.waiting += 1;
		const made = before.then(async () =>
			this.hasFailed ? undefined : await this.once(index, change),
		);
		this.idle = made.catch(() => this.fail()).finally(() => (this.waiting -= 1));
		return await made;
	}

	private async once(index: number, change: () => Promise<T>): Promise<T> {
		const earlier = this.outcomes.get(index);
		if (earlier) {
			if ('unsure' in earlier) throw earlier.unsure;
			return earlier.result;
		}
		const result = await change().catch((error: Error) => {
			if (this.isUnsure(error)) this.outcomes.set(index, { unsure: error });
			throw error;
		});
		if (result !== undefined) this.outcomes.set(index, { result });
		return result;
	}
}
