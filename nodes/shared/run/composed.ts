import type { IDataObject } from 'n8n-workflow';
import type { Composing, ListChange, Operation, Upsert } from '../operation';
import { fillPath, idFieldsOf } from '../operation';
import { listsIn } from '../receive/proof';
import { isRecord } from '../lib/records';
import type { ApiRequest, CallContext } from '../n8n/context';
import { listAll, listPage } from '../client/records';
import { shownAt } from '../client/allowed';
import { ListWork, updatedPath } from './listChange';
import { withRecordLock } from './recordLock';
import { UpsertWork } from './upsert';

export type { Change } from './change';

/** The change of an item that takes several requests. */
export const composedChange = (
	at: Composing,
	operation: Operation,
	composed: ListChange | Upsert,
) =>
	composed.kind === 'list'
		? new ListWork(at, operation, composed)
		: new UpsertWork(at, operation, composed);

/** How many records a list has, with the ids of its path: one request, where the service returns the total. */
export async function count(
	{ context, ids, url, qs }: Composing,
	{ route }: Operation,
): Promise<IDataObject> {
	const list: ApiRequest = { method: 'GET', url, qs };
	const keep = await shownAt(context, url);
	const total = keep ? undefined : await totalOf(context, list);
	const shape = () => ({});
	const above = Object.entries(idFieldsOf(route)).map(([field, name]) => [field, ids[name]]);
	return {
		...Object.fromEntries(above),
		count: total ?? (await listAll(context, list, { shape, keep })).length,
	};
}

/** The total that the first page shows. */
async function totalOf(context: CallContext, list: ApiRequest): Promise<number | undefined> {
	const { totalItems, records, totalPages } = await listPage(context, list, 1, { perPage: 1 });
	const isWhole = totalPages <= 1 && records.length <= 1;
	return totalItems ?? (isWhole ? records.length : undefined);
}

/** Runs an update; one that replaces a list takes the lock of its record. */
export async function withListLock<T>(
	context: CallContext,
	{ route, replacesLists }: Operation,
	{ ids, body }: { ids: Record<string, string>; body: unknown },
	update: () => Promise<T>,
): Promise<T> {
	const [sent] = isRecord(body) ? Object.values(body) : [];
	const isReplacing = replacesLists && isRecord(sent) && listsIn(sent).length > 0;
	if (!isReplacing) return await update();
	return await withRecordLock(context, fillPath(updatedPath(route), ids), update);
}
