import type { IDataObject } from 'n8n-workflow';
import { perRecord } from '../lib/records';
import type { Judged } from '../operation';
import type { ErrorDetails } from '../receive/errors';
import { knownError } from '../receive/errors';
import { clock } from '../client/clock';
import { FRESH_MS } from '../client/exchange';
import type { Limiter } from '../client/limiter';
import { accountOf } from '../client/request';
import type { ItemRequest } from './itemRequest';

/** A request that an operation builds from what it has read. */
export interface Change extends Judged {
	/** By name in the route. */
	ids: Record<string, string>;
	body: IDataObject;
	/** Runs directly before each attempt. @throws NodeOperationError if what was read no longer holds */
	before: () => Promise<void>;
}

/** Sends a change, and returns the record of its response. */
export type Send = (change: Change) => Promise<IDataObject>;

/** The record after a change, and output fields in addition to its own. */
export interface Done {
	record: IDataObject;
	extra: IDataObject;
}

/** A change of a record that takes several requests. */
export abstract class ComposedChange<C> {
	constructor(
		protected readonly item: ItemRequest,
		protected readonly composed: C,
	) {}

	/** Makes the change, and reads again to check it. */
	abstract make(send: Send): Promise<Done>;

	/** The request that would be sent; undefined if nothing is left to do. */
	abstract preview(): Promise<Change | undefined>;

	protected error(details: ErrorDetails, message: string, todo: string) {
		return knownError(this.item.context.getNode(), details, message, todo);
	}

	/** Checks again, if the request waited for its turn, whether what was just read still holds. */
	protected stillHolds(isSame: () => Promise<boolean>): () => Promise<void> {
		let checkedAt = clock.now();
		return async () => {
			if (clock.now() - checkedAt <= FRESH_MS) return;
			if (!(await isSame())) {
				throw this.error(
					{ outcome: 'notSent' },
					`${this.item.operation.labels.name} was refused: another process changed the record`,
					'The record changed while the request waited for its turn. Run it again. Nothing was changed by this item.',
				);
			}
			checkedAt = clock.now();
		};
	}

	/** Reads once after a change: if that fails, the error must not read as if nothing was changed. */
	protected async readAfter<T>(what: string, verifyAt: string, read: () => Promise<T>): Promise<T> {
		return await read().catch((error: Error) => {
			throw this.error(
				{ outcome: 'unknown', verifyAt },
				`${what}, but the check afterwards failed: ${error.message}; check ${verifyAt}`,
				'Running the operation again is safe: nothing is done twice.',
			);
		});
	}
}

/** By account: the last work that has or waits for the lock of each record. */
const locksOf = perRecord<Limiter['account'], Map<string, Promise<unknown>>>(() => new Map());

/** Runs work while no other work of this process has the lock of a record. @param record such as `/clients/7` */
export async function withRecordLock<T>(
	{ context }: ItemRequest,
	record: string,
	work: () => Promise<T>,
): Promise<T> {
	const locks = locksOf((await accountOf(context)).limiter.account);
	const result = Promise.resolve(locks.get(record)).then(work, work);
	locks.set(record, result);
	return await result.finally(() => {
		if (locks.get(record) === result) locks.delete(record);
	});
}
