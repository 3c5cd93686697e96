import type { ItemContext } from './context';
import { cancelSignal, onAbort } from './context';

/** Keys in the custom data of an execution. n8n allows letters, digits and `_`. */
export const TRACES = {
	/** IDs of tasks that keep running. */
	tasks: 'siteManagementTasks',
	/** Paths of the snapshots of syncs that keep running. */
	syncs: 'siteManagementSyncs',
	/** Where to check whether a change was applied. */
	unknown: 'siteManagementUnknown',
	/** Number of changes that a node had made when the execution was cancelled. */
	changes: 'siteManagementChanges',
	/** Lists without the records of sites that the credential does not allow. */
	limited: 'siteManagementLimited',
} as const;

export interface Trace {
	key: (typeof TRACES)[keyof typeof TRACES];
	value: string;
	/** The line in n8n's log. */
	line: string;
}

/** Characters after which n8n would cut a value, in the middle of an ID. */
const MAX_VALUE = 512;

interface WorkflowData {
	$execution: {
		customData: { get(key: string): string | undefined; set(key: string, value: string): void };
	};
}

/**
 * Records work that continues at the service in n8n's log, and in the custom data, which n8n keeps even if the
 * execution is cancelled. Never throws, because n8n may be shutting down.
 */
export function leaveTrace(context: ItemContext, { key, value, line }: Trace): void {
	context.logger?.warn(line, { node: context.getNode().name });
	try {
		const data: unknown = context.getWorkflowDataProxy(context.getItemIndex());
		const { customData } = (data as WorkflowData).$execution;
		const text = [...new Set([...(customData.get(key)?.split('; ') ?? []), value])].join('; ');
		if (text.length <= MAX_VALUE) customData.set(key, text);
	} catch (error) {
		const { message } = error as Error;
		context.logger?.warn(`n8n did not store it in the custom data: ${message}`);
	}
}

/** Leaves a trace if the execution is cancelled or times out during the work. */
export async function tracing<T>(
	context: ItemContext,
	trace: () => Trace,
	work: () => Promise<T>,
): Promise<T> {
	const unsubscribe = onAbort(cancelSignal(context), () => leaveTrace(context, trace()));
	return await work().finally(unsubscribe);
}
