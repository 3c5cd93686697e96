import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { isTool } from '../n8n/context';
import { checkArguments } from './toolCall';
import type { Resource } from '../operation';
import type { ErrorDetails } from '../receive/errors';
import { detailsOf, isOutcomeUnknown } from '../receive/errors';
import type { Outcome } from '../receive/messages';
import { blanker } from '../receive/messages';
import type { ItemsOf, ItemWork, Progress } from './itemRequest';
import { operationItems } from './operationItems';
import { namingSites } from './namingSites';
import { errorForModel, forModel, roomOf, startOf } from './outputItems';
import { Run } from './run';

type Sender = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** Sends all requests of declarative operations instead of n8n: the request comes from `input/`. */
export const sender = (resources: Resource[]): Sender => seam(operationItems(resources));

/** A pagination function, which n8n calls for each item. Output is paired with the item, also errors under Continue On Fail. */
export function seam(itemsOf: ItemsOf): Sender {
	return async function ({ options }) {
		const pairedItem = { item: this.getItemIndex() };
		const run = Run.of(this);
		const progress: Progress = { isChange: false, isSent: false, secrets: [] };
		const work = { context: this, run, options, progress };
		try {
			if (isTool(this)) checkArguments(this);
			const room = roomOf(this);
			const items = await itemsOf(work);
			const shown = room === undefined ? items : forModel(items, room, startOf(this));
			return shown.map(({ json, binary }) => ({ json, ...(binary && { binary }), pairedItem }));
		} catch (error) {
			if (!progress.isSent) run.fail();
			const failure = await itemError(work, error);
			if (isTool(this)) {
				// For bad input the message is enough; the description is for people.
				const isOfInput = error instanceof NodeOperationError;
				const rest = isOfInput ? '' : (failure.description ?? '');
				failure.message = errorForModel(failure.message, rest);
				// MCP clients read the description too.
				failure.description = '';
			}
			if (!this.continueOnFail()) throw failure;
			// Plain JSON only: an Error on the item becomes null in later expressions.
			return [{ json: { error: failure.message, details: { ...detailsOf(failure) } }, pairedItem }];
		} finally {
			run.end();
		}
	};
}

export const requestDefaults = { baseURL: '={{ $credentials.baseUrl }}' };

/** The error of an item, with `details` as data. Always a new object, since items may share the original error. */
async function itemError(work: ItemWork, error: unknown): Promise<NodeApiError> {
	const { context, run } = work;
	const { isChange, secrets } = work.progress;
	const keepsGoing = context.continueOnFail();
	// n8n reports the error after all items have ended; its number of changes must be right then.
	if (isChange && !keepsGoing) await run.idle;
	const failure = copyOf(context, error, secrets);
	failure.message = blanker(secrets)(await namingSites(work, failure));
	const details = detailsFor(work, error);
	failure.context.details = details;
	if (run.total > 1) {
		failure.message += ` (${placeOf(run, details, isChange && !keepsGoing)})`;
		// Hide n8n's index, which counts from 0: the panel would show a second number. n8n sets it again.
		const hidden = { get: () => undefined, set: () => undefined, configurable: true };
		Object.defineProperty(failure.context, 'itemIndex', hidden);
	}
	const isOnlyOne = run.total === 1 || (!keepsGoing && isChange && run.made === 0);
	const isUntouched = isOnlyOne && isChange && ['refused', 'notSent'].includes(details.outcome);
	const description = failure.description ?? '';
	if (isUntouched && !description.includes('Nothing was')) {
		failure.description = `${description} Nothing was changed.`.trim();
	} else {
		const what = isOnlyOne && !run.hasSent ? 'sent.' : 'sent for this item.';
		failure.description = description.replace('Nothing was sent.', `Nothing was ${what}`);
	}
	return failure;
}

function detailsFor({ context, progress }: ItemWork, error: unknown): ErrorDetails {
	const { isChange, isSent, verifyAt: path } = progress;
	const found = detailsOf(error);
	// A failure before sending is a failed lookup, unless an earlier try sent the change.
	const isBefore = isChange && !isSent && !isOutcomeUnknown(error) && found?.outcome !== 'started';
	const other: Outcome = isSent ? 'unknown' : 'notSent';
	const outcome = isBefore ? 'notSent' : (found?.outcome ?? other);
	const verifyAt = found?.verifyAt ?? (isChange && outcome === 'unknown' ? path : undefined);
	const item = context.getItemIndex() + 1;
	return { ...found, outcome, item, ...(verifyAt !== undefined && { verifyAt }) };
}

/** The failed item, and where to run again: n8n's own Retry would send all items again. */
function placeOf({ total, made }: Run, details: ErrorDetails, isEnding: boolean): string {
	const { item: number = 0, outcome } = details;
	const place = `item ${number} of ${total}`;
	if (!isEnding) return place;
	const some = made === 1 ? '1 change was made' : `${made} changes were made`;
	if (outcome === 'started') return `${place}; ${some} in total: do not run those items again`;
	if (made === 0) return outcome === 'notSent' ? place : `${place}; nothing was changed before it`;
	// A bad item of a later batch can prevent changes of earlier items.
	const again = `${place}; ${some} before it: run again`;
	if (outcome !== 'unknown') return `${again} from item ${made + 1}`;
	const next = number < total ? `from item ${number + 1}, or ` : '';
	return `${again} ${next}from item ${number} if this one was not applied`;
}

function copyOf(context: ItemContext, error: unknown, secrets: string[]): NodeApiError {
	const blank = blanker(secrets);
	const { message = String(error), stack } = (error ?? {}) as Partial<Error>;
	const isOfNode = error instanceof NodeApiError || error instanceof NodeOperationError;
	const text = blank(message);
	const texts = {
		message: text || undefined,
		description: isOfNode ? blank(error.description ?? '') : undefined,
		httpCode: error instanceof NodeApiError ? (error.httpCode ?? undefined) : undefined,
	};
	const copy = new NodeApiError(context.getNode(), {}, texts);
	// n8n replaces a message that contains the code of a network error.
	copy.message = text || copy.message;
	copy.messages = [];
	copy.stack = stack && blank(stack);
	if (!isOfNode) return copy;
	copy.context = { ...error.context };
	// The end of the rate limit; older versions of n8n do not have this field.
	return 'failure' in error ? Object.assign(copy, { failure: error.failure }) : copy;
}
