import type { IDataObject } from 'n8n-workflow';
import type { Composing, Operation } from '../../operation';
import { idFieldsOf } from '../../operation';
import { listAll, listPage } from '../http/paging';

/** How many records a list has, with the ids of its path: one request, where the service says it. */
export async function count(at: Composing, { route }: Operation): Promise<IDataObject> {
	const { context, ids, url, qs } = at;
	const list = { method: 'GET' as const, url, qs };
	const { totalItems, records, totalPages } = await listPage(context, list, 1, { perPage: 1 });
	const isAll = totalPages <= 1 && records.length <= 1;
	const total = totalItems ?? (isAll ? records.length : await counted(at, list));
	const above = Object.entries(idFieldsOf(route)).map(([field, name]) => [field, ids[name]]);
	return { ...Object.fromEntries(above), count: total } as IDataObject;
}

/** Reads the whole list; of the records nothing is kept. */
async function counted({ context }: Composing, list: Parameters<typeof listAll>[1]) {
	const nothing = {};
	return (await listAll(context, list, { shape: () => nothing })).length;
}
