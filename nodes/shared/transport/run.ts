import type {
	IExecuteData,
	IExecuteSingleFunctions,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, sleep } from 'n8n-workflow';

type Context = IExecuteSingleFunctions;

/** An item of output before it is paired with its input. */
export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

const GIVEN_UP = 'Nothing was sent, because n8n gave up on another item';

interface Turn {
	index: number;
	go: () => Promise<void>;
}

/**
 * The items of one run of a node. n8n starts them all at once; here requests that change something wait for
 * their turn, in item order, and after a failure none of the rest is sent (unless the node continues on fail).
 * A bad input of any item counts as a failure before the first request.
 */
export class Run {
	private readonly entered = new Set<number>();

	private readonly refused = new Map<number, Error>();

	private readonly lookups = new Map<number, Array<() => Promise<void>>>();

	private readonly shared = new Map<string, Promise<unknown>>();

	private failed = false;

	private readonly turns: Turn[] = [];

	private working = false;

	private constructor(
		private readonly keepsGoing: boolean,
		private readonly expected: number,
	) {}

	private static readonly runs = new WeakMap<IExecuteData, Run>();

	/** The run that an item belongs to. Retry On Fail hands in the same data again: that is a new run. */
	static of(context: Context): Run {
		const key = context.getExecuteData();
		let run = Run.runs.get(key);
		if (!run || run.entered.has(context.getItemIndex())) {
			run = new Run(context.continueOnFail(), expectedItems(context));
			Run.runs.set(key, run);
		}
		return run;
	}

	/** Notes that an item must not be sent; its first bad input counts. */
	refuse(context: Context, error: Error): void {
		const index = context.getItemIndex();
		if (!this.refused.has(index)) this.refused.set(index, error);
		if (!this.keepsGoing) this.failed = true;
	}

	/**
	 * Called once an item's input is in place.
	 * @throws its bad input, if it has any: from the fields, or from `check`
	 */
	enter<T>(context: Context, check: () => T): T {
		const index = context.getItemIndex();
		this.entered.add(index);
		const earlier = this.refused.get(index);
		if (earlier) throw earlier;
		try {
			return check();
		} catch (error) {
			this.refuse(context, error as Error);
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
	}

	/** Has `lookup` run for an item before it is sent, and only when it is. */
	before(context: Context, lookup: () => Promise<void>): void {
		const index = context.getItemIndex();
		this.lookups.set(index, [...(this.lookups.get(index) ?? []), lookup]);
	}

	/** Runs what is noted to come before the item. */
	async prepare(context: Context): Promise<void> {
		for (const lookup of this.lookups.get(context.getItemIndex()) ?? []) await lookup();
	}

	/** Reads something once for all items of the run. */
	async once<T>(key: string, read: () => Promise<T>): Promise<T> {
		if (!this.shared.has(key)) this.shared.set(key, read());
		return (await this.shared.get(key)) as T;
	}

	/**
	 * Runs `change` in item order, one at a time.
	 * @returns its items; none when it was not run because another item had failed
	 */
	async inOrder(context: Context, change: () => Promise<Item[]>): Promise<Item[]> {
		return await new Promise((resolve, reject) => {
			const go = async () => {
				if (this.failed) return resolve([]);
				// n8n has reported its error by now and drops this promise: a rejection would have no owner.
				if (this.entered.size < this.expected) return resolve([{ json: { error: GIVEN_UP } }]);
				try {
					resolve(await change());
				} catch (error) {
					if (!this.keepsGoing) this.failed = true;
					reject(error);
				}
			};
			this.turns.push({ index: context.getItemIndex(), go });
			void this.work();
		});
	}

	private async work(): Promise<void> {
		if (this.working) return;
		this.working = true;
		// By then every item has been checked, and n8n has ended its loop over the items.
		await sleep(0);
		while (this.turns.length > 0) {
			this.turns.sort((a, b) => a.index - b.index);
			await this.turns.shift()!.go();
		}
		this.working = false;
	}
}

/**
 * How many items enter a run at once; 0 when n8n does not tell. If an expression of a later item fails, n8n ends
 * its loop over the items and reports that, while the items before it are on their way: those must not change anything.
 */
function expectedItems(context: Context): number {
	const { node, data } = context.getExecuteData();
	const { batching } = context.getNodeParameter('requestOptions', {}) as { batching?: object };
	const asTool = node.name !== context.getNode().name;
	if (asTool || batching || context.continueOnFail()) return 0;
	return node.executeOnce ? 1 : (data.main?.[0]?.length ?? 0);
}
