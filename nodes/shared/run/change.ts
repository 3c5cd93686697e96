import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import type { Composing, Judged, Operation } from '../operation';
import type { Outcome } from '../receive/outcome';
import { withDetails } from '../receive/outcome';
import { clock } from '../client/clock';
import { FRESH_MS } from '../client/exchange';

/** The request of an operation that reads first, and makes its request from what it has read. */
export interface Change extends Judged {
	/** By the names in the route. */
	ids: Record<string, string>;
	body: IDataObject;
	/** Runs directly before each attempt. @throws NodeOperationError where what was read no longer holds */
	before: () => Promise<void>;
}

/** Sends a change, and returns the record of its answer. */
export type Send = (change: Change) => Promise<IDataObject>;

/** The record after a change, and what its item has beside the fields of the record. */
export interface Done {
	record: IDataObject;
	beside: IDataObject;
}

/** An operation that changes a record in several requests, for one item. */
export interface ComposedChange {
	make: (send: Send) => Promise<Done>;
	/** The request that would be sent; undefined where nothing is left to do. */
	preview: () => Promise<Change | undefined>;
}

/** An error with what is known. @param verifyAt where to check the outcome */
export function problem(
	{ context }: Composing,
	message: string,
	{ outcome, verifyAt, todo }: { outcome: Outcome; verifyAt?: string; todo: string },
): NodeOperationError {
	const itemIndex = context.getItemIndex();
	const error = new NodeOperationError(context.getNode(), message, {
		itemIndex,
		description: todo,
	});
	// n8n replaces a message that contains the code of a network error.
	error.message = message;
	return withDetails(error, { outcome, ...(verifyAt !== undefined && { verifyAt }) });
}

/** Checks again, where the request waited for its turn, whether what was just read still holds. */
export function stillHolds(
	at: Composing,
	{ labels }: Operation,
	isSame: () => Promise<boolean>,
): () => Promise<void> {
	let checkedAt = clock.now();
	return async () => {
		if (clock.now() - checkedAt <= FRESH_MS) return;
		if (!(await isSame())) {
			throw problem(at, `${labels.name} was refused: another process changed the record`, {
				outcome: 'notSent',
				todo: 'The record changed while the request waited for its turn. Run it again. Nothing was changed by this item.',
			});
		}
		checkedAt = clock.now();
	};
}

/** Reads once after a change: if that fails, the error must not read as if nothing was changed. */
export async function readAfter<T>(
	at: Composing,
	{ what, verifyAt }: { what: string; verifyAt: string },
	read: () => Promise<T>,
): Promise<T> {
	return await read().catch((error: Error) => {
		const message = `${what}, but the check afterwards failed: ${error.message}; check ${verifyAt}`;
		const todo = 'Running the operation again is safe: nothing is done twice.';
		throw problem(at, message, { outcome: 'unknown', verifyAt, todo });
	});
}
