import type { DeclarativeRestApiSettings, IDataObject } from 'n8n-workflow';
import type { Settings } from '../input/field';
import type { SiteUrl } from '../input/id';
import type { ApiRequest, ItemContext } from '../n8n/context';
import type { Item } from '../receive/output';
import type { Run } from './run';
import type { Trace } from '../n8n/trace';
import { tracing, TRACES } from '../n8n/trace';

/** Progress of an item. */
export interface Progress {
	/** Whether the operation makes a change; false for a preview. */
	isChange: boolean;
	/** Whether its own request was sent. */
	isSent: boolean;
	/** Where to see whether the change was made. */
	verifyAt?: string;
	/** Secrets in the request, which no message may contain. */
	secrets: string[];
}

/** An item's request, from the checks to the response. */
export interface ItemRequest {
	request: ApiRequest;
	/** By name in the route. */
	ids: Record<string, string>;
	body: IDataObject;
	settings: Settings;
	/** Sites chosen By URL with the IDs found; `at` is the time of the lookup in epoch milliseconds. */
	byUrl: Array<{ site: SiteUrl; id: string; at: number }>;
	/** Looked-up values for the output, such as the snapshot, by output field. */
	chosen: IDataObject;
	/** Fields of the record that Only If has read, for the output. */
	known?: IDataObject;
	/** Last ID in the path. */
	lastId?: string;
}

/** Request options and progress of an item. */
export interface ItemWork {
	options: DeclarativeRestApiSettings.ResultOptions['options'];
	progress: Progress;
	/** Maximum characters of output; undefined if no model reads it. */
	room?: number;
}

/** Returns the output of an item; `seam` pairs it with the input item. */
export type ItemsOf = (context: ItemContext, run: Run, work: ItemWork) => Promise<Item[]>;

/** Marks the request of an item as sent, and leaves a trace if the execution ends during a change. */
export const watched =
	(context: ItemContext, run: Run, progress: Progress, request: ApiRequest): ApiRequest['around'] =>
	async (attempt) => {
		progress.isSent = true;
		run.hasSent = true;
		return progress.isChange
			? await tracing(context, () => mayBeApplied(context, request), attempt)
			: await attempt();
	};

/** Trace of a change in progress when the execution ends. */
function mayBeApplied(context: ItemContext, { method, url, verifyAt }: ApiRequest): Trace {
	const item = `item ${context.getItemIndex() + 1}`;
	return {
		key: TRACES.unknown,
		value: `${verifyAt} (${item})`,
		line: `The execution ended while ${method} ${url} was in progress (${item}). The change may have been applied: check ${verifyAt}`,
	};
}
