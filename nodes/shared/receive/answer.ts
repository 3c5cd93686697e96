import type { IDataObject } from 'n8n-workflow';
import { isList, isRecord, omit } from '../lib/records';
import type { Answer, RecordAnswer } from '../operation';
import { keyIn } from '../vocabulary/words';
import { hasFailed } from '../vocabulary/statusWords';
import type { ApiResponse } from '../n8n/context';
import { isEmpty, isOfService } from './rateHeaders';

/** A response that is not what the reference promises; the message says what it is, such as `a web page`. */
export class WrongAnswer extends Error {}

export const wrong = (what: string): never => {
	throw new WrongAnswer(what);
};

/** What was asked for: a response in another form is recognised by it. */
export interface WantedRecords {
	/** The ids that a bulk operation was asked for. */
	asked?: string[];
	/** The id that the path ends with. */
	lastId?: string;
	/** Whether the request only reads: then the response may have another wrapper. */
	isRead?: boolean;
	/** Whether the request says all that comes of it, so that the response needs no record. */
	isSettled?: boolean;
}

/**
 * The records of a response that is no list with pages, one for each item of output.
 * Other forms than those of the reference are accepted from the service itself, where they leave no doubt.
 * @throws WrongAnswer
 */
export function recordsOf(
	answer: Answer,
	response: ApiResponse,
	wanted: WantedRecords = {},
): IDataObject[] {
	const { body } = response;
	switch (answer.kind) {
		case 'nothing':
			return [deleted(response, wanted)];
		case 'records':
			return listIn(response, answer.wrapper, wanted);
		case 'bulk':
			return bulkRecords(response, answer, wanted);
		case 'task':
			return [taskIn(recordIn(body, 'task'), response)];
		case 'wait':
			return [taskIn(single({ wrapper: 'task' }, response, wanted), response)];
		case 'sync':
			return [withText(recordIn(body, 'sync'), 'snapshot_id')];
		case 'record':
			return [changedWithout(response, wanted) ?? single(answer, response, wanted)];
		default:
			return wrong('of another kind');
	}
}

/** The `Date` header of a response, in epoch milliseconds; undefined where there is none. */
export function dateOf(headers: ApiResponse['headers']): number | undefined {
	const date = Date.parse(String(headers.date ?? ''));
	return Number.isNaN(date) ? undefined : date;
}

/** The single record in a response, such as `{ tag: {…} }`. @throws WrongAnswer */
export function single(
	about: Omit<RecordAnswer, 'kind'>,
	response: ApiResponse,
	wanted: WantedRecords = {},
): IDataObject {
	const { wrapper, needs = 'id' } = about;
	const other = otherRecord(about, response, wanted);
	if (other) return other;
	const { body } = response;
	const record = wrapper ? recordIn(body, wrapper) : isRecord(body) ? body : wrong(formOf(body));
	if (isEmpty(record[needs])) wrong(`a record without ${needs}`);
	return record;
}

/** A record without its wrapper, or in another one, where it shows that it is the one asked for. */
function otherRecord(
	{ wrapper, needs = 'id' }: Omit<RecordAnswer, 'kind'>,
	response: ApiResponse,
	{ lastId, isRead, isSettled }: WantedRecords,
): IDataObject | undefined {
	const { body } = response;
	if (!isOfService(response) || !isRecord(body) || tellsFailure(body)) return undefined;
	if (wrapper ? Object.hasOwn(body, wrapper) : !isEmpty(body[needs])) return undefined;
	const places = [
		...(wrapper && (isRead || isSettled) ? [body] : []),
		...(isRead ? [onlyPart(body)] : []),
	];
	return places
		.filter(isRecord)
		.find((record) => (needs === 'id' ? isRecordOf(record, lastId) : hasValue(record[needs])));
}

/** What is needed of a record without an id is a value or an object, never a list. */
const hasValue = (value: unknown) => !isEmpty(value) && !isList(value);

/** Whether a record is that of an id. The provider of a saved destination counts as its id. */
const hasId = (record: IDataObject, id?: string) =>
	id !== undefined &&
	!isEmpty(record.id) &&
	[record.id, record.provider].some((value) => String(value) === id);

/** Whether it also has more than the id. */
const isRecordOf = (record: IDataObject, id?: string) =>
	hasId(record, id) && Object.keys(record).length > 1;

const isPart = (value: unknown) => typeof value === 'object' && value !== null;

/** The only object or list beside `meta`. */
function onlyPart(body: IDataObject): unknown {
	const parts = Object.values(omit(body, 'meta')).filter(isPart);
	return parts.length === 1 ? parts[0] : undefined;
}

const isNothing = (value: unknown) =>
	value === false || isEmpty(value) || (isPart(value) && Object.keys(Object(value)).length === 0);

/** Whether a response with a status of success says that it is none. */
function tellsFailure(body: IDataObject): boolean {
	const { error, errors, success, ok, status } = body;
	if (!isNothing(error) || !isNothing(errors) || success === false || ok === false) return true;
	if (!isEmpty(body.id)) return false;
	return Number(status) >= 400 || /^(error|fail)/i.test(String(status));
}

/** The item of a delete. The reference has an empty 204 only. */
function deleted(response: ApiResponse, { lastId }: WantedRecords): IDataObject {
	const { statusCode, body } = response;
	const isOther = statusCode <= 202 && isOfService(response) && saysDeleted(body, lastId);
	if (statusCode !== 204 && !isOther) {
		wrong(`${formOf(body)} with status ${statusCode}, not an empty 204`);
	}
	return { deleted: true, ...(lastId !== undefined && { id: lastId }) };
}

/** Whether a body says that a record was deleted, or that a task deletes it. */
function saysDeleted(body: unknown, id?: string): boolean {
	if (body === undefined || body === '') return true;
	if (!isRecord(body) || tellsFailure(body) || body.deleted === false) return false;
	const { task, message, success, deleted: isDeleted } = body;
	if (isRecord(task)) return !isEmpty(task.id) && !hasFailed('task', task.status);
	if ([body, onlyPart(body)].filter(isRecord).some((record) => hasId(record, id))) return true;
	if (Object.values(body).some(isPart)) return false;
	const isSaid = typeof message === 'string' || success === true || isDeleted === true;
	return isSaid || Object.keys(body).length === 0;
}

/** Items of changes whose response has no record. */
const made = new WeakSet<IDataObject>();

/** Whether an item is made for a change whose response has no record. */
export const isWithoutRecord = (record: IDataObject) => made.has(record);

/** The item for an empty 204 to a change of which the request says all. */
function changedWithout(
	response: ApiResponse,
	{ lastId, isSettled }: WantedRecords,
): IDataObject | undefined {
	const { statusCode, body } = response;
	if (!isSettled || statusCode !== 204 || !isEmpty(body) || !isOfService(response))
		return undefined;
	const record = { success: true, ...(lastId !== undefined && { id: lastId }) };
	made.add(record);
	return record;
}

/** A task with its id and status; from the service the status may be missing. */
const taskIn = (task: IDataObject, response: ApiResponse): IDataObject =>
	isOfService(response) && isEmpty(task.status)
		? withText(task, 'id')
		: withText(task, 'id', 'status');

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
	response: ApiResponse,
	wrapper: string,
	{ isRead }: WantedRecords = {},
): IDataObject[] {
	const { body } = response;
	const other = isRead && isOfService(response) ? otherList(body, wrapper) : undefined;
	const list = other ?? wrapped(body, wrapper);
	if (!isList(list)) return wrong(`a response whose "${wrapper}" is ${formOf(list)}`);
	const key = keyIn(wrapper);
	const isEntry = (entry: unknown): entry is IDataObject => isRecord(entry) && !isEmpty(entry[key]);
	return list.every(isEntry) ? list : wrong(`a list that contains an entry without ${key}`);
}

/** The list where it is null, or the only one in another wrapper. */
function otherList(body: unknown, wrapper: string): unknown[] | undefined {
	if (!isRecord(body) || tellsFailure(body)) return undefined;
	if (Object.hasOwn(body, wrapper)) return body[wrapper] === null ? [] : undefined;
	const { meta, ...parts } = body;
	const isNull = Object.values(parts).every((part) => part === null);
	if (isNull && Object.keys(parts).length === 1 && isRecord(meta)) {
		return isRecord(meta.pagination) ? [] : undefined;
	}
	const list = onlyPart(body);
	// Without pages, nobody can tell what an empty list is a list of.
	return isList(list) && (list.length > 0 || isRecord(meta)) ? list : undefined;
}

function wrapped(body: unknown, wrapper: string): unknown {
	if (!isRecord(body)) return wrong(formOf(body));
	if (!Object.hasOwn(body, wrapper)) {
		wrong('error' in body ? 'an error' : `an object without "${wrapper}"`);
	}
	return body[wrapper];
}

/**
 * `{ site_ids: […], errors: [{ id, code, message }] }` as an item for each id, in the order in which they were
 * asked for. The form of some errors is not documented.
 */
function bulkRecords(
	response: ApiResponse,
	{ wrapper, ids: key }: { wrapper: string; ids: string },
	{ asked = [] }: WantedRecords,
): IDataObject[] {
	const result = recordIn(response.body, wrapper);
	const { done, errors } = isOfService(response)
		? outcomesIn(result, key, asked)
		: { done: result[key], errors: result.errors };
	if (!isList(done) || !isList(errors)) return wrong(`a response without ${key} and errors`);
	const records: IDataObject[] = [
		...done.map((id) => ({ id: id as string, success: true })),
		...errors.map((error) => ({ ...errorIn(error), success: false })),
	];
	if (records.length < asked.length) {
		wrong(`a response for ${records.length} of ${asked.length} IDs`);
	}
	const places = new Map(asked.map((id, index) => [id, index]));
	const placeOf = ({ id }: IDataObject) => places.get(String(id)) ?? asked.length;
	return records.sort((a, b) => placeOf(a) - placeOf(b));
}

const errorIn = (error: unknown): IDataObject =>
	isRecord(error) ? error : { message: inText(error) };

/** Errors may be missing, or be listed by id; the ids that succeeded may be missing where all have failed. */
function outcomesIn(result: IDataObject, key: string, asked: string[]) {
	const { errors } = result;
	if (isNothing(errors)) return { done: result[key], errors: [] };
	const done = isEmpty(result[key]) ? [] : result[key];
	if (!isRecord(errors) || Object.keys(errors).some((id) => !asked.includes(id))) {
		return { done, errors };
	}
	const byId = Object.entries(errors).map(([id, error]) => ({
		id,
		...errorIn(isList(error) ? error[0] : error),
	}));
	return { done, errors: byId };
}

/** What a body looks like, for people. */
export function formOf(body: unknown): string {
	if (isEmpty(body)) return 'empty';
	if (typeof body === 'string') {
		if (isWebPage(body)) return 'a web page';
		return /^\s*[[{"]/.test(body) ? 'cut off or broken JSON' : 'text';
	}
	if (isList(body)) return 'a bare list';
	return typeof body === 'object' ? 'an object with other fields' : `a ${typeof body}`;
}

/** A value of any form, for a message. */
export const inText = (value: unknown) =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

export const isWebPage = (body: unknown) =>
	typeof body === 'string' && /^\s*(<!doctype|<html|<head|<body|<\?xml)/i.test(body.slice(0, 500));

/** Keys of an object, and characters of a key, that are named. */
const MAX_KEYS = 12;
const MAX_KEY = 40;

/** The keys of a body, two levels of them and no values: `tag {name, color}, meta`; empty where there are none. */
export function keysReceived(body: unknown, isInside = false): string {
	if (!isRecord(body) || Object.getPrototypeOf(body) !== Object.prototype) return '';
	const entries = Object.entries(body);
	const words = entries.slice(0, MAX_KEYS).map(([name, value]) => {
		const key = name.slice(0, MAX_KEY);
		const keys = isInside ? '' : keysReceived(isList(value) ? value[0] : value, true);
		if (keys === '') return key;
		return isList(value) ? `${key} [{${keys}}]` : `${key} {${keys}}`;
	});
	return [...words, ...(entries.length > MAX_KEYS ? ['…'] : [])].join(', ');
}
