import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Composing, Judged } from '../operation';
import { isOutcomeUnknown, withDetails } from '../receive/errors';
import type { Outcome } from '../receive/messages';
import { FRESH_MS } from '../client/exchange';

/** A request that changes something, as an operation of several requests makes it. */
export interface Change extends Judged {
	/** By the names in the route. */
	ids: Record<string, string>;
	body: IDataObject;
	/** When that was read which it was made from, in epoch milliseconds. */
	readAt: number;
	/** Whether that still holds, where the request had to wait. */
	isSame: () => Promise<boolean>;
}

/** Sends a change, and gives the record of its answer. @throws Stale where what it was made from no longer holds */
export type Send = (change: Change) => Promise<IDataObject>;

/** What a change was made from is no longer so: nothing was sent. */
export class Stale extends Error {}

/** A record, and what its item has beside its fields. */
export interface Changed {
	record: IDataObject;
	beside: IDataObject;
}

/** What was done; `settled` looks again, once changes that other processes began before it have been made. */
export interface Done {
	made: Changed;
	settled?: () => Promise<Changed>;
}

/** A change that another process began before ours has been made by then: it looks directly before, as we do. */
export const SETTLE_MS = FRESH_MS + 1_000;

/** How often something is tried that others are in the way of. */
export const MAX_ROUNDS = 3;

/** An error that says what is known. @param verifyAt where to see what became of it */
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
	// n8n puts words of its own in the place of a message in which it sees the code of a network error.
	error.message = message;
	return withDetails(error, { outcome, ...(verifyAt !== undefined && { verifyAt }) });
}

/** Tries a change again where what it was made from has changed meanwhile. */
export async function untilFresh<T>(at: Composing, name: string, work: () => Promise<T>) {
	for (let round = 1; round <= MAX_ROUNDS; round++) {
		const made = await work().catch((error: unknown) => {
			if (error instanceof Stale) return error;
			throw error;
		});
		if (!(made instanceof Stale)) return made;
	}
	throw problem(at, `${name} was refused: the record keeps changing`, {
		outcome: 'notSent',
		todo: 'Other processes are changing the record. Run it again later. Nothing was changed by this item.',
	});
}

/** Runs what comes after a change: its failure must not read as if nothing had been changed. */
export async function afterwards<T>(
	at: Composing,
	{ what, look: verifyAt }: { what: string; look: string },
	work: () => Promise<T>,
): Promise<T> {
	return await work().catch((error: Error) => {
		if (isOutcomeUnknown(error)) throw error;
		const message = `${what}, but the check afterwards failed: ${error.message}; check ${verifyAt}`;
		throw problem(at, message, {
			outcome: 'unknown',
			verifyAt: verifyAt,
			todo: 'Running the operation again is safe: nothing is done twice.',
		});
	});
}
