import type { IDataObject } from 'n8n-workflow';
import { collectionOf, keyIn } from '../vocabulary/words';
import { recordsOf, WrongAnswer } from '../receive/answer';
import type { AskedPage, ListPage } from '../receive/pages';
import { pageOf } from '../receive/pages';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { MAX_IN_FLIGHT } from './limiter';
import type { Priority } from './queue';
import type { Shown } from './request';
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
	/** What is in an answer; by default the list that the path names. */
	pageIn?: (answer: ApiResponse, asked: AskedPage) => ListPage;
	/** Whether a page may have a record less than it should; see `AskedPage`. */
	mayLackOne?: boolean;
}

/**
 * Reads a page of a list, of the most records that there can be unless told otherwise.
 * @throws NodeApiError also where the answer is no such page, or contradicts itself
 */
export async function listPage(
	context: CallContext,
	list: ApiRequest,
	page: number,
	{ perPage = MAX_PER_PAGE, priority, check, mayLackOne, ...options }: PageOptions = {},
): Promise<ListPage> {
	const qs = { ...list.qs, page, perPage };
	const wrapper = collectionOf(list.url);
	const { pageIn = (...of) => pageOf(wrapper, ...of) } = options;
	return await read(
		context,
		{ ...list, qs },
		(answer) => {
			const found = pageIn(answer, { page, perPage, mayLackOne });
			const problem = check?.(found.records);
			if (problem !== undefined) throw new WrongAnswer(problem);
			return found;
		},
		priority,
	);
}

/** Reads a list without pages. */
export async function listWhole(context: CallContext, list: ApiRequest): Promise<IDataObject[]> {
	const wrapper = collectionOf(list.url);
	return await read(context, list, (answer) =>
		recordsOf({ kind: 'records', wrapper }, answer, { isRead: true }),
	);
}

interface ListOptions {
	/** How many records at most; all when undefined. */
	max?: number;
	priority?: Priority;
	/** Reads what the records of a page lack. */
	complete?: (records: IDataObject[]) => Promise<IDataObject[]>;
	/** What stays of a record: of a long list all else is let go page by page. */
	shape?: (record: IDataObject) => IDataObject;
	/** Whether no more pages are wanted. */
	isFull?: () => boolean;
	/** Which records count; what else there is does not count as left out. */
	keep?: Shown;
	pageIn?: PageOptions['pageIn'];
}

/** A record as it stays, with what tells it from others. */
interface Kept {
	key: unknown;
	record: IDataObject;
}

type KeptPage = Omit<ListPage, 'records'> & { records: Kept[] };

/** What was read of a list. */
export interface Listed {
	records: IDataObject[];
	/** How many there are; undefined where the list does not say. */
	total?: number;
	/** Whether there are more than were asked for. */
	isCut: boolean;
	/** Whether some did not count. */
	hasOthers?: boolean;
}

/** As `listUpTo`, for the records alone. */
export const listAll = async (
	context: CallContext,
	list: ApiRequest,
	options: ListOptions = {},
): Promise<IDataObject[]> => (await listUpTo(context, list, options)).records;

/**
 * Reads a paged list: no more requests than needed, in order, each record once. What is added meanwhile is read,
 * too. Where something was removed meanwhile, the rest has moved up and a record may have slipped past: then the
 * list is read again.
 */
export async function listUpTo(
	context: CallContext,
	list: ApiRequest,
	{
		max = Infinity,
		priority,
		complete = async (records) => records,
		shape = (record) => record,
		isFull = () => false,
		keep,
		pageIn,
	}: ListOptions = {},
): Promise<Listed> {
	// How many pages have as many of those that count nobody knows.
	const perPage = keep ? MAX_PER_PAGE : Math.min(max, MAX_PER_PAGE);
	const asked = { ...list, qs: { ...keep?.query, ...list.qs } };
	const key = keyIn(collectionOf(list.url));
	const kept = (record: IDataObject) => ({ key: record[key], record: shape(record) });
	let found: Kept[] = [];
	for (let pass = 1; ; pass++) {
		// What an earlier pass has read is no repetition.
		const check = repeating(key);
		let count = 0;
		let hasOthers = false;
		const isEnough = () => isFull() || (keep !== undefined && count >= max);
		const readPage = async (page: number): Promise<KeptPage> => {
			const { records, ...about } = await listPage(context, asked, page, {
				perPage,
				priority,
				check,
				pageIn,
				mayLackOne: true,
			});
			const counting = keep ? records.filter(keep) : records;
			count += counting.length;
			hasOthers ||= counting.length < records.length;
			return { ...about, records: (await complete(counting)).map(kept) };
		};
		const wanted = { max: keep ? Infinity : max, perPage, isFull: isEnough };
		const { records, shrank, total, hasMore } = await readPages(readPage, wanted);
		const about = { hasMore, total: keep ? undefined : total };
		found = records.concat(found);
		if (!shrank || pass === MAX_PASSES)
			return { ...upTo(max, once(shrank ? found : records, key), about), hasOthers };
	}
}

/** What the pages of a list say of its length. */
interface Length {
	total?: number;
	/** Whether there are pages that were not read. */
	hasMore: boolean;
}

function upTo(max: number, all: IDataObject[], { total, hasMore }: Length): Listed {
	const records = all.slice(0, max);
	// What was read to its end is as long as it came, whatever moved meanwhile.
	if (!hasMore && all.length <= max) return { records, total: records.length, isCut: false };
	return { records, total, isCut: true };
}

/** Reads the first page, and then all others several at a time; more of them where the list has grown. */
async function readPages(
	readPage: (page: number) => Promise<KeptPage>,
	{ max, perPage: asked, isFull }: { max: number; perPage: number; isFull: () => boolean },
): Promise<Length & { records: Kept[]; shrank: boolean }> {
	const first = await readPage(1);
	const wanted = Math.ceil(max / (first.perPage ?? asked));
	const pages = [first];
	let next = 2;
	let last = Math.min(wanted, first.totalPages);
	let hasFailed = false;
	const lane = async () => {
		while (next <= last && !hasFailed && !isFull()) {
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
	const items = pages.flatMap(({ totalItems }) => (totalItems === undefined ? [] : [totalItems]));
	const shrank = items.some((count, index) => count < (items[index - 1] ?? 0));
	const hasMore = pages.some(({ totalPages }) => totalPages > pages.length);
	const records = pages.flatMap(({ records }) => records);
	return { records, shrank, total: items.at(-1), hasMore };
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
