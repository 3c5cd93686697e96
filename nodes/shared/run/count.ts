import type { IDataObject } from 'n8n-workflow';
import type { Composing, Operation } from '../operation';
import { idFieldsOf } from '../operation';
import type { ApiRequest } from '../n8n/context';
import { listAll, listPage } from '../client/paging';
import type { Shown } from '../client/request';
import { shownAt } from '../client/request';

/** How many records a list has, with the ids of its path: one request, where the service says it. */
export async function count(at: Composing, { route }: Operation): Promise<IDataObject> {
	const { context, ids, url, qs } = at;
	const list = { method: 'GET' as const, url, qs };
	const keep = await shownAt(context, url);
	const total = keep ? await counted(at, list, keep) : await told(at, list);
	const above = Object.entries(idFieldsOf(route)).map(([field, name]) => [field, ids[name]]);
	return { ...Object.fromEntries(above), count: total } as IDataObject;
}

async function told(at: Composing, list: ApiRequest): Promise<number> {
	const { totalItems, records, totalPages } = await listPage(at.context, list, 1, { perPage: 1 });
	const isAll = totalPages <= 1 && records.length <= 1;
	return totalItems ?? (isAll ? records.length : await counted(at, list));
}

/** Reads the whole list; of the records nothing is kept. */
async function counted({ context }: Composing, list: ApiRequest, keep?: Shown) {
	const nothing = {};
	return (await listAll(context, list, { shape: () => nothing, keep })).length;
}
