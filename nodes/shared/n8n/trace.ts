import type { ItemContext } from './context';
import { cancelSignal, onAbort } from './context';

/** Where an execution keeps what it left behind: keys of its custom data. n8n takes letters, digits and `_`. */
export const TRACES = {
	/** IDs of tasks that go on. */
	tasks: 'siteManagementTasks',
	/** Paths of the snapshots of syncs that go on. */
	syncs: 'siteManagementSyncs',
	/** Where to look whether a change was applied. */
	unknown: 'siteManagementUnknown',
	/** How many changes a node had made when the execution was cancelled. */
	changes: 'siteManagementChanges',
	/** Lists that the sites of the credential have made shorter. */
	limited: 'siteManagementLimited',
} as const;

export interface Trace {
	key: (typeof TRACES)[keyof typeof TRACES];
	value: string;
	/** The line in n8n's log. */
	line: string;
}

/** n8n cuts a value there, in the middle of an ID. */
const MAX_VALUE = 512;

interface CustomData {
	get: (key: string) => string | undefined;
	set: (key: string, value: string) => void;
}

/**
 * Leaves word of what goes on at the service: in the execution's custom data, which n8n also keeps of an execution
 * that was cancelled, and in n8n's log, which has it in any case. It does not throw: n8n may be ending already.
 */
export function leaveTrace(context: ItemContext, { key, value, line }: Trace): void {
	context.logger?.warn(line, { node: context.getNode().name });
	try {
		const { $execution } = context.getWorkflowDataProxy(context.getItemIndex()) as unknown as {
			$execution: { customData: CustomData };
		};
		const values = [...($execution.customData.get(key)?.split('; ') ?? []), value];
		const text = [...new Set(values)].join('; ');
		if (text.length <= MAX_VALUE) $execution.customData.set(key, text);
	} catch (error) {
		const { message } = error as Error;
		context.logger?.warn(`n8n did not store it in the custom data: ${message}`);
	}
}

/** Leaves a trace if the execution is cancelled or runs out of time during some work. */
export async function tracing<T>(
	context: ItemContext,
	trace: () => Trace,
	work: () => Promise<T>,
): Promise<T> {
	const stay = onAbort(cancelSignal(context), () => leaveTrace(context, trace()));
	return await work().finally(stay);
}
