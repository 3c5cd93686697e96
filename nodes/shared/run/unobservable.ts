import type { IExecuteSingleFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { StatusKind } from '../vocabulary/statusWords';
import { statusClass, statusWord } from '../vocabulary/statusWords';

/** Problems of the account or its limit rather than of one record. */
const OF_ACCOUNT = ['401', '403', '429'];

/** Whether a request of a poll failed for what it asked for alone: otherwise the whole poll is repeated. */
export const isOfRecord = (error: unknown): boolean =>
	error instanceof NodeApiError && !OF_ACCOUNT.includes(String(error.httpCode));

/** Whether a look failed because the service refuses to show it, which it will do the next time, too. */
export function isRefused(error: unknown): error is NodeApiError {
	const status = error instanceof NodeApiError ? Number(error.httpCode) : NaN;
	return status >= 400 && status < 500;
}

/**
 * The error for work that goes on where nobody can look at it: what was started must not get lost with that.
 * @param work with its id, such as `task 9b1f6c2e70`
 */
export function unobservableError(
	context: IExecuteSingleFunctions,
	work: string,
	cause: NodeApiError,
	hint = cause.description ?? '',
): NodeApiError {
	const message = `The ${work} was started, but its progress cannot be read: ${cause.message}`;
	const error = new NodeApiError(context.getNode(), {} as JsonObject, {
		message,
		description: `The work continues. ${hint}`,
		httpCode: cause.httpCode ?? undefined,
		itemIndex: context.getItemIndex(),
	});
	// n8n puts words of its own in the place of a message in which it sees the code of a network error.
	error.message = message;
	return error;
}

interface StillGoing {
	/** Such as `task 9b1f6c2e70`. */
	work: string;
	kind: StatusKind;
	/** As the last look has seen it. */
	status: unknown;
	limitMs: number;
	/** Why the last look at it did not succeed, if it did not. */
	lastFailure?: string;
	/** Where to look, where the ID does not tell. */
	url?: string;
	/** What the user can do. */
	todo: string;
}

/** The error for work that has not ended within the time limit; a status that is not known is named. */
export function stillGoing(context: IExecuteSingleFunctions, about: StillGoing) {
	const { work, kind, status, limitMs, lastFailure, url, todo } = about;
	const isOther = statusWord(status) !== '' && statusClass(kind, status) === 'unknown';
	const state = isOther ? `\`${String(status)}\`` : 'running';
	const minutes = Math.round(limitMs / 6_000) / 10;
	const seen = lastFailure ? `; the last check failed: ${lastFailure}` : '';
	const why = isOther
		? 'This node does not know this status and treats it as neither a success nor a failure.'
		: 'The work continues.';
	const message = `The ${work} was still ${state} after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}${seen}${url ? ` (${url})` : ''}`;
	return new NodeOperationError(context.getNode(), message, {
		itemIndex: context.getItemIndex(),
		description: `${why} ${todo}`,
	});
}
