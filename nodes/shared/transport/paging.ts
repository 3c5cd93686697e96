import type { IDataObject } from 'n8n-workflow';
import { paginationOf, recordsOf } from '../receive/records';
import type { ApiRequest, Context } from './context';
import type { Priority } from './queue';
import { request } from './request';

/** The most records that the service gives on a page. Source: Part A, 8. */
export const MAX_PER_PAGE = 100;

/** Passes over a list that keeps getting shorter while it is read. */
const MAX_PASSES = 3;

/**
 * Reads a paged list: no more requests than needed, in order, each record once. What is added meanwhile is read,
 * too. Where something was removed meanwhile, the rest has moved up and a record may have slipped past: then the
 * list is read again.
 * @param max how many records at most; all when undefined
 */
export async function listAll(
	context: Context,
	list: ApiRequest,
	max?: number,
	priority?: Priority,
): Promise<IDataObject[]> {
	const perPage = Math.min(max ?? MAX_PER_PAGE, MAX_PER_PAGE);
	const read = async (page: number) => {
		const qs = { ...list.qs, page, perPage };
		return (await request(context, { ...list, qs }, priority)).body;
	};
	const wanted = Math.ceil((max ?? Infinity) / perPage);
	const found: IDataObject[] = [];
	for (let pass = 1; ; pass++) {
		const { pages, shrank } = await readPages(read, wanted);
		const records = pages.flatMap(recordsOf);
		if (!shrank) return once(records).slice(0, max);
		found.unshift(...records);
		if (pass === MAX_PASSES) return once(found).slice(0, max);
	}
}

/** Reads the first page, and then all others at the same time; more of them where the list has grown. */
async function readPages(read: (page: number) => Promise<unknown>, wanted: number) {
	const pages = [await read(1)];
	const last = () => Math.min(wanted, Math.max(...pages.map((page) => totals(page).pages)));
	while (pages.length < last()) {
		const from = pages.length + 1;
		const rest = Array.from({ length: last() - from + 1 }, (_, index) => read(from + index));
		pages.push(...(await Promise.all(rest)));
	}
	const items = pages.map((page) => totals(page).items);
	return { pages, shrank: items.some((count, index) => count < (items[index - 1] ?? 0)) };
}

function totals(body: unknown): { pages: number; items: number } {
	const { totalPages, totalItems } = paginationOf(body);
	return { pages: Number(totalPages) || 1, items: Number(totalItems ?? Infinity) };
}

/** A record that moved to the next page while reading comes twice; records without an id are all kept. */
function once(records: IDataObject[]): IDataObject[] {
	const seen = new Set<unknown>();
	return records.filter(({ id }) => {
		if (id === undefined || id === null) return true;
		return !seen.has(id) && seen.add(id);
	});
}
