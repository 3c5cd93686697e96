import type {
	IExecuteData,
	IExecuteSingleFunctions,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { isOutcomeUnknown } from '../receive/errors';
import { FewAtATime } from './fewAtATime';
import { InOrder } from './inOrder';

type Context = IExecuteSingleFunctions;

/** An item of output before it is paired with its input. */
export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

/** Files of one run of a node that are read at the same time. */
export const MAX_DOWNLOADS = 3;

/** The items of one run of a node, which n8n starts all at once. A bad input counts as a failure before the first request. */
export class Run {
	private readonly entered = new Set<number>();

	private readonly shared = new Map<string, Promise<unknown>>();

	/** Each download holds a connection and writes to the disk. */
	readonly downloads = new FewAtATime(MAX_DOWNLOADS);

	private readonly changes: InOrder<unknown>;

	private readonly expected: number;

	/** Changes of tools that n8n may try again, and that may have been made, by what was asked for. */
	private readonly unsure: Map<string, unknown>;

	private constructor(context: Context, earlier?: Run) {
		const settled = isToolCall(context) ? undefined : earlier?.changes.settled;
		this.changes = new InOrder(context.continueOnFail(), isOutcomeUnknown, settled);
		this.expected = expectedItems(context);
		this.unsure = earlier?.unsure ?? new Map<string, unknown>();
	}

	private static readonly runs = new WeakMap<IExecuteData, Run>();

	/**
	 * The run that an item belongs to. Retry On Fail hands in the same data again: that is a new run, which does
	 * not repeat the changes of the first one. An agent does so, too, for each call of a tool: those are all new,
	 * but for a change that may have been made, where Retry On Fail can ask for the same again.
	 */
	static of(context: Context): Run {
		const key = context.getExecuteData();
		let run = Run.runs.get(key);
		if (!run || run.entered.has(context.getItemIndex())) {
			run = new Run(context, run);
			Run.runs.set(key, run);
		}
		return run;
	}

	/** The run that an item has entered. */
	static current(context: Context): Run {
		return Run.runs.get(context.getExecuteData()) ?? Run.of(context);
	}

	/**
	 * Called once for each item, before anything is sent.
	 * @throws what `check` throws: bad input of one item keeps the changes of all others from being sent
	 */
	enter<T>(context: Context, check: () => T): T {
		this.entered.add(context.getItemIndex());
		try {
			return check();
		} catch (error) {
			this.changes.fail();
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
	}

	/** Reads something once for all items of the run; what failed is read again, since each item has its own error. */
	async once<T>(key: string, read: () => Promise<T>): Promise<T> {
		if (!this.shared.has(key)) {
			this.shared.set(
				key,
				read().catch((error: unknown) => {
					this.shared.delete(key);
					throw error;
				}),
			);
		}
		return (await this.shared.get(key)) as T;
	}

	/**
	 * Makes a change in item order, one at a time.
	 * @param what tells it from other changes, by what was asked for; long bodies make it costly
	 * @returns its result; undefined when it was not made because another item had failed
	 */
	async inOrder<T>(
		context: Context,
		what: () => string,
		change: () => Promise<T>,
	): Promise<T | undefined> {
		const make = async () => {
			// n8n has reported its error by now and drops this promise: a rejection would have no owner.
			if (this.entered.size < this.expected) return undefined;
			const isRetried = isRetriedTool(context);
			// Before the change: it puts into its input what is only known then.
			const asked = isRetried || this.unsure.size > 0 ? what() : '';
			if (this.unsure.has(asked)) throw this.unsure.get(asked);
			return await change().catch((error: Error) => {
				const placed = withPlace(error, context, this.changes.made);
				if (isRetried && isOutcomeUnknown(error)) this.unsure.set(asked, placed);
				throw placed;
			});
		};
		return (await this.changes.make(context.getItemIndex(), make)) as T | undefined;
	}
}

/**
 * How many items enter a run at once; 0 when n8n does not tell. If an expression of a later item fails, n8n ends
 * its loop over the items and reports that, while the items before it are on their way: those must not change anything.
 */
function expectedItems(context: Context): number {
	const { node, data } = context.getExecuteData();
	const { batching } = context.getNodeParameter('requestOptions', {}) as { batching?: object };
	if (isToolCall(context) || batching || context.continueOnFail()) return 0;
	return node.executeOnce ? 1 : (data.main?.[0]?.length ?? 0);
}

/** Says at which item a change failed, and what was made before it: the rest of the run depends on that. */
function withPlace(error: unknown, context: Context, made: number): unknown {
	if (!(error instanceof NodeApiError)) return error;
	const total = context.getExecuteData().data.main?.[0]?.length ?? 1;
	if (made === 0 && !isOutcomeUnknown(error)) {
		error.description = `${error.description ?? ''} Nothing was changed.`.trim();
	}
	if (total > 1 && !isToolCall(context)) {
		const some = made === 1 ? '1 change was made' : `${made} changes were made`;
		const before = made === 0 ? 'nothing was changed' : some;
		error.message += ` (item ${context.getItemIndex() + 1} of ${total}; ${before} before it)`;
	}
	return error;
}

/** An agent that calls tools itself hands in data of its own. */
const isToolCall = (context: Context) =>
	context.getExecuteData().node.name !== context.getNode().name;

const isRetriedTool = (context: Context) =>
	isToolCall(context) && context.getNode().retryOnFail === true;
