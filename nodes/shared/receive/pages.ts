import type { IDataObject } from 'n8n-workflow';
import { wireName } from '../input/field';
import { isRecord, recordIn } from '../lib/records';
import type { ApiResponse } from '../n8n/context';
import { dateOf, inText, isOfService, listIn, wrong } from './answer';

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
	/** Whether a full page may lack one record, because no record can be an event. @default false */
	mayLackOne?: boolean;
}

/** A page of a list. Its numbers decide which pages are read. @throws WrongAnswer if they are inconsistent */
export function pageOf(wrapper: string, answer: ApiResponse, asked: AskedPage): ListPage {
	const records = listIn(answer, wrapper, { isRead: true });
	const numbers = counted(records.length, numbersIn(answer), asked, answer);
	return { ...numbers, records, date: dateOf(answer.headers) };
}

/** The numbers in `meta.pagination`; from the service also in `meta`, in snake case, or as texts. @throws WrongAnswer */
export function numbersIn(answer: ApiResponse): PageNumbers | undefined {
	const { meta } = recordIn(answer.body);
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
	const isSizeKnown = reported !== undefined || page === 1;
	return !isSizeKnown || Math.max(1, totalPages) === pagesFor(totalItems, perPage);
}

const pagesFor = (totalItems: number, perPage: number) =>
	Math.max(1, Math.ceil(totalItems / perPage));

/** Completes missing or inconsistent numbers; undefined if a record could be missed with them. */
function safeNumbers(
	count: number,
	numbers: PageNumbers | undefined,
	{ page, perPage: asked, mayLackOne = false }: AskedPage,
): Counted | undefined {
	if (!numbers) return count < asked ? { totalPages: page } : undefined;
	const { totalPages, totalItems } = numbers;
	const echoed = Math.min(numbers.perPage || asked, asked);
	const isNear = (due: number) =>
		count === due ||
		(count === due + 1 && due > 0) ||
		(count === due - 1 && count > 0 && mayLackOne);
	if (totalItems === undefined) {
		if (totalPages === undefined) {
			return count < echoed ? { totalPages: page } : { totalPages: page + 1, perPage: count };
		}
		const isSize = (size: number) => (page < totalPages ? isNear(size) : count <= size + 1);
		const perPage = [echoed, asked].find(isSize);
		return perPage === undefined ? undefined : { totalPages, perPage };
	}
	for (const perPage of [echoed, asked, ...(count > 0 ? [count] : [])]) {
		const pages = pagesFor(totalItems, perPage);
		// Some services count one page too many.
		const isCounted = [undefined, pages, pages + 1].includes(totalPages);
		const due = Math.min(perPage, Math.max(0, totalItems - perPage * (page - 1)));
		if (isCounted && isNear(due)) return { totalPages: totalPages ?? pages, totalItems, perPage };
	}
	return undefined;
}
