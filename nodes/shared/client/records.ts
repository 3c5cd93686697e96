import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { collectionOf, keyIn } from '../vocabulary/words';
import { dateOf, inText, isOfService, listIn, wrong, WrongAnswer } from '../receive/answer';
import { wireName } from '../input/field';
import { isRecord, valueAt } from '../lib';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { MAX_IN_FLIGHT } from './limiter';
import type { Priority } from './queue';
import type { Shown } from './allowed';
import { read, recordIn } from './request';

/** Maximum records per page. Source: Part A, 8. */
export const MAX_PER_PAGE = 100;

/** Maximum passes over a list that keeps shrinking while it is read. */
const MAX_PASSES = 3;

interface PageOptions {
	perPage?: number;
	priority?: Priority;
	/** Returns a problem of the records, such as `a list that repeats itself`, or undefined. */
	check?: (records: IDataObject[]) => string | undefined;
	/** Reads the page from a response. @default the list that the path names */
	pageIn?: (answer: ApiResponse, asked: AskedPage) => ListPage;
}

/** Reads a page of a list. @throws NodeApiError also if the response is not such a page or contradicts itself */
export async function listPage(
	context: CallContext,
	list: ApiRequest,
	page: number,
	{ perPage = MAX_PER_PAGE, priority, check, pageIn }: PageOptions = {},
): Promise<ListPage> {
	const asked = { page, perPage };
	const accept = (answer: ApiResponse) => {
		const found = pageIn?.(answer, asked) ?? pageOf(collectionOf(list.url), answer, asked);
		const problem = check?.(found.records);
		if (problem !== undefined) throw new WrongAnswer(problem);
		return found;
	};
	return await read(context, { ...list, qs: { ...list.qs, page, perPage } }, accept, priority);
}

export async function listWhole(context: CallContext, list: ApiRequest): Promise<IDataObject[]> {
	return await read(context, list, (answer) => listIn(answer, collectionOf(list.url)));
}

export interface ListOptions extends Pick<PageOptions, 'priority' | 'pageIn'> {
	max?: number;
	/** Whether to read only the first page of a list with more than `max` records. */
	isAllOrFirst?: boolean;
	/** Adds missing fields to the records of a page. */
	complete?: (records: IDataObject[]) => Promise<IDataObject[]>;
	/** Reduces each record to the fields to keep, page by page, which saves memory. */
	shape?: (record: IDataObject) => IDataObject;
	isFull?: () => boolean;
	/** Records to keep; the others do not count towards `max`. */
	keep?: Shown;
}

/** A reduced record, with its ID if the records of the list have IDs. */
interface Kept {
	id: unknown;
	record: IDataObject;
}

type KeptPage = Omit<ListPage, 'records'> & { records: Kept[] };

export const listAll = async (context: CallContext, list: ApiRequest, options: ListOptions = {}) =>
	(await listUpTo(context, list, options)).records;

/**
 * Reads a paged list in order, each record once, with as few requests as possible, and those added meanwhile.
 * If records were removed or moved meanwhile, others may have moved to a page already read: the list is read again.
 * `total` is undefined if it is unknown; `hasOthers`: `keep` left out records.
 */
export async function listUpTo(context: CallContext, list: ApiRequest, options: ListOptions = {}) {
	const { max = Infinity, isAllOrFirst, priority, complete, shape, isFull, keep, pageIn } = options;
	// With `keep`, the number of pages needed is unknown.
	const perPage = keep ? MAX_PER_PAGE : Math.min(max, MAX_PER_PAGE);
	const asked = { ...list, qs: { ...keep?.query, ...list.qs } };
	const pagesWanted = (first: KeptPage): number => {
		const wanted = Math.ceil((keep ? Infinity : max) / (first.perPage ?? perPage));
		return isAllOrFirst && first.totalPages > wanted ? 1 : wanted;
	};
	const hasIds = keyIn(collectionOf(list.url)) === 'id';
	const kept = (record: IDataObject) => ({
		id: hasIds ? record.id : undefined,
		record: shape?.(record) ?? record,
	});
	let found: Kept[] = [];
	for (let pass = 1; ; pass++) {
		// Records of an earlier pass are not repetitions.
		const repeats = hasIds ? repeating() : undefined;
		let count = 0;
		let hasOthers = false;
		const isEnough = () => isFull?.() === true || (keep !== undefined && count >= max);
		const readPage = async (page: number): Promise<KeptPage> => {
			const of = { perPage, priority, check: repeats?.check, pageIn };
			const { records, ...numbers } = await listPage(context, asked, page, of);
			const counting = keep ? records.filter(keep) : records;
			count += counting.length;
			hasOthers ||= counting.length < records.length;
			return { ...numbers, records: ((await complete?.(counting)) ?? counting).map(kept) };
		};
		const read = await readPages(readPage, pagesWanted, isEnough);
		const { records, total, hasMore } = read;
		const moved = !hasMore && !isEnough() && repeats?.hasMissed(read.totalAtFirst);
		const isAgain = read.shrank || moved;
		found = records.concat(found);
		if (isAgain && pass < MAX_PASSES) continue;
		const all = once(isAgain ? found : records);
		const isCut = hasMore || all.length > max;
		const known = keep ? undefined : total;
		return { records: all.slice(0, max), total: isCut ? known : all.length, isCut, hasOthers };
	}
}

/** Reads the first page, then the others in parallel, and further pages if the list has grown. */
async function readPages(
	readPage: (page: number) => Promise<KeptPage>,
	pagesWanted: (first: KeptPage) => number,
	isEnough: () => boolean,
) {
	const first = await readPage(1);
	const wanted = pagesWanted(first);
	const pages = [first];
	let next = 2;
	let last = Math.min(wanted, first.totalPages);
	const lane = async () => {
		while (next <= last && !isEnough()) {
			const page = next++;
			const found = await readPage(page);
			pages[page - 1] = found;
			last = Math.min(wanted, Math.max(last, found.totalPages));
		}
	};
	const lanes = Array.from({ length: Math.min(MAX_IN_FLIGHT, last) }, lane);
	// After a failure, no lane reads on.
	for (const each of lanes) each.catch(() => (next = Infinity));
	await Promise.all(lanes);
	const items = pages.flatMap(({ totalItems }) => (totalItems === undefined ? [] : [totalItems]));
	const shrank = items.some((count, index) => count < (items[index - 1] ?? 0));
	const hasMore = pages.some(({ totalPages }) => totalPages > pages.length);
	const records = pages.flatMap(({ records }) => records);
	return { records, shrank, totalAtFirst: items[0], total: items.at(-1), hasMore };
}

/** Allowed pages in a row without a new record, for records that move while the list is read. */
const MAX_REPEATED = MAX_IN_FLIGHT;

/** Detects a list that repeats the same records endlessly, and one whose records moved while it was read. */
function repeating() {
	const seen = new Set<unknown>();
	let [count, repeated] = [0, 0];
	let haveIds = true;
	return {
		check: (records: IDataObject[]) => {
			const before = seen.size;
			for (const record of records) seen.add(record.id ?? JSON.stringify(record));
			// Others can be alike.
			haveIds &&= records.every(({ id }) => id !== undefined);
			count += records.length;
			repeated = seen.size === before ? repeated + 1 : 0;
			return repeated > MAX_REPEATED ? 'a list that repeats itself' : undefined;
		},
		/** Whether a record came twice, and another one not at all. */
		hasMissed: (total = 0) => haveIds && seen.size < Math.min(count, total),
	};
}

/** Drops duplicates of records that moved to the next page. */
function once(all: Kept[]): IDataObject[] {
	const seen = new Set<unknown>();
	const isNew = ({ id }: Kept) => id === undefined || (!seen.has(id) && seen.add(id));
	return all.filter(isNew).map(({ record }) => record);
}

/**
 * Reads a record by its path, such as `/tags/7`. @throws NodeApiError also for another record
 * @param options `alsoBy`: another field that the path can use instead of the ID
 */
export async function recordOf(
	context: CallContext,
	url: string,
	{ priority, until, alsoBy }: { priority?: Priority; until?: number; alsoBy?: string } = {},
): Promise<IDataObject> {
	const accept = (answer: ApiResponse) => recordIn(answer, url, alsoBy);
	return await read(context, { url, until }, accept, priority);
}

/** As `recordOf`, but undefined if the record does not exist. */
export async function recordAt(context: CallContext, url: string) {
	return await recordOf(context, url).catch((error: unknown) => {
		if (error instanceof NodeApiError && error.httpCode === '404') return undefined;
		throw error;
	});
}

interface PageNumbers {
	totalPages?: number;
	totalItems?: number;
	perPage?: number;
}

/** If the list does not report its pages, they are one more than this page if it is full. */
type Counted = PageNumbers & { totalPages: number };

/** A page of a list, and its `Date` header in epoch milliseconds. Source: Part A, 4.1. */
export type ListPage = Counted & { records: IDataObject[]; date?: number };

export interface AskedPage {
	page: number;
	perPage: number;
}

/** A page of a list. Its numbers decide which pages are read. @throws WrongAnswer if they are inconsistent */
export function pageOf(wrapper: string, answer: ApiResponse, asked: AskedPage): ListPage {
	const records = listIn(answer, wrapper);
	const numbers = counted(records.length, numbersIn(answer), asked, answer);
	return { ...numbers, records, date: dateOf(answer.headers) };
}

/** The numbers in `meta.pagination`; from the service also in `meta`, in snake case, or as texts. @throws WrongAnswer */
export function numbersIn(answer: ApiResponse): PageNumbers | undefined {
	const meta = valueAt(answer.body, 'meta');
	if (!isRecord(meta)) return undefined;
	const isTolerant = isOfService(answer);
	const place = isRecord(meta.pagination) ? meta.pagination : isTolerant ? meta : {};
	const numbers: PageNumbers = {};
	for (const name of ['totalPages', 'totalItems', 'perPage'] as const) {
		const value = place[name] ?? (isTolerant ? place[wireName(name)] : undefined);
		if (value === undefined || value === null) continue;
		const isDigits = isTolerant && typeof value === 'string' && /^\d{1,15}$/.test(value);
		const number = isDigits ? Number(value) : value;
		if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
			return wrong(`a list whose ${name} is ${inText(value).slice(0, 20)}`);
		}
		numbers[name] = number;
	}
	return isRecord(meta.pagination) || Object.keys(numbers).length > 0 ? numbers : undefined;
}

/** The numbers of a page with `count` records. @throws WrongAnswer if they are inconsistent */
export function counted(
	count: number,
	numbers: PageNumbers | undefined,
	asked: AskedPage,
	answer: ApiResponse,
): Counted {
	const { totalPages, totalItems, perPage = asked.perPage } = numbers ?? {};
	if (totalPages !== undefined && isConsistent(count, { ...numbers, totalPages }, asked)) {
		return { ...numbers, totalPages };
	}
	const tolerated = isOfService(answer) ? safeNumbers(count, numbers, asked) : undefined;
	if (tolerated) return tolerated;
	if (totalPages === undefined) return wrong('a list without a number of pages');
	const total = totalItems === undefined ? '' : `, ${totalItems} in total`;
	return wrong(
		`a list that contradicts itself: ${count} records on page ${asked.page} of ${totalPages} (${perPage} per page, ${asked.perPage} requested${total})`,
	);
}

function isConsistent(
	count: number,
	{ totalPages, totalItems, perPage: reported }: Counted,
	{ page, perPage: asked }: AskedPage,
): boolean {
	const isLast = page >= totalPages;
	const perPage = reported ?? (isLast ? asked : count);
	// Only the last page may be shorter.
	const isFull = isLast ? count <= perPage : count === perPage;
	if (perPage < 1 || perPage > asked || !isFull) return false;
	if (totalItems === undefined) return true;
	if (page === 1 && (count === 0) !== (totalItems === 0)) return false;
	return Math.max(1, totalPages) === pagesFor(totalItems, perPage);
}

const pagesFor = (totalItems: number, perPage: number) =>
	Math.max(1, Math.ceil(totalItems / perPage));

/** Completes missing or inconsistent numbers; undefined if a record could be missed with them. */
function safeNumbers(
	count: number,
	numbers: PageNumbers | undefined,
	{ page, perPage: asked }: AskedPage,
): Counted | undefined {
	const { totalPages, totalItems } = numbers ?? {};
	const echoed = Math.min(numbers?.perPage || asked, asked);
	const isOf = (due: number) => count === due || (count === due + 1 && due > 0);
	if (totalItems === undefined && totalPages === undefined) {
		if (count < echoed) return { totalPages: page };
		return numbers && { totalPages: page + 1, perPage: count };
	}
	if (totalItems === undefined) {
		const isSize = (size: number) => (page < totalPages! ? isOf(size) : count <= size + 1);
		const perPage = [echoed, asked].find(isSize);
		return perPage === undefined ? undefined : { totalPages: totalPages!, perPage };
	}
	for (const perPage of [echoed, asked, ...(count > 0 ? [count] : [])]) {
		const pages = pagesFor(totalItems, perPage);
		// Some services count one page too many, or one record.
		const isCounted = [undefined, pages, pages + 1].includes(totalPages);
		const due = Math.min(perPage, Math.max(0, totalItems - perPage * (page - 1)));
		const isDue = isOf(due) || (page >= pages && count > 0 && count === due - 1);
		if (isCounted && isDue) return { totalPages: totalPages ?? pages, totalItems, perPage };
	}
	return undefined;
}
