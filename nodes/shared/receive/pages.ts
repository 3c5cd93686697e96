import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../lib/records';
import type { ApiResponse } from '../n8n/context';
import { dateOf, inText, listIn, wrong } from './answer';
import { isOfService } from './rateHeaders';

/** What a page says of the list. */
interface Told {
	totalPages?: number;
	totalItems?: number;
	perPage?: number;
}

/** A page of a list. Source: Part A, 4.1. */
export interface ListPage extends Told {
	records: IDataObject[];
	/** One more than this page where the list does not say how many there are, and the page is full. */
	totalPages: number;
	/** The `Date` header, in epoch milliseconds; undefined where there is none. */
	date?: number;
}

/** The page that was asked for. */
export interface AskedPage {
	page: number;
	perPage: number;
	/** Whether a full page may lack one record: not where that record could be an event. */
	mayLackOne?: boolean;
}

/**
 * A page of a list. Its numbers have to fit: they decide which pages are read, and what counts as complete.
 * @throws WrongAnswer
 */
export function pageOf(wrapper: string, answer: ApiResponse, asked: AskedPage): ListPage {
	const records = listIn(answer, wrapper, { isRead: true });
	const told = toldBy(answer);
	return { ...counted(records.length, told, asked, answer), records, date: dateOf(answer.headers) };
}

/** The numbers of a page, and the other names that they may have. */
const NUMBERS = [
	['totalPages', 'total_pages'],
	['totalItems', 'total_items'],
	['perPage', 'per_page'],
] as const;

/**
 * The numbers in `meta.pagination`. From the service they may be directly in `meta`, have other names, or be text.
 * @returns undefined where there are none
 * @throws WrongAnswer
 */
export function toldBy(answer: ApiResponse): Told | undefined {
	const { meta }: IDataObject = isRecord(answer.body) ? answer.body : {};
	if (!isRecord(meta)) return undefined;
	const isTolerant = isOfService(answer);
	const place = isRecord(meta.pagination) ? meta.pagination : isTolerant ? meta : {};
	const told: Told = {};
	for (const [name, other] of NUMBERS) {
		let value: unknown = place[name] ?? (isTolerant ? place[other] : undefined);
		if (value === undefined || value === null) continue;
		if (isTolerant && typeof value === 'string' && /^\d{1,15}$/.test(value)) value = Number(value);
		told[name] = isCount(value)
			? value
			: wrong(`a list whose ${name} is ${inText(value).slice(0, 20)}`);
	}
	return isRecord(meta.pagination) || Object.keys(told).length > 0 ? told : undefined;
}

const isCount = (value: unknown): value is number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

type Counted = Told & Pick<ListPage, 'totalPages'>;

/** The numbers of a page on which `count` records came. @throws WrongAnswer where they do not fit */
export function counted(
	count: number,
	told: Told | undefined,
	asked: AskedPage,
	answer: ApiResponse,
): Counted {
	const { totalPages } = told ?? {};
	const numbers = totalPages === undefined ? undefined : { ...told, totalPages };
	const problem = numbers
		? contradiction(count, numbers, asked)
		: 'a list without a number of pages';
	if (numbers && problem === undefined) return numbers;
	const tolerated = isOfService(answer) ? withoutFit(count, told, asked) : undefined;
	return tolerated ?? wrong(problem!);
}

/** Why the numbers of a page do not fit; undefined where they do. */
function contradiction(
	count: number,
	{ totalPages, totalItems, perPage: told }: Counted,
	{ page, perPage: asked }: AskedPage,
): string | undefined {
	const isLast = page >= totalPages;
	// Only the last page may have room left.
	const perPage = told ?? (isLast ? asked : count);
	const because = (problem: string) => `a list that contradicts itself: ${problem}`;
	if (perPage < 1 || perPage > asked)
		return because(`${perPage} records per page, but ${asked} were requested`);
	if (count > perPage) return because(`${count} records on a page of ${perPage}`);
	if (!isLast && count < perPage)
		return because(`${count} records on page ${page} of ${totalPages}`);
	if (totalItems === undefined) return undefined;
	if (page === 1 && (count === 0) !== (totalItems === 0)) {
		return because(`${count} records, but the total is ${totalItems}`);
	}
	const isTold = told !== undefined || page === 1;
	return isTold && Math.max(1, totalPages) !== pagesFor(totalItems, perPage)
		? because(`${totalItems} records on ${totalPages} pages of ${perPage}`)
		: undefined;
}

const pagesFor = (totalItems: number, perPage: number) =>
	Math.max(1, Math.ceil(totalItems / perPage));

/**
 * The numbers of a page of the service that are missing or do not fit, where no record can be missed with them.
 * @returns undefined where records could be missed
 */
function withoutFit(
	count: number,
	told: Told | undefined,
	{ page, perPage: asked, mayLackOne }: AskedPage,
): Counted | undefined {
	if (!told) return count < asked ? { totalPages: page } : undefined;
	const { totalPages, totalItems } = told;
	const echoed = Math.min(told.perPage || asked, asked);
	if (totalPages === undefined && totalItems === undefined) {
		return count < echoed ? { totalPages: page } : { totalPages: page + 1, perPage: count };
	}
	const sizes = [echoed, asked, ...(totalItems === undefined || count === 0 ? [] : [count])];
	for (const perPage of sizes) {
		const pages = totalItems === undefined ? totalPages! : pagesFor(totalItems, perPage);
		// Some services count one page too many.
		if (totalPages !== undefined && totalPages !== pages && totalPages !== pages + 1) continue;
		const left = totalItems === undefined ? Infinity : totalItems - perPage * (page - 1);
		const most = Math.min(perPage, Math.max(0, left));
		const due = totalItems === undefined && page >= pages ? Math.min(count, most) : most;
		const isOneMore = count === due + 1 && due > 0;
		const isOneLess = mayLackOne === true && count > 0 && count === due - 1;
		if (count === due || isOneMore || isOneLess) {
			return { totalPages: totalPages ?? pages, totalItems, perPage };
		}
	}
	return undefined;
}
