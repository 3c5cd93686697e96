import type { JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { detailsOf, isOutcomeUnknown } from '../receive/errors';
import type { ErrorDetails } from '../receive/errors';
import type { Outcome } from '../receive/messages';
import { blanker } from '../receive/secrets';
import type { Run } from './run';
import type { Progress } from './progress';

/**
 * The error of an item, with `details` as data in its context. Always a new object, since items may share the
 * original error.
 */
export async function itemError(
	context: ItemContext,
	run: Run,
	error: unknown,
	progress: Progress,
): Promise<NodeApiError> {
	const details = detailsFor(context, error, progress);
	const keepsGoing = context.continueOnFail();
	// n8n reports the error after all items have ended; its number of changes must be right then.
	if (progress.isChange && !keepsGoing) await run.idle();
	const place = placeOf(run, details, { isChange: progress.isChange, keepsGoing });
	const isOnlyOne = run.total === 1 || (!keepsGoing && progress.isChange && run.made === 0);
	const failure = copyOf(context, error, progress.secrets);
	failure.message += place;
	const isUntouched = progress.isChange && ['refused', 'notSent'].includes(details.outcome);
	failure.description = described(failure.description ?? '', {
		isUntouched: isUntouched && isOnlyOne,
		isAllUnsent: isOnlyOne && !run.hasSent,
	});
	failure.context.details = details;
	if (place) hideIndex(failure);
	return failure;
}

function detailsFor(
	context: ItemContext,
	error: unknown,
	{ isChange, isSent, verifyAt: path }: Progress,
): ErrorDetails {
	const found = detailsOf(error);
	// A failure before sending is a failed lookup, unless an earlier try sent the change.
	const isBefore = isChange && !isSent && !isOutcomeUnknown(error) && found?.outcome !== 'started';
	const outcome: Outcome = isBefore
		? 'notSent'
		: (found?.outcome ?? (isSent ? 'unknown' : 'notSent'));
	const verifyAt = found?.verifyAt ?? (isChange && outcome === 'unknown' ? path : undefined);
	return {
		outcome,
		...(found?.status !== undefined && { status: found.status }),
		...(found?.taskId !== undefined && { taskId: found.taskId }),
		item: context.getItemIndex() + 1,
		...(verifyAt !== undefined && { verifyAt }),
	};
}

/** The failed item, and where to run again: n8n's own Retry would send all items again. */
function placeOf(
	{ total, made }: Run,
	{ item, outcome }: ErrorDetails,
	{ isChange, keepsGoing }: { isChange: boolean; keepsGoing: boolean },
): string {
	if (total === 1) return '';
	const number = item!;
	const place = `item ${number} of ${total}`;
	const some = made === 1 ? '1 change was made' : `${made} changes were made`;
	const rest = () => {
		if (!isChange || keepsGoing) return '';
		if (outcome === 'started') return `; ${some} in total: do not run those items again`;
		if (made === 0) return outcome === 'notSent' ? '' : '; nothing was changed before it';
		// A bad item of a later batch can prevent changes of earlier items.
		if (outcome !== 'unknown') return `; ${some} before it: run again from item ${made + 1}`;
		const next = number < total ? `from item ${number + 1}, or ` : '';
		return `; ${some} before it: run again ${next}from item ${number} if this one was not applied`;
	};
	return ` (${place}${rest()})`;
}

/** Says that nothing was sent or changed: in the whole run, or only for this item. */
function described(
	description: string,
	{ isUntouched, isAllUnsent }: { isUntouched: boolean; isAllUnsent: boolean },
): string {
	if (/Nothing was sent\./.test(description)) {
		return isAllUnsent
			? description
			: description.replace('Nothing was sent.', 'Nothing was sent for this item.');
	}
	const isMentioned = /Nothing was/.test(description);
	return isUntouched && !isMentioned ? `${description} Nothing was changed.`.trim() : description;
}

function copyOf(context: ItemContext, error: unknown, secrets: string[]): NodeApiError {
	const blank = blanker(secrets);
	const { message = String(error), stack } = (error ?? {}) as Partial<Error>;
	const isOfNode = error instanceof NodeApiError || error instanceof NodeOperationError;
	const text = blank(message);
	const copy = new NodeApiError(context.getNode(), {} as JsonObject, {
		message: text || undefined,
		description: isOfNode ? blank(error.description ?? '') : undefined,
		httpCode: error instanceof NodeApiError ? (error.httpCode ?? undefined) : undefined,
	});
	// n8n replaces a message that contains the code of a network error.
	copy.message = text || copy.message;
	copy.messages = [];
	copy.stack = stack && blank(stack);
	if (!isOfNode) return copy;
	copy.context = { ...error.context };
	// The end of the rate limit; older versions of n8n do not have this field.
	return 'failure' in error ? Object.assign(copy, { failure: error.failure }) : copy;
}

/** Hides n8n's index, which counts from 0: the panel would show a second number for the same item. */
function hideIndex(error: NodeApiError): void {
	Object.defineProperty(error.context, 'itemIndex', {
		get: () => undefined,
		// n8n sets it again.
		set: () => undefined,
		configurable: true,
	});
}
