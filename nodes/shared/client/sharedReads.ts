import type { IExecuteData } from 'n8n-workflow';
import { Once } from '../lib/once';
import type { CallContext, ItemContext } from '../n8n/context';

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
