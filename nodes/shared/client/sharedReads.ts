import type { IExecuteData } from 'n8n-workflow';
import type { CallContext, ItemContext } from '../n8n/context';

/** What is read once; what failed is read again, since whoever asks has an error of its own. */
export class Once {
	private readonly read = new Map<string, Promise<unknown>>();

	async get<T>(key: string, read: () => Promise<T>): Promise<T> {
		if (!this.read.has(key)) {
			this.read.set(
				key,
				read().catch((error: unknown) => {
					this.read.delete(key);
					throw error;
				}),
			);
		}
		return (await this.read.get(key)) as T;
	}

	forget(key: string): void {
		this.read.delete(key);
	}
}

const reads = new WeakMap<IExecuteData, Once>();

/** What was read for all items of a run; a list search or a poll shares nothing. */
export function sharedReads(context: CallContext): Once {
	if (!('getExecuteData' in context)) return new Once();
	return reads.get(context.getExecuteData()) ?? newReads(context);
}

/** Forgets what an earlier run with the same data has read: a retry, or the last call of an agent's tool. */
export function newReads(context: ItemContext): Once {
	const shared = new Once();
	reads.set(context.getExecuteData(), shared);
	return shared;
}
