import type {
	IExecuteData,
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Does } from '../access/effects';
import { clock, MINUTE_MS, perRecord } from '../lib';

export const CREDENTIAL = 'siteManagementApi';

/** n8n's context for one item of an action node. */
export type ItemContext = IExecuteSingleFunctions;

/** n8n's context of an action node, a list search or a trigger. */
export type CallContext = ItemContext | ILoadOptionsFunctions | IPollFunctions;

/** @param description what the user does about it */
export const operationError = (context: CallContext, message: string, description: string) =>
	new NodeOperationError(context.getNode(), message, { description });

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
		/** Operations that list the IDs of the path: `Site: Get Many and Note: Get Many`. */
		lists?: string;
		/** Labels of its parameters by their place in it, such as `client.site_ids`. */
		labels?: Record<string, string>;
		/** Deadline in epoch milliseconds. */
		until?: number;
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
export const isTool = (context: CallContext) => context.getNode().type.endsWith('Tool');

/** Keys in the custom data of an execution. n8n allows letters, digits and `_`. */
export const TRACES = {
	/** IDs of tasks that keep running. */
	tasks: 'siteManagementTasks',
	/** Paths of the snapshots of syncs that keep running. */
	syncs: 'siteManagementSyncs',
	/** Schedules of Update Now that still exist. */
	schedules: 'siteManagementSchedules',
	/** Where to check whether a change was applied. */
	unknown: 'siteManagementUnknown',
	/** Number of changes that a node had made when the execution was cancelled. */
	changes: 'siteManagementChanges',
	/** Reads of Any Operation that were not checked against the API document. */
	unchecked: 'siteManagementUnchecked',
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

/** Leaves a line in n8n's log, and a value in the custom data, which a cancelled execution keeps. Never throws. */
export function leaveTrace(context: ItemContext, { key, value, line }: Trace): void {
	context.logger?.warn(line, { node: context.getNode().name });
	try {
		const { customData } = context.getWorkflowDataProxy(context.getItemIndex()).$execution;
		const left: string | undefined = customData.get(key);
		const text = [...new Set([...(left?.split('; ') ?? []), value])].join('; ');
		if (text.length <= MAX_VALUE) customData.set(key, text);
	} catch (error) {
		const { message } = error as Error;
		context.logger?.warn(`n8n did not store it in the custom data: ${message}`);
	}
}

/** Leaves a trace if the execution is cancelled or times out during the work. */
export async function tracing<T>(context: ItemContext, trace: Trace, work: () => Promise<T>) {
	const unsubscribe = onAbort(cancelSignal(context), () => leaveTrace(context, trace));
	return await work().finally(unsubscribe);
}

/** Logs once a minute how far long work is. */
export function progressOf(context: ItemContext): (line: () => string) => void {
	let loggedAt = clock.now();
	return (line) => {
		if (clock.now() - loggedAt < MINUTE_MS) return;
		loggedAt = clock.now();
		context.logger?.info(line(), { node: context.getNode().name });
	};
}

/** Caches reads by key; failed ones are read again, so that each caller gets its own error. */
export class Once {
	private readonly kept = new Map<string, { until: number; reading: Promise<unknown> }>();

	/** @param keptMs how long a read is kept, in milliseconds */
	constructor(private readonly keptMs = Infinity) {}

	async get<T>(key: string, read: () => Promise<T>): Promise<T> {
		const now = clock.now();
		const known = this.kept.get(key);
		if (known && known.until >= now) return (await known.reading) as T;
		// Oldest first.
		for (const [each, { until }] of this.kept) {
			if (until >= now) break;
			this.kept.delete(each);
		}
		const reading = read().catch((error: unknown) => {
			this.forget(key);
			throw error;
		});
		this.kept.set(key, { until: now + this.keptMs, reading });
		return await reading;
	}

	readonly forget = (key: string) => void this.kept.delete(key);
	readonly clear = () => this.kept.clear();
}

/** A retry, and an agent's next call of a tool, have the same data: their run empties the cache. */
const readsOf = perRecord<IExecuteData, Once>(() => new Once());

/** Cache of a run, shared by its items; a list search, a poll, and what must be `fresh` before a change share nothing. */
export const sharedReads = (context: CallContext, fresh = false): Once =>
	!fresh && 'getExecuteData' in context ? readsOf(context.getExecuteData()) : new Once();
