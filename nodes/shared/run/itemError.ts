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
 * The error of an item, as people read it and as data: its context has the `details`. It is a new one each time,
 * since items may share what they failed with.
 */
export async function itemError(
	context: ItemContext,
	run: Run,
	error: unknown,
	progress: Progress,
): Promise<NodeApiError> {
	const details = detailsFor(context, error, progress);
	const goesOn = context.continueOnFail();
	// n8n reports the error when all items have ended, and what it says has to be true then.
	if (progress.isChange && !goesOn) await run.idle();
	const place = placeOf(run, details, { isChange: progress.isChange, goesOn });
	const isAlone = run.total === 1 || (!goesOn && progress.isChange && run.made === 0);
	const failure = copyOf(context, error, progress.secrets);
	failure.message += place;
	const isUntouched = progress.isChange && ['refused', 'notSent'].includes(details.outcome);
	failure.description = described(failure.description ?? '', {
		isUntouched: isUntouched && isAlone,
		isAllUnsent: isAlone && !run.hasSent,
	});
	failure.context.details = details;
	if (place) hideIndex(failure);
	return failure;
}

function detailsFor(
	context: ItemContext,
	error: unknown,
	{ isChange, isSent, verifyAt: look }: Progress,
): ErrorDetails {
	const known = detailsOf(error);
	// What failed before the change was sent is a look-up for it; an earlier try may have sent it.
	const isBefore = isChange && !isSent && !isOutcomeUnknown(error) && known?.outcome !== 'started';
	const outcome: Outcome = isBefore
		? 'notSent'
		: (known?.outcome ?? (isSent ? 'unknown' : 'notSent'));
	const verifyAt = known?.verifyAt ?? (isChange && outcome === 'unknown' ? look : undefined);
	return {
		outcome,
		...(known?.status !== undefined && { status: known.status }),
		...(known?.taskId !== undefined && { taskId: known.taskId }),
		item: context.getItemIndex() + 1,
		...(verifyAt !== undefined && { verifyAt }),
	};
}

/** Which item it was, and from which one to go on: n8n's own Retry would send all of them again. */
function placeOf(
	{ total, made }: Run,
	{ item, outcome }: ErrorDetails,
	{ isChange, goesOn }: { isChange: boolean; goesOn: boolean },
): string {
	if (total === 1) return '';
	const number = item!;
	const place = `item ${number} of ${total}`;
	const some = made === 1 ? '1 change was made' : `${made} changes were made`;
	const rest = () => {
		if (!isChange || goesOn) return '';
		if (outcome === 'started') return `; ${some} in total: do not run those items again`;
		if (made === 0) return outcome === 'notSent' ? '' : '; nothing was changed before it';
		// A bad item of a later batch keeps items before it from being changed.
		if (outcome !== 'unknown') return `; ${some} before it: run again from item ${made + 1}`;
		const next = number < total ? `from item ${number + 1}, or ` : '';
		return `; ${some} before it: run again ${next}from item ${number} if this one was not applied`;
	};
	return ` (${place}${rest()})`;
}

/** Says that nothing was sent or changed where that is true of the whole run, and of the item where it is not. */
function described(
	description: string,
	{ isUntouched, isAllUnsent }: { isUntouched: boolean; isAllUnsent: boolean },
): string {
	if (/Nothing was sent\./.test(description)) {
		return isAllUnsent
			? description
			: description.replace('Nothing was sent.', 'Nothing was sent for this item.');
	}
	const isSaid = /Nothing was/.test(description);
	return isUntouched && !isSaid ? `${description} Nothing was changed.`.trim() : description;
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
	// n8n puts words of its own in the place of a message in which it sees the code of a network error.
	copy.message = text || copy.message;
	copy.messages = [];
	copy.stack = stack && blank(stack);
	if (!isOfNode) return copy;
	copy.context = { ...error.context };
	// When the rate limit ends; older versions of n8n do not know the field.
	return 'failure' in error ? Object.assign(copy, { failure: error.failure }) : copy;
}

/** The panel puts n8n's index, from 0 on, behind a message that does not have it: a second number for the same item. */
function hideIndex(error: NodeApiError): void {
	Object.defineProperty(error.context, 'itemIndex', {
		get: () => undefined,
		// n8n sets it once more.
		set: () => undefined,
		configurable: true,
	});
}
