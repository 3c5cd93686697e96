import type { IDataObject } from 'n8n-workflow';
import { clock, perRecord } from '../lib';
import type { Judged } from '../operation';
import { knownError } from '../receive/errors';
import { FRESH_MS } from '../client/exchange';
import { accountOf } from '../client/request';
import type { ItemRequest } from './itemRequest';

/** A request that an operation builds from what it has read. */
export interface Change extends Judged {
	/** By name in the route. */
	ids: Record<string, string>;
	/** Undefined if nothing is left to do. */
	body?: IDataObject;
	/** Checks the change by its response, and returns the record. @default the record of the response */
	after?: (answer: IDataObject) => Promise<IDataObject>;
}

/** A change of a record that takes several requests. */
export interface ComposedChange {
	/** The record to lock from the plan to the end, such as `/clients/7`. */
	lock: string;
	/** Reads the record, if it exists. `extra` are further output fields. */
	plan: () => Promise<{ record?: IDataObject; change: Change; extra: IDataObject }>;
}

/** The error of a change that is not sent. @param why continues `Delete was refused` */
export const refused = ({ context, operation }: ItemRequest, why: string, todo: string) =>
	knownError(
		context.getNode(),
		{ outcome: 'notSent' },
		`${operation.labels.name} was refused${why}`,
		`${todo} Nothing was changed by this item.`,
	);

/** Returns a check for directly before each attempt, which plans again if the request waited for its turn. */
export function checkingBefore(item: ItemRequest, plan: ComposedChange['plan'], planned: Change) {
	const formOf = ({ ids, body }: Change) => JSON.stringify([ids, body]);
	let checkedAt = clock.now();
	return async () => {
		await item.before?.();
		if (clock.now() - checkedAt <= FRESH_MS) return;
		if (formOf((await plan()).change) !== formOf(planned)) {
			const todo = 'The record changed while the request waited for its turn. Run it again.';
			throw refused(item, ': another process changed the record', todo);
		}
		checkedAt = clock.now();
	};
}

/** Reads after a change: if that fails, the error must not read as if nothing was changed. */
export async function readAfter<T>(
	{ context }: ItemRequest,
	what: string,
	verifyAt: string,
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

/** By account: the last work that has or waits for the lock of each record. */
const locksOf = perRecord<object, Map<string, Promise<unknown>>>(() => new Map());

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
