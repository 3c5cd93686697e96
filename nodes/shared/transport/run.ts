import type { IDataObject, IExecuteData, IExecuteSingleFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError, sleep } from 'n8n-workflow';

type Context = IExecuteSingleFunctions;

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

	/**
	 * Runs `change` in item order, one at a time.
	 * @returns its records; none when it was not run because another item had failed
	 */
	async inOrder(context: Context, change: () => Promise<IDataObject[]>): Promise<IDataObject[]> {
		return await new Promise((resolve, reject) => {
			const go = async () => {
				if (this.failed) return resolve([]);
				// n8n has reported its error by now and drops this promise: a rejection would have no owner.
				if (this.entered.size < this.expected) return resolve([{ error: GIVEN_UP }]);
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
