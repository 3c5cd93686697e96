import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import type { Does } from '../access/touches';

export const CREDENTIAL = 'siteManagementApi';

/** What n8n hands to an action node for one item. */
export type ItemContext = IExecuteSingleFunctions;

/** What n8n hands to action nodes, list searches and triggers alike. */
export type CallContext = IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A request below the base URL: `url` is the path, such as `/tags/7`. */
export type ApiRequest = Pick<IHttpRequestOptions, 'method' | 'url'> &
	Omit<Partial<IHttpRequestOptions>, 'body'> & {
		body?: IDataObject;
		/** What it does to whom; by default it reads what its path names. */
		does?: Does;
		/** Whether it only finds out which sites another request is about. */
		isLook?: boolean;
		/** What is looked at directly before each attempt; what it throws keeps the request from being sent. */
		before?: () => Promise<void>;
		/** Where the user sees whether a change was made; its own path by default. */
		verifyAt?: string;
		/** What lists the IDs of the path. */
		lists?: string;
		/** What is done with a redirect, which otherwise is an error; `ask` sends the request to another URL. */
		settle?: (
			redirect: ApiResponse,
			ask: (url: string) => Promise<ApiResponse>,
		) => Promise<ApiResponse>;
		/** When nobody waits for the answer any more, in epoch milliseconds. */
		until?: number;
		/** Called around each attempt to send it. */
		around?: <T>(attempt: () => Promise<T>) => Promise<T>;
	};

export type ApiResponse = IN8nHttpFullResponse;

const deadlines = new WeakMap<object, number>();

/** Has all requests of a context end by a time, in epoch milliseconds: none waits for room or is repeated after it. */
export const endBy = (context: CallContext, until: number) => void deadlines.set(context, until);

/** When nothing of a context waits any more; never, unless it was told. */
export const deadlineOf = (context: CallContext) => deadlines.get(context) ?? Infinity;

/** Present on execution contexts only: aborts when the user stops the execution. */
export function cancelSignal(context: CallContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `leave` when the signal aborts. A thousand items share the signal of their execution: one listener on it
 * serves all of them.
 * @returns ends that
 */
export function onAbort(signal: AbortSignal | undefined, leave: () => void): () => void {
	if (!signal) return () => undefined;
	let waiting = listeners.get(signal);
	if (!waiting) {
		const all = new Set<() => void>();
		waiting = all;
		listeners.set(signal, all);
		signal.addEventListener('abort', () => all.forEach((each) => each()), { once: true });
	}
	const all = waiting;
	all.add(leave);
	return () => void all.delete(leave);
}

/** Whether a model calls the node: n8n has a type of its own for the node as a tool. */
export const isTool = (context: { getNode(): INode }) => context.getNode().type.endsWith('Tool');
