import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../lib/isRecord';
import type { Answer, RecordAnswer } from '../operation';
import { keyIn } from '../vocabulary/collections';
import { statusClass } from '../vocabulary/statusWords';
import type { ApiResponse } from '../n8n/context';
import type { Form } from './origin';
import { isEmpty, STRICT } from './origin';

/** An answer that is not what the reference promises; the message says what it is, such as `a web page`. */
export class WrongAnswer extends Error {}

export const wrong = (what: string): never => {
	throw new WrongAnswer(what);
};

/** What was asked for: by that an answer in another form is recognised. */
export interface WantedRecords {
	/** The ids that a bulk operation was asked for. */
	asked?: string[];
	/** The id that the path ends with. */
	lastId?: string;
	/** Whether the request only reads: then the answer may have another wrapper. */
	isRead?: boolean;
	/** Whether the request says all that comes of it, so that an answer without a record is no lack. */
	isSettled?: boolean;
}

/**
 * The records of an answer that is no list with pages, one for each item of output.
 * @throws WrongAnswer
 */
export function recordsOf(
	answer: Answer,
	response: ApiResponse,
	wanted: WantedRecords = {},
	form: Form = STRICT,
): IDataObject[] {
	const { body } = response;
	switch (answer.kind) {
		case 'nothing':
			return [deleted(response, wanted, form)];
		case 'records':
			return listIn(body, answer.wrapper, wanted, form);
		case 'bulk':
			return bulkRecords(recordIn(body, answer.wrapper), answer.ids, wanted, form);
		case 'task':
			return [taskIn(recordIn(body, 'task'), form)];
		case 'wait':
			return [taskIn(single({ wrapper: 'task' }, body, wanted, form), form)];
		case 'sync':
			return [withText(recordIn(body, 'sync'), 'snapshot_id')];
		case 'record':
			return [changedWithout(response, wanted, form) ?? single(answer, body, wanted, form)];
		default:
			return wrong('of another kind');
	}
}

/** The `Date` header of an answer, in epoch milliseconds; undefined where there is none. */
export function dateOf(headers: ApiResponse['headers']): number | undefined {
	const date = Date.parse(String(headers.date ?? ''));
	return Number.isNaN(date) ? undefined : date;
}

/** The single record in an answer, such as `{ tag: {…} }`. @throws WrongAnswer */
export function single(
	about: Omit<RecordAnswer, 'kind'>,
	body: unknown,
	wanted: WantedRecords = {},
	form: Form = STRICT,
): IDataObject {
	const { wrapper, needs = 'id' } = about;
	const other = otherForm(about, body, wanted, form);
	if (other) return other;
	const record = wrapper ? recordIn(body, wrapper) : isRecord(body) ? body : wrong(formOf(body));
	if (isMissing(record[needs])) wrong(`a record without ${needs}`);
	return record;
}

/** The record in an answer without its wrapper, or under another one, where it shows that it is the one asked for. */
function otherForm(
	{ wrapper, needs = 'id' }: Omit<RecordAnswer, 'kind'>,
	body: unknown,
	{ lastId, isRead, isSettled }: WantedRecords,
	{ isOfService, note }: Form,
): IDataObject | undefined {
	if (!isOfService || !isRecord(body) || tellsFailure(body)) return undefined;
	if (wrapper ? Object.hasOwn(body, wrapper) : !isMissing(body[needs])) return undefined;
	const isIt = (record: IDataObject) =>
		needs === 'id' ? isRecordOf(record, lastId) : hasValue(record[needs]);
	if (wrapper && (isRead || isSettled) && isIt(body)) {
		note(`the record is not in "${wrapper}"`);
		return body;
	}
	const [key, only] = onlyPart(body) ?? [];
	if (!isRead || !isRecord(only) || !isIt(only)) return undefined;
	note(wrapper ? `"${key}" instead of "${wrapper}"` : `the response is in "${key}"`);
	return only;
}

/** What is needed of a record without an id is a value or an object, never a list. */
const hasValue = (value: unknown) => !isMissing(value) && !Array.isArray(value);

/** Whether a record is that of an id. A provider stands for its saved destination. */
const hasId = (record: IDataObject, id?: string) =>
	id !== undefined &&
	!isMissing(record.id) &&
	[record.id, record.provider].some((value) => String(value) === id);

/** Whether it is more than the id, too. */
const isRecordOf = (record: IDataObject, id?: string) =>
	hasId(record, id) && Object.keys(record).length > 1;

/** The only object or list beside `meta`, with its key. */
function onlyPart(body: IDataObject): [key: string, part: unknown] | undefined {
	const parts = Object.entries(body).filter(
		([key, value]) => key !== 'meta' && typeof value === 'object' && value !== null,
	);
	return parts.length === 1 ? parts[0] : undefined;
}

const isNothing = (value: unknown) =>
	value === false ||
	isEmpty(value) ||
	(typeof value === 'object' && Object.keys(value!).length === 0);

/** Whether an answer with a status of success says that it is none. */
function tellsFailure(body: IDataObject): boolean {
	const { error, errors, success, ok, status } = body;
	if (!isNothing(error) || !isNothing(errors) || success === false || ok === false) return true;
	if (!isMissing(body.id)) return false;
	return Number(status) >= 400 || /^(error|fail)/i.test(String(status));
}

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/** What a delete gives. The reference has an empty 204 only. */
function deleted(
	{ statusCode, body }: ApiResponse,
	{ lastId }: WantedRecords,
	{ isOfService, note }: Form,
): IDataObject {
	const done = { deleted: true, ...(lastId !== undefined && { id: lastId }) };
	if (statusCode === 204) return done;
	const came = isOfService && statusCode <= 202 ? sayingDeleted(body, lastId) : undefined;
	if (came === undefined) wrong(`${formOf(body)} with status ${statusCode}, not an empty 204`);
	note(`the response to the delete is ${came} with status ${statusCode}`);
	return done;
}

/** What says that a record was deleted, or will be by a task; undefined for what does not. */
function sayingDeleted(body: unknown, id?: string): string | undefined {
	if (body === undefined || body === '') return 'nothing';
	if (!isRecord(body)) return undefined;
	if (Object.keys(body).length === 0) return 'an empty object';
	if (tellsFailure(body) || body.deleted === false) return undefined;
	const { task, message, success, deleted: isDeleted } = body;
	if (isRecord(task)) return isMissing(task.id) || hasFailed(task) ? undefined : 'a task';
	const only = onlyPart(body)?.[1];
	if (hasId(body, id) || (isRecord(only) && hasId(only, id))) return 'a record';
	const isPlain = Object.values(body).every((value) => typeof value !== 'object' || value === null);
	const isSaid = typeof message === 'string' || success === true || isDeleted === true;
	const isOther = !isMissing(body.id) && String(body.id) !== id;
	return isPlain && isSaid && !isOther ? 'a message' : undefined;
}

const hasFailed = ({ status }: IDataObject) =>
	['failed', 'cancelled'].includes(statusClass('task', status));

/** What says that a change was made, of which the answer has no record. */
const made = new WeakSet<IDataObject>();

/** Whether it stands for a record that the answer did not have. */
export const isWithoutRecord = (record: IDataObject) => made.has(record);

/** For an empty 204 to a change of which the request says all: that it succeeded, and the id. */
function changedWithout(
	{ statusCode, body }: ApiResponse,
	{ lastId, isSettled }: WantedRecords,
	{ isOfService, note }: Form,
): IDataObject | undefined {
	if (!isSettled || !isOfService || statusCode !== 204 || !isEmpty(body)) return undefined;
	note('the response to the change does not contain the record');
	const record = { success: true, ...(lastId !== undefined && { id: lastId }) };
	made.add(record);
	return record;
}

function taskIn(task: IDataObject, { isOfService, note }: Form): IDataObject {
	if (!isOfService || !isMissing(task.status)) return withText(task, 'id', 'status');
	note('the task has no status');
	return withText(task, 'id');
}

function withText(record: IDataObject, ...names: string[]): IDataObject {
	for (const name of names) {
		const value = record[name];
		const isText = typeof value === 'string' || typeof value === 'number';
		if (!isText || String(value).trim() === '') wrong(`a response without ${name}`);
	}
	return record;
}

function recordIn(body: unknown, wrapper: string): IDataObject {
	const record = wrapped(body, wrapper);
	return isRecord(record) ? record : wrong(`a response whose "${wrapper}" is ${formOf(record)}`);
}

/** The records of a list, each with what tells it from others. @throws WrongAnswer */
export function listIn(
	body: unknown,
	wrapper: string,
	{ isRead }: WantedRecords = {},
	form: Form = STRICT,
): IDataObject[] {
	const list =
		(isRead && form.isOfService && otherList(body, wrapper, form)) || wrapped(body, wrapper);
	if (!Array.isArray(list)) return wrong(`a response whose "${wrapper}" is ${formOf(list)}`);
	const key = keyIn(wrapper);
	for (const entry of list as unknown[]) {
		if (!isRecord(entry) || isMissing(entry[key]))
			wrong(`a list that contains an entry without ${key}`);
	}
	return list as IDataObject[];
}

/** The list in an answer where it is null, or the only one under another wrapper. */
function otherList(body: unknown, wrapper: string, { note }: Form): unknown[] | undefined {
	if (!isRecord(body) || tellsFailure(body)) return undefined;
	if (Object.hasOwn(body, wrapper)) {
		if (body[wrapper] !== null) return undefined;
		note(`"${wrapper}" is null`);
		return [];
	}
	const names = Object.keys(body).filter((name) => name !== 'meta');
	const isPage = isRecord(body.meta) && isRecord(body.meta.pagination);
	if (isPage && names.length === 1 && body[names[0]!] === null) {
		note(`"${names[0]}", which is null, instead of "${wrapper}"`);
		return [];
	}
	const [key, list] = onlyPart(body) ?? [];
	// Of an empty list nobody can tell what it is a list of, unless the answer says that it is one with pages.
	if (!Array.isArray(list) || (list.length === 0 && !isRecord(body.meta))) return undefined;
	note(`"${key}" instead of "${wrapper}"`);
	return list as unknown[];
}

function wrapped(body: unknown, wrapper: string): unknown {
	if (!isRecord(body)) return wrong(formOf(body));
	if (!Object.hasOwn(body, wrapper)) {
		wrong(isRecord(body.error) || 'error' in body ? 'an error' : `an object without "${wrapper}"`);
	}
	return body[wrapper];
}

/** What a body looks like, for people. */
export function formOf(body: unknown): string {
	if (body === undefined || body === '' || body === null) return 'empty';
	if (typeof body === 'string') {
		if (isWebPage(body)) return 'a web page';
		return /^\s*[[{"]/.test(body) ? 'cut off or broken JSON' : 'text';
	}
	if (Array.isArray(body)) return 'a bare list';
	return typeof body === 'object' ? 'an object with other fields' : `a ${typeof body}`;
}

/** A value of any form, for a message. */
export const inText = (value: unknown) =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

export const isWebPage = (body: unknown) =>
	typeof body === 'string' && /^\s*(<!doctype|<html|<head|<body|<\?xml)/i.test(body.slice(0, 500));

/**
 * `{ site_ids: […], errors: [{ id, code, message }] }` as an item for each id, in the order in which they were
 * asked for. The form of some errors is not documented.
 */
function bulkRecords(
	result: IDataObject,
	key: string,
	{ asked = [] }: WantedRecords,
	form: Form,
): IDataObject[] {
	const done = form.isOfService ? succeeded(result, key, form) : result[key];
	const errors = form.isOfService ? errorsOf(result, asked, form) : result.errors;
	if (!Array.isArray(done) || !Array.isArray(errors)) {
		return wrong(`a response without ${key} and errors`);
	}
	const records: IDataObject[] = [
		...(done as unknown[]).map((id) => ({ id: id as string, success: true })),
		...(errors as unknown[]).map((error) =>
			isRecord(error) ? { ...error, success: false } : { message: inText(error), success: false },
		),
	];
	if (records.length < asked.length) {
		wrong(`a response for ${records.length} of ${asked.length} IDs`);
	}
	const places = new Map(asked.map((id, index) => [id, index]));
	const placeOf = ({ id }: IDataObject) => places.get(String(id)) ?? asked.length;
	return records.sort((a, b) => placeOf(a) - placeOf(b));
}

/** Where all have failed, the list of the others may not be there. */
function succeeded(result: IDataObject, key: string, { note }: Form): unknown {
	const { [key]: done, errors } = result;
	if (!isEmpty(done) || isNothing(errors)) return done;
	note(`the result has no ${key}, but errors`);
	return [];
}

/** The errors of a bulk result as a list: they may be missing where there are none, or be kept by id. */
function errorsOf({ errors }: IDataObject, asked: string[], { note }: Form): unknown {
	if (Array.isArray(errors)) return errors;
	if (isEmpty(errors) || (isRecord(errors) && isNothing(errors))) {
		note('the result has no list of errors');
		return [];
	}
	if (!isRecord(errors) || Object.keys(errors).some((id) => !asked.includes(id))) return errors;
	note('the errors of the result are listed by ID');
	return Object.entries(errors).map(([id, error]) => {
		const [first] = [error].flat() as unknown[];
		return { id, ...(isRecord(first) ? first : { message: inText(first) }) };
	});
}
