import type { IExecuteData } from 'n8n-workflow';
import type { CallContext, ItemContext } from '../n8n/context';

/** Caches reads by key; failed ones are read again, so that each caller gets its own error. */
export class Once {
	private readonly read = new Map<string, Promise<unknown>>();

	async get<T>(key: string, read: () => Promise<T>): Promise<T> {
		const forget = (error: unknown) => {
			this.read.delete(key);
			throw error;
		};
		const reading = this.read.get(key) ?? read().catch(forget);
		this.read.set(key, reading);
		return (await reading) as T;
	}

	forget(key: string): void {
		this.read.delete(key);
	}
}

const reads = new WeakMap<IExecuteData, Once>();

/** Cache of a run, shared by its items; a list search or a poll shares nothing. */
export function sharedReads(context: CallContext): Once {
	if (!('getExecuteData' in context)) return new Once();
	return reads.get(context.getExecuteData()) ?? newReads(context);
}

/** Reads once per run; again if `fresh`, as before a change. */
export const readOnce = async <T>(
	context: CallContext,
	key: string,
	read: () => Promise<T>,
	fresh: boolean,
): Promise<T> => (fresh ? await read() : await sharedReads(context).get(key, read));

/** Clears the cache of an earlier run with the same data: a retry, or an agent's previous call of the tool. */
export function newReads(context: ItemContext): Once {
	const shared = new Once();
	reads.set(context.getExecuteData(), shared);
	return shared;
}
