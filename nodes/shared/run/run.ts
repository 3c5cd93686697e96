import type { IExecuteData } from 'n8n-workflow';
import { clock } from '../lib';
import type { ItemContext } from '../n8n/context';
import { cancelSignal, leaveTrace, onAbort, sharedReads, TRACES } from '../n8n/context';
import { Semaphore } from '../client/queue';
import { isStarted, mayBeApplied } from '../receive/errors';

export const MAX_DOWNLOADS = 3;

/** `isMade`: whether the service has accepted a request that changes something. */
interface Turn {
	context: ItemContext;
	progress: { isMade: boolean };
}

/** A run of a node: changes one at a time, in order of arrival; none after bad input or a failure, unless it continues. */
export class Run {
	readonly total: number;
	/** Whether a request of an operation was sent, in this try or an earlier one. */
	hasSent: boolean;
	/** Number of changes made, in this try and earlier ones. */
	made: number;
	/** Resolves when all changes in the queue have been made or dropped. */
	idle: Promise<unknown> = Promise.resolve();
	/** Each download holds a connection and writes to the disk. */
	readonly downloads = new Semaphore(MAX_DOWNLOADS);

	private readonly isTool: boolean;
	private readonly keepsGoing: boolean;
	private hasFailed = false;
	private readonly entered = new Set<number>();
	private ended = 0;
	/** Resolves when the input of all items so far is read, and their names are looked up. */
	private checked: Promise<unknown> = Promise.resolve();
	/** Items that must enter before a change, since n8n may report a later item's error first; 0 if unknown. */
	private readonly expected: number;
	/** Changes that no retry repeats: made, not needed, started and unknown ones, by index of the item, of tool calls by their input. */
	readonly outcomes: Map<number | string, Promise<unknown>>;
	private readonly unsubscribe: () => void;

	private constructor(context: ItemContext, earlier?: Run) {
		sharedReads(context).clear();
		const { node, data } = context.getExecuteData();
		// A tool call has the execution data of the agent's node.
		this.isTool = node.name !== context.getNode().name;
		this.keepsGoing = context.continueOnFail();
		this.outcomes = earlier?.outcomes ?? new Map<number | string, Promise<unknown>>();
		this.made = this.isTool ? 0 : (earlier?.made ?? 0);
		this.hasSent = !this.isTool && earlier?.hasSent === true;
		this.total = this.isTool || node.executeOnce ? 1 : (data.main?.[0]?.length ?? 1);
		const { batching } = context.getNodeParameter('requestOptions', {}) as { batching?: unknown };
		this.expected = this.isTool || batching || this.keepsGoing ? 0 : this.total;
		this.unsubscribe = onAbort(cancelSignal(context), () => this.cancelled(context));
	}

	private static readonly runs = new WeakMap<IExecuteData, Run>();

	/** The run of an item. Retry On Fail and an agent's tool calls pass the same data again: a new run with earlier outcomes. */
	static of(context: ItemContext): Run {
		const key = context.getExecuteData();
		const index = context.getItemIndex();
		let run = Run.runs.get(key);
		if (!run || run.entered.has(index)) run = new Run(context, run);
		Run.runs.set(key, run);
		run.entered.add(index);
		return run;
	}

	end(): void {
		this.ended += 1;
		if (this.ended >= this.total) this.unsubscribe();
	}

	/** Reads the input of an item. No change is made before that of all items is read; it returns in order of arrival. */
	async readInOrder<T>(read: () => Promise<T>): Promise<T> {
		const found = read();
		const before = this.checked;
		this.checked = Promise.all([before, found.catch(() => this.fail())]);
		await before;
		return await found;
	}

	/** Makes a change in its turn; undefined if another item failed. `what` returns its key; if `lookUp` fails, none is made. */
	async inOrder<T>(
		work: Turn,
		what: () => string,
		change: () => Promise<T>,
		lookUp: () => Promise<unknown> = async () => {},
	): Promise<T | undefined> {
		const found = lookUp();
		this.checked = Promise.all([this.checked, found.catch(() => this.fail())]);
		const made = this.idle.then(async () => {
			// After one tick n8n has started all items, and all input is checked.
			await clock.sleep(0);
			await this.checked;
			// n8n has already reported the error and ignores this promise; a rejection would be unhandled.
			return this.hasFailed || this.entered.size < this.expected
				? undefined
				: await found.then(async () => await this.once(work, what, change));
		});
		this.idle = made.catch(() => this.fail());
		// The error of a failed lookup takes precedence.
		await found;
		return await made;
	}

	/** Makes a change unless it was made, or may have been made, in an earlier try. */
	private async once<T>(work: Turn, what: () => string, change: () => Promise<T>) {
		const { context, progress } = work;
		// Before the change, which modifies its input.
		const key = this.isTool ? what() : context.getItemIndex();
		const earlier = this.outcomes.get(key);
		if (earlier) return (await earlier) as T;
		const isKept = !this.isTool || context.getNode().retryOnFail === true;
		const outcome = change();
		const result = await outcome.catch((error: unknown) => {
			if (isKept && mayBeApplied(error)) this.outcomes.set(key, outcome);
			if (isStarted(error)) this.made += 1;
			throw error;
		});
		if (!this.isTool) this.outcomes.set(key, outcome);
		if (progress.isMade) this.made += 1;
		return result;
	}

	/** An item has failed before its change: no other change is made, unless the run continues on failures. */
	fail(): void {
		if (!this.keepsGoing) this.hasFailed = true;
	}

	/** Records the changes made, because n8n keeps no output of a cancelled node. */
	private cancelled(context: ItemContext): void {
		const { made, total } = this;
		if (made === 0) return;
		const value = `${context.getNode().name}: ${made} of ${total} made`;
		const line = `The execution ended after ${made} of ${total} changes of this node`;
		leaveTrace(context, { key: TRACES.changes, value, line });
	}
}
