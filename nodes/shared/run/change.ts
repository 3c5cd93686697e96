import type { IDataObject } from 'n8n-workflow';
import type { Composing, Judged, Operation } from '../operation';
import { knownError } from '../receive/errors';
import { clock } from '../client/clock';
import { FRESH_MS } from '../client/exchange';

/** The request of an operation that makes it from what it has read. */
export interface Change extends Judged {
	/** By the names in the route. */
	ids: Record<string, string>;
	body: IDataObject;
	/** Runs directly before each attempt. @throws NodeOperationError where what was read no longer holds */
	before: () => Promise<void>;
}

/** Sends a change, and returns the record of its answer. */
export type Send = (change: Change) => Promise<IDataObject>;

/** The record after a change, and the fields of the item beside those of the record. */
export interface Done {
	record: IDataObject;
	beside: IDataObject;
}

/** Checks again, where the request waited for its turn, whether what was just read still holds. */
export function stillHolds(
	{ context }: Composing,
	{ labels }: Operation,
	isSame: () => Promise<boolean>,
): () => Promise<void> {
	let checkedAt = clock.now();
	return async () => {
		if (clock.now() - checkedAt <= FRESH_MS) return;
		if (!(await isSame())) {
			throw knownError(
				context.getNode(),
				{ outcome: 'notSent' },
				`${labels.name} was refused: another process changed the record`,
				'The record changed while the request waited for its turn. Run it again. Nothing was changed by this item.',
			);
		}
		checkedAt = clock.now();
	};
}

/** Reads once after a change: if that fails, the error must not read as if nothing was changed. */
export async function readAfter<T>(
	{ context }: Composing,
	{ what, verifyAt }: { what: string; verifyAt: string },
	read: () => Promise<T>,
): Promise<T> {
	return await read().catch((error: Error) => {
		throw knownError(
			context.getNode(),
			{ outcome: 'unknown', verifyAt },
			`${what}, but the check afterwards failed: ${error.message}; check ${verifyAt}`,
			'Running the operation again is safe: nothing is done twice.',
		);
	});
}
