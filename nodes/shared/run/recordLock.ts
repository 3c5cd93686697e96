import type { CallContext } from '../n8n/context';
import { accountOf } from '../client/request';

/** By account: the last work that has or waits for the lock of each record. */
const accounts = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs work while no other work of this process has the lock of a record. @param record such as `/clients/7` */
export async function withRecordLock<T>(
	context: CallContext,
	record: string,
	work: () => Promise<T>,
): Promise<T> {
	const { account } = (await accountOf(context)).limiter;
	const locks = accounts.get(account) ?? new Map<string, Promise<unknown>>();
	accounts.set(account, locks);
	const own = Promise.resolve(locks.get(record)).then(work, work);
	locks.set(record, own);
	return await own.finally(() => {
		if (locks.get(record) === own) locks.delete(record);
	});
}
