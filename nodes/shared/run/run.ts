import type { IExecuteData } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { isOutcomeUnknown } from '../receive/errors';
import { cancelSignal } from '../n8n/context';
import { Semaphore } from '../client/semaphore';
import { OrderedMutations } from './orderedMutations';
import { onAbort } from '../n8n/onAbort';
import { otherItem } from './otherItem';
import { newReads } from '../client/sharedReads';
import { leaveTrace, TRACES } from '../n8n/trace';

/** Files of one run of a node that are read at the same time. */
export const MAX_DOWNLOADS = 3;

/** The items of one run of a node, which n8n starts all at once. A bad input counts as a failure before the first request. */
export class Run {
	/** How many items it has. */
	readonly total: number;

	/** Whether a request of an operation has left, in an earlier try, too. */
	hasSent: boolean;

	private readonly entered = new Set<number>();

	/** How many items have ended. */
	private left = 0;

	/** Bad input of items that n8n has not handed in yet. */
	private readonly bad = new Map<number, unknown>();

	/** What has to be known before any change is made. */
	private readonly known: Array<Promise<unknown>> = [];

	/** Each download holds a connection and writes to the disk. */
	readonly downloads = new Semaphore(MAX_DOWNLOADS);

	private readonly changes: OrderedMutations<unknown>;

	private readonly expected: number;

	/** Changes of tools that n8n may try again, and that may have been made, by what was asked for. */
	private readonly unsure: Map<string, unknown>;

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
		this.stay = onAbort(cancelSignal(context), () => this.leave(context));
	}

	/** Ends the watch for a cancelled execution. */
	private readonly stay: () => void;

	private static readonly runs = new WeakMap<IExecuteData, Run>();

	/**
	 * The run that an item belongs to. Retry On Fail hands in the same data again: that is a new run, which does
	 * not repeat the changes of the first one. An agent does so, too, for each call of a tool: those are all new,
	 * but for a change that may have been made, where Retry On Fail can ask for the same again.
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

	/** The run that an item has entered. */
	static current(context: ItemContext): Run {
		return Run.runs.get(context.getExecuteData()) ?? Run.of(context);
	}

	/**
	 * Called once for each item, before anything is sent.
	 * @param check reads the input of the item of a context
	 * @throws what `check` throws: bad input of one item keeps the changes of all others from being sent
	 */
	enter<T>(context: ItemContext, check: (item: ItemContext) => T): T {
		this.entered.add(context.getItemIndex());
		try {
			const checked = check(context);
			const seen = this.bad.get(context.getItemIndex());
			if (seen !== undefined) throw seen;
			if (this.entered.size === 1 && isBatched(context)) this.lookAhead(context, check);
			return checked;
		} catch (error) {
			return this.refused(error);
		}
	}

	/** Apart, since n8n's lint rules let a catch clause throw nothing but errors of nodes. */
	private refused(error: unknown): never {
		this.changes.fail();
		throw error;
	}

	/** With batches n8n hands in later items when the changes of the first have been made: their input is read now. */
	private lookAhead(context: ItemContext, check: (item: ItemContext) => unknown): void {
		for (let index = context.getItemIndex() + 1; index < this.total; index++) {
			const other = otherItem(context, index);
			if (!other) return;
			try {
				check(other);
			} catch (error) {
				this.changes.fail();
				this.bad.set(index, error);
			}
		}
	}

	/** Called once for each item when it has ended, well or not. */
	end(): void {
		this.left += 1;
		if (this.left >= this.total) this.stay();
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
	private leave(context: ItemContext): void {
		if (this.made === 0) return;
		const value = `${context.getNode().name}: ${this.made} of ${this.total} made`;
		const line = `The execution ended after ${this.made} of ${this.total} changes of this node`;
		leaveTrace(context, { key: TRACES.changes, value, line });
	}

	/**
	 * Makes a change in item order, one at a time.
	 * @param what tells it from other changes, by what was asked for; long bodies make it costly
	 * @param find looks up what the item names; where that fails, no change of the run is made
	 * @returns its result; undefined when it was not made because another item had failed
	 */
	async inOrder<T>(
		context: ItemContext,
		what: () => string,
		change: () => Promise<T>,
		find: () => Promise<unknown> = async () => {},
	): Promise<T | undefined> {
		const found = find();
		let isKnown = true;
		this.known.push(
			found.catch(() => {
				isKnown = false;
				this.changes.fail();
			}),
		);
		const make = async () => {
			await Promise.all(this.known);
			// n8n has reported its error by now and drops this promise: a rejection would have no owner.
			if (this.entered.size < this.expected || this.changes.hasFailed || !isKnown) return undefined;
			const isRetried = isRetriedTool(context);
			// Before the change: it puts into its input what is only known then.
			const asked = isRetried || this.unsure.size > 0 ? what() : '';
			if (this.unsure.has(asked)) throw this.unsure.get(asked);
			return await change().catch((error: Error) => {
				if (isRetried && isOutcomeUnknown(error)) this.unsure.set(asked, error);
				throw error;
			});
		};
		const made = this.changes.make(context.getItemIndex(), make);
		// What is not found is the error of the item, whatever comes of its turn.
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

interface Batching {
	batch?: { batchInterval?: number };
}

function batchingOf(context: ItemContext): Batching | undefined {
	const { batching } = context.getNodeParameter('requestOptions', {}) as { batching?: Batching };
	return batching;
}

/** Whether n8n makes pauses between items, and what comes after them must not be undone by a bad item. */
const isBatched = (context: ItemContext) =>
	!isToolCall(context) && !context.continueOnFail() && batchingOf(context) !== undefined;

/**
 * How many items enter a run at once; 0 when n8n does not tell. If an expression of a later item fails, n8n ends
 * its loop over the items and reports that, while the items before it are on their way: those must not change anything.
 */
const expectedItems = (context: ItemContext, total: number) =>
	isToolCall(context) || batchingOf(context) || context.continueOnFail() ? 0 : total;

/** An agent that calls tools itself hands in data of its own. */
const isToolCall = (context: ItemContext) =>
	context.getExecuteData().node.name !== context.getNode().name;

const isRetriedTool = (context: ItemContext) =>
	isToolCall(context) && context.getNode().retryOnFail === true;
