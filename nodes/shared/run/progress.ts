import type { DeclarativeRestApiSettings, IDataObject } from 'n8n-workflow';
import type { Settings } from '../input/field';
import type { SiteUrl } from '../input/id';
import type { ApiRequest, ItemContext } from '../n8n/context';
import type { Item } from '../receive/output';
import type { Run } from './run';
import type { Trace } from '../n8n/trace';
import { tracing, TRACES } from '../n8n/trace';

/** How far an item has come. */
export interface Progress {
	/** Whether the operation is to change something; a preview is not. */
	isChange: boolean;
	/** Whether its own request has left. */
	isSent: boolean;
	/** Where to see whether the change was made. */
	verifyAt?: string;
	/** What was sent and must not be repeated. */
	secrets: string[];
}

/** An item's request, from the pre-flight to the answer. */
export interface ItemRequest {
	request: ApiRequest;
	/** By the names in the route. */
	ids: Record<string, string>;
	body: IDataObject;
	settings: Settings;
	/** The sites that were chosen By URL, with the ids that were found for them, and when, in epoch milliseconds. */
	byUrl: Array<{ site: SiteUrl; id: string; at: number }>;
	/** What was looked up for the request, such as its snapshot, by its names in records. */
	chosen: IDataObject;
	/** What Only If has read of the record, for the output. */
	known?: IDataObject;
	/** The id that the path ends with. */
	lastId?: string;
}

/** What an item is sent with, and how far it has come. */
export interface ItemWork {
	options: DeclarativeRestApiSettings.ResultOptions['options'];
	progress: Progress;
	/** The most characters of output; undefined where no model reads it. */
	room?: number;
}

/** Gives the output of an item, which the seam pairs with it. */
export type ItemsOf = (context: ItemContext, run: Run, work: ItemWork) => Promise<Item[]>;

/** Notes that the request of an item leaves, and leaves a trace where the execution ends during a change. */
export const watched =
	(context: ItemContext, run: Run, progress: Progress, request: ApiRequest): ApiRequest['around'] =>
	async (attempt) => {
		progress.isSent = true;
		run.hasSent = true;
		return progress.isChange
			? await tracing(context, () => mayBeApplied(context, request), attempt)
			: await attempt();
	};

/** What is known of a change that is under way when the execution ends. */
function mayBeApplied(context: ItemContext, { method, url, verifyAt }: ApiRequest): Trace {
	const item = `item ${context.getItemIndex() + 1}`;
	return {
		key: TRACES.unknown,
		value: `${verifyAt} (${item})`,
		line: `The execution ended while ${method} ${url} was in progress (${item}). The change may have been applied: check ${verifyAt}`,
	};
}
