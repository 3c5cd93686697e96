import type { IDataObject } from 'n8n-workflow';
import { recordsOf } from '../receive/records';
import type { ApiRequest, ApiResponse, Context } from './context';
import { request } from './request';

/** The most records that the service gives on a page. Source: Part A, 8. */
export const MAX_PER_PAGE = 100;

/**
 * Reads a paged list: no more requests than needed, in order, each record once.
 * @param max how many records at most; all when undefined
 */
export async function listAll(
	context: Context,
	list: ApiRequest,
	max?: number,
): Promise<IDataObject[]> {
	const perPage = Math.min(max ?? MAX_PER_PAGE, MAX_PER_PAGE);
	const read = async (page: number) =>
		await request(context, { ...list, qs: { ...list.qs, page, perPage } });

	const pages = [await read(1)];
	const wanted = Math.ceil((max ?? Infinity) / perPage);
	while (pages.length < Math.min(totalPages(pages), wanted)) {
		const from = pages.length + 1;
		const to = Math.min(totalPages(pages), wanted);
		const rest = Array.from(
			{ length: to - from + 1 },
			async (_, index) => await read(from + index),
		);
		pages.push(...(await Promise.all(rest)));
	}
	return once(pages.flatMap(({ body }) => recordsOf(body))).slice(0, max);
}

/** As the newest page tells: the list may have grown while it was read. */
function totalPages(pages: ApiResponse[]): number {
	const { meta } = (pages.at(-1)?.body ?? {}) as {
		meta?: { pagination?: { totalPages?: number } };
	};
	return Number(meta?.pagination?.totalPages) || 1;
}

/** A record that moved to the next page while reading comes twice; records without an id are all kept. */
function once(records: IDataObject[]): IDataObject[] {
	const seen = new Set<unknown>();
	return records.filter(({ id }) => {
		if (id === undefined || id === null) return true;
		return !seen.has(id) && seen.add(id);
	});
}
