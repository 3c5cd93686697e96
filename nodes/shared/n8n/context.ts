import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import type { Does } from '../access/effects';
import { perRecord } from '../lib/records';

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
		/** Handles a redirect, which is an error otherwise; `ask` sends the request to another URL. */
		settle?: (
			redirect: ApiResponse,
			ask: (url: string) => Promise<ApiResponse>,
		) => Promise<ApiResponse>;
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
