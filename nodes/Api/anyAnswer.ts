import type { GenericValue, IDataObject } from 'n8n-workflow';
import { isRecord, listIn, omit } from '../shared/lib';
import type { ApiResponse } from '../shared/n8n/context';
import { dateOf, formOf, isEmpty, isNothing, isOfService, wrong } from '../shared/receive/answer';
import { MAX_REASON } from '../shared/receive/messages';
import { type AskedPage, counted, type ListPage, numbersIn } from '../shared/client/records';

/** An object itself, `{ answer: … }` for other JSON, `{ status: 204 }` for none. @throws WrongAnswer for anything else */
export function anyRecord(answer: ApiResponse): IDataObject {
	const { statusCode, body } = answer;
	if (isRecord(body)) return withoutError(body);
	if (isEmpty(body)) {
		if (statusCode !== 204 && !isOfService(answer)) return wrong('empty');
		return { status: statusCode };
	}
	if (typeof body !== 'string') return { answer: body };
	const form = formOf(body);
	// The HTTP client already parsed it, so a JSON string looks like text.
	if (form === 'text' && isJson(answer)) return { answer: body };
	return wrong(form);
}

const isJson = ({ headers }: ApiResponse) =>
	/[/+]json\s*(;|$)/i.test(String(headers['content-type'] ?? ''));

/** @throws WrongAnswer for an error that came with a status of success */
function withoutError(body: IDataObject): IDataObject {
	const { error, success, message = null } = body;
	if (success !== false && isNothing(error)) return body;
	const text = JSON.stringify(isNothing(error) ? message : error);
	// A cut text could hide part of a secret from the redaction.
	return wrong(text.length > MAX_REASON ? 'an error' : `an error: ${text}`);
}

/** A page of a list under any name. @param full number of records if another page may follow @throws WrongAnswer */
export function anyPage(answer: ApiResponse, asked: AskedPage, full = asked.perPage): ListPage {
	const body: unknown = answer.body;
	if (Array.isArray(body)) return whole(body, full);
	const rest = omit(anyRecord(answer), 'meta');
	const lists = Object.entries(rest).filter(([, each]) => Array.isArray(each));
	const [first] = lists;
	if (!first || lists.length > 1) {
		const names = Object.keys(rest).map((each) => `"${each}"`);
		const found = names.join(', ') || 'nothing';
		return wrong(`not a single list: it contains ${found}. Set "Response" to "Unchanged"`);
	}
	const list = listIn(first[1]);
	const records = asRecords(list);
	// The keys of its records are unknown, so read only `meta`.
	const numbers = numbersIn(answer);
	if (!numbers) return whole(list, full);
	const pages = counted(records.length, numbers, asked, answer);
	return { ...pages, records, date: dateOf(answer.headers) };
}

/** A list without pages. A full one may be the first of several pages. */
function whole(list: GenericValue[], full: number): ListPage {
	if (list.length === full) wrong('a list without a number of pages');
	return { records: asRecords(list), totalPages: 1 };
}

const asRecords = (list: GenericValue[]): IDataObject[] =>
	list.map((each) => (isRecord(each) ? each : { answer: each }));
