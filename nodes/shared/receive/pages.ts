import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../lib/isRecord';
import type { ApiResponse } from '../n8n/context';
import { dateOf, inText, listIn, wrong } from './answer';
import type { Form } from './origin';
import { STRICT } from './origin';

/** A page of a list, as it tells of itself. Source: Part A, 4.1. */
export interface ListPage {
	records: IDataObject[];
	/** One more than this page where the list does not say how many there are, and the page is full. */
	totalPages: number;
	/** Undefined where the page does not tell. */
	totalItems?: number;
	perPage?: number;
	/** The `Date` header, in epoch milliseconds; undefined where there is none. */
	date?: number;
}

/** The page that was asked for. */
export interface AskedPage {
	page: number;
	perPage: number;
	/** Whether a page in the midst of the list may have a record less than it should: not where one could be an event. */
	mayLackOne?: boolean;
}

/**
 * A page of a list. What it says of itself has to fit: it decides which pages are read, and what counts as complete.
 * @throws WrongAnswer
 */
export function pageOf(
	wrapper: string,
	{ body, headers }: ApiResponse,
	asked: AskedPage,
	form: Form = STRICT,
): ListPage {
	const records = listIn(body, wrapper, { isRead: true }, form);
	const told = toldBy(body as IDataObject, form);
	return { ...counted(records.length, told, asked, form), records, date: dateOf(headers) };
}

/** What a list says of its pages. */
interface Told {
	totalPages?: number;
	totalItems?: number;
	perPage?: number;
}

type Counted = Omit<ListPage, 'records' | 'date'>;

/** The pages of a list of which so many records came. @throws WrongAnswer */
export function counted(
	count: number,
	told: Told | undefined,
	asked: AskedPage,
	form: Form,
): Counted {
	const { totalPages } = told ?? {};
	const problem =
		totalPages === undefined
			? 'a list without a number of pages'
			: contradiction(count, { ...told, totalPages }, asked);
	if (problem === undefined) return { ...told, totalPages: totalPages! };
	const read = form.isOfService ? withoutFit(count, told, asked, form) : undefined;
	return read ?? wrong(problem);
}

/** The names of the numbers, and how they are written otherwise. */
const NAMES = {
	totalPages: 'total_pages',
	totalItems: 'total_items',
	perPage: 'per_page',
} as const;

/** What a list says of its pages; undefined where it says nothing. */
export function toldBy({ meta }: IDataObject, { isOfService, note }: Form): Told | undefined {
	if (!isRecord(meta)) return undefined;
	let pagination = meta;
	if (isRecord(meta.pagination)) pagination = meta.pagination;
	else {
		const isThere = Object.entries(NAMES).some((names) => names.some((name) => name in meta));
		if (!isOfService || !isThere) return undefined;
		note('the numbers of pages are directly in meta');
	}
	const told: Told = {};
	for (const [name, other] of Object.entries(NAMES) as Array<[keyof Told, string]>) {
		const isOther = isOfService && !(name in pagination) && other in pagination;
		if (isOther) note(`${other} instead of ${name}`);
		let value: unknown = pagination[isOther ? other : name];
		if (value === undefined || value === null) continue;
		if (isOfService && typeof value === 'string' && /^\d{1,15}$/.test(value)) {
			note(`${name} is text`);
			value = Number(value);
		}
		const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
		told[name] = isCount
			? (value as number)
			: wrong(`a list whose ${name} is ${inText(value).slice(0, 20)}`);
	}
	return told;
}

/** Why the numbers of a page do not fit; undefined where they do. */
function contradiction(
	count: number,
	{ totalPages, totalItems, perPage: told }: Told & { totalPages: number },
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
	const pages = Math.max(1, Math.ceil(totalItems / perPage));
	return isTold && Math.max(1, totalPages) !== pages
		? because(`${totalItems} records on ${totalPages} pages of ${perPage}`)
		: undefined;
}

/**
 * A page whose numbers do not fit, or are missing, read so that no record can be missed: as few records as come on
 * it are a page, the list is read on, or it is refused.
 * @returns undefined where records could be missed
 */
function withoutFit(
	count: number,
	told: Told | undefined,
	asked: AskedPage,
	{ note }: Form,
): Counted | undefined {
	const { page } = asked;
	if (!told) {
		if (count >= asked.perPage) return undefined;
		note('the list has no meta');
		return { totalPages: page };
	}
	const { totalPages, totalItems } = told;
	if (totalPages === undefined) note('totalPages is missing');
	if (totalItems !== undefined) return ofItems(count, { ...told, totalItems }, asked, note);
	const echoed = Math.min(told.perPage || asked.perPage, asked.perPage);
	if (told.perPage !== undefined && told.perPage !== echoed) note(OTHER_SIZE);
	if (totalPages === undefined) {
		const isLast = count < echoed;
		return { totalPages: isLast ? page : page + 1, perPage: isLast ? asked.perPage : count };
	}
	for (const perPage of [echoed, asked.perPage]) {
		const isLast = page >= totalPages;
		const isFull = fits(count, perPage, asked, note);
		if (isFull || (isLast && count <= perPage)) return { totalPages, perPage };
	}
	return undefined;
}

const OTHER_SIZE = 'perPage is not the number of records on a page';

/** As many records as there are in all decide how many pages there are, whatever else the list says. */
function ofItems(
	count: number,
	{ totalPages, totalItems, perPage: told }: Told & { totalItems: number },
	asked: AskedPage,
	note: Form['note'],
): Counted | undefined {
	const { page } = asked;
	for (const perPage of [told, asked.perPage, count]) {
		if (!perPage) continue;
		const pages = Math.max(1, Math.ceil(totalItems / perPage));
		const isOneMore = totalPages === pages + 1;
		if (totalPages !== undefined && totalPages !== pages && !isOneMore) continue;
		const due = Math.min(perPage, Math.max(0, totalItems - perPage * (page - 1)));
		const isAll = page === 1 && count === totalItems;
		if (!isAll && !fits(count, due, asked, note)) continue;
		if (isOneMore) note('totalPages counts a page too many');
		if (told !== undefined && told !== perPage) note(OTHER_SIZE);
		return { totalPages: isAll ? 1 : (totalPages ?? pages), totalItems, perPage };
	}
	return undefined;
}

/** Whether as many records came as were due, but for one. */
function fits(count: number, due: number, { mayLackOne }: AskedPage, note: Form['note']): boolean {
	const isOneOff =
		(count === due + 1 && due > 0) || (mayLackOne === true && count > 0 && count === due - 1);
	if (isOneOff) note('a page has one record more or fewer than expected');
	return isOneOff || count === due;
}
