import type { IDataObject } from 'n8n-workflow';
import { collectionOf, keyIn } from '../operation';
import type { ListPage } from '../receive/answer';
import { pageOf, recordsOf, WrongAnswer } from '../receive/answer';
import type { ApiRequest, ApiResponse, Context } from './context';
import { MAX_IN_FLIGHT } from './limiter';
import type { Priority } from './queue';
import { read } from './request';

/** The most records that the service gives on a page. Source: Part A, 8. */
export const MAX_PER_PAGE = 100;

/** Passes over a list that keeps getting shorter while it is read. */
const MAX_PASSES = 3;

interface PageOptions {
	perPage?: number;
	priority?: Priority;
	/** What is wrong with the records, such as `a list that repeats itself`; undefined when nothing is. */
	check?: (records: IDataObject[]) => string | undefined;
	/** What is in an answer that was asked for so many records; by default the list that the path names. */
	pageIn?: (answer: ApiResponse, perPage: number) => ListPage;
}

/**
 * Reads a page of a list, of the most records that there can be unless told otherwise.
 * @throws NodeApiError also where the answer is no such page, or contradicts itself
 */
export async function listPage(
	context: Context,
	list: ApiRequest,
	page: number,
	{ perPage = MAX_PER_PAGE, priority, check, ...options }: PageOptions = {},
): Promise<ListPage> {
	const qs = { ...list.qs, page, perPage };
	const wrapper = collectionOf(list.url);
	const { pageIn = (answer: ApiResponse) => pageOf(wrapper, answer) } = options;
	return await read(
		context,
		{ ...list, qs },
		(answer) => {
			const found = consistent(pageIn(answer, perPage), page, perPage);
			const problem = check?.(found.records);
			if (problem !== undefined) throw new WrongAnswer(problem);
			return found;
		},
		priority,
	);
}

/** Reads a list without pages. */
export async function listWhole(context: Context, list: ApiRequest): Promise<IDataObject[]> {
	const wrapper = collectionOf(list.url);
	return await read(context, list, (answer) => recordsOf({ kind: 'records', wrapper }, answer));
}

/** What a page says of itself has to fit: it decides which pages are read, and what counts as complete. */
function consistent(found: ListPage, page: number, asked: number): ListPage {
	const { records, totalPages, totalItems } = found;
	const count = records.length;
	if (found.isWhole) return found;
	const isLast = page >= totalPages;
	// Only the last page may have room left.
	const perPage = found.perPage ?? (isLast ? asked : count);
	const fail = (problem: string): never => {
		throw new WrongAnswer(`a list that contradicts itself: ${problem}`);
	};
	if (perPage < 1 || perPage > asked)
		fail(`${perPage} records a page, where ${asked} were asked for`);
	if (count > perPage) fail(`${count} records on a page of ${perPage}`);
	if (!isLast && count < perPage) fail(`${count} records on page ${page} of ${totalPages}`);
	if (totalItems === undefined) return found;
	if (page === 1 && (count === 0) !== (totalItems === 0)) {
		fail(`${count} records, where it says that there are ${totalItems}`);
	}
	const isTold = found.perPage !== undefined || page === 1;
	const pages = Math.max(1, Math.ceil(totalItems / perPage));
	if (isTold && Math.max(1, totalPages) !== pages) {
		fail(`${totalItems} records on ${totalPages} pages of ${perPage}`);
	}
	return found;
}

interface ListOptions {
	/** How many records at most; all when undefined. */
	max?: number;
	priority?: Priority;
	/** What stays of a record: of a long list all else is let go page by page. */
	shape?: (record: IDataObject) => IDataObject;
	pageIn?: PageOptions['pageIn'];
}

/** A record as it stays, with what tells it from others. */
interface Kept {
	key: unknown;
	record: IDataObject;
}

type KeptPage = Omit<ListPage, 'records'> & { records: Kept[] };

/**
 * Reads a paged list: no more requests than needed, in order, each record once. What is added meanwhile is read,
 * too. Where something was removed meanwhile, the rest has moved up and a record may have slipped past: then the
 * list is read again.
 */
export async function listAll(
	context: Context,
	list: ApiRequest,
	{ max = Infinity, priority, shape = (record) => record, pageIn }: ListOptions = {},
): Promise<IDataObject[]> {
	const perPage = Math.min(max, MAX_PER_PAGE);
	const key = keyIn(collectionOf(list.url));
	const kept = (record: IDataObject) => ({ key: record[key], record: shape(record) });
	const found: Kept[] = [];
	for (let pass = 1; ; pass++) {
		// What an earlier pass has read is no repetition.
		const check = repeating(key);
		const readPage = async (page: number): Promise<KeptPage> => {
			const { records, ...about } = await listPage(context, list, page, {
				perPage,
				priority,
				check,
				pageIn,
			});
			return { ...about, records: records.map(kept) };
		};
		const { records, shrank } = await readPages(readPage, max, perPage);
		if (!shrank) return once(records, key).slice(0, max);
		found.unshift(...records);
		if (pass === MAX_PASSES) return once(found, key).slice(0, max);
	}
}

/** Reads the first page, and then all others several at a time; more of them where the list has grown. */
async function readPages(
	readPage: (page: number) => Promise<KeptPage>,
	max: number,
	asked: number,
): Promise<{ records: Kept[]; shrank: boolean }> {
	const first = await readPage(1);
	const wanted = Math.ceil(max / (first.perPage ?? asked));
	const pages = [first];
	let next = 2;
	let last = Math.min(wanted, first.totalPages);
	let hasFailed = false;
	const lane = async () => {
		while (next <= last && !hasFailed) {
			const page = next++;
			const found = await readPage(page);
			pages[page - 1] = found;
			last = Math.min(wanted, Math.max(last, found.totalPages));
		}
	};
	const stop = () => void (hasFailed = true);
	const lanes = Array.from({ length: Math.min(MAX_IN_FLIGHT, last) }, lane);
	for (const each of lanes) each.catch(stop);
	await Promise.all(lanes);
	const items = pages.map(({ totalItems = Infinity }) => totalItems);
	const shrank = items.some((count, index) => count < (items[index - 1] ?? 0));
	return { records: pages.flatMap(({ records }) => records), shrank };
}

/** Pages in a row without a record that is new: more than what moves while a list is read. */
const MAX_REPEATED = MAX_IN_FLIGHT;

/** Notices a list that goes on for ever with the same records. */
function repeating(key: string): PageOptions['check'] {
	const seen = new Set<unknown>();
	let repeated = 0;
	return (records) => {
		const before = seen.size;
		for (const record of records) seen.add(record[key] ?? JSON.stringify(record));
		repeated = seen.size === before ? repeated + 1 : 0;
		return key === 'id' && repeated > MAX_REPEATED ? 'a list that repeats itself' : undefined;
	};
}

/** A record that moved to the next page while reading comes twice; records without an id are all kept. */
function once(all: Kept[], name: string): IDataObject[] {
	const seen = new Set<unknown>();
	const isNew = (key: unknown) => key === undefined || (!seen.has(key) && seen.add(key));
	const different = all.filter(({ key }) => name !== 'id' || isNew(key));
	return different.map(({ record }) => record);
}
