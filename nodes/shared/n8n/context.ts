import type {
	IExecuteData,
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import type { Does } from '../access/effects';
import { perRecord } from '../lib';

export const CREDENTIAL = 'siteManagementApi';

/** n8n's context for one item of an action node. */
export type ItemContext = IExecuteSingleFunctions;

/** n8n's context of an action node, a list search or a trigger. */
export type CallContext = IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A request below the base URL: `url` is the path, such as `/tags/7`. */
export type ApiRequest = Pick<IHttpRequestOptions, 'method' | 'url'> &
	Omit<Partial<IHttpRequestOptions>, 'body'> & {
		body?: IDataObject;
		/** Effects and affected sites. @default reads the sites in its path */
		does?: Does;
		/** Whether it only finds the sites that another request affects. */
		isLook?: boolean;
		/** Check directly before each attempt; if it throws, the request is not sent. */
		before?: () => Promise<void>;
		/** Where the user can see whether a change was made. @default its own path */
		verifyAt?: string;
		/** Operations that list the IDs of the path. */
		lists?: string;
		/** Deadline in epoch milliseconds. */
		until?: number;
		/** Wraps each attempt. */
		around?: <T>(attempt: () => Promise<T>) => Promise<T>;
	};

export type ApiResponse = IN8nHttpFullResponse;

const deadlines = new WeakMap<object, number>();

/** Sets a deadline for all requests of a context, in epoch milliseconds: none waits or is retried after it. */
export const endBy = (context: CallContext, until: number) => void deadlines.set(context, until);

/** Deadline of a context in epoch milliseconds. @default Infinity */
export const deadlineOf = (context: CallContext) => deadlines.get(context) ?? Infinity;

/** A trigger by its place: n8n may have a new context for each poll. */
export const triggerKey = (context: CallContext) =>
	`${String(context.getWorkflow().id)}/${context.getNode().id}`;

/** Aborts when the user stops the execution; only execution contexts have it. */
export const cancelSignal = (context: CallContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** All items of an execution share one listener on its signal. */
const listenersOf = perRecord((signal: AbortSignal) => {
	const listeners = new Set<() => void>();
	signal.addEventListener('abort', () => listeners.forEach((each) => each()), { once: true });
	return listeners;
});

/** Calls `leave` when the signal aborts. Returns a function that unsubscribes. */
export function onAbort(signal: AbortSignal | undefined, leave: () => void): () => void {
	const listeners = signal && listenersOf(signal);
	listeners?.add(leave);
	return () => void listeners?.delete(leave);
}

/** Whether a model calls the node: as a tool, the node has a type of its own. */
export const isTool = (context: { getNode(): INode }) => context.getNode().type.endsWith('Tool');

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
