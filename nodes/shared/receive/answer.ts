import type { IDataObject } from 'n8n-workflow';
import { entryForm } from '../input/id';
import { instantOf, isList, isPlain, isRecord, omit } from '../lib';
import type { Answer, RecordAnswer } from '../operation';
import { keyIn } from '../vocabulary/words';
import { hasFailed } from '../vocabulary/values';
import type { ApiResponse } from '../n8n/context';

/** A response that does not match the reference; the message names its form, such as `a web page`. */
export class WrongAnswer extends Error {}

export const wrong = (form: string): never => {
	throw new WrongAnswer(form);
};

/** Facts about the request, by which a response in another form is recognized. */
export interface Wanted {
	/** Those that a bulk operation sent. */
	asked?: string[];
	/** The last one in the path. */
	lastId?: string;
	isRead?: boolean;
}

/** The records of a response without pages. Only the service may use other, unambiguous forms. @throws WrongAnswer */
export function recordsOf(answer: Answer, response: ApiResponse, wanted: Wanted = {}) {
	const { statusCode, body } = response;
	switch (answer.kind) {
		case 'nothing':
			if (isDeleted(response, wanted)) return [done('deleted', wanted)];
			return wrong(`${formOf(body)} with status ${statusCode}, not an empty 204`);
		case 'records':
			return listIn(response, answer.wrapper, wanted);
		case 'bulk':
			return bulkRecords(response, answer, wanted);
		case 'task':
		case 'wait': {
			const task = single({ wrapper: 'task' }, response, wanted);
			// Only the service itself may omit the status.
			return isEmpty(task.status) && !isOfService(response)
				? wrong('a task without status')
				: [task];
		}
		case 'sync':
			return [single({ wrapper: 'sync', needs: 'snapshot_id' }, response, wanted)];
		case 'record': {
			const isEmpty204 = statusCode === 204 && isEmpty(body) && isOfService(response);
			if (isEmpty204 && answer.settles) return [done('success', wanted)];
			return [single(answer, response, wanted)];
		}
		default:
			return wrong('of another kind');
	}
}

/** The item for a change whose response has no record. */
const done = (field: string, { lastId }: Wanted): IDataObject => ({
	[field]: true,
	...(lastId !== undefined && { id: lastId }),
});

/** Whether a record is only the confirmation that a change was made. */
export const isConfirmation = (record: IDataObject) =>
	record.success === true && Object.keys(omit(record, 'success', 'id')).length === 0;

/** The `Date` header of a response, in epoch milliseconds. */
export const dateOf = ({ date }: ApiResponse['headers']): number | undefined =>
	Date.parse(String(date)) || undefined;

export type BulkAnswer = Extract<Answer, { kind: 'bulk' }>;

/** The form of an ID of a bulk operation. The service returns paths with or without `./` and a last slash. */
export const outcomeForm =
	({ ids }: Pick<BulkAnswer, 'ids'>) =>
	(id: string) =>
		entryForm(id.trim(), ids === 'paths');
type Expected = Pick<RecordAnswer, 'wrapper' | 'needs' | 'settles'>;

/** The single record in a response, such as `{ tag: {…} }`. @throws WrongAnswer */
export function single(expected: Expected, response: ApiResponse, wanted: Wanted): IDataObject {
	const { wrapper, needs = 'id' } = expected;
	const record = otherRecord(expected, response, wanted) ?? recordIn(response.body, wrapper);
	return isEmpty(record[needs]) ? wrong(`a record without ${needs}`) : record;
}

/** The body of a response that may have a different form than the reference. */
function otherForm(response: ApiResponse): IDataObject | undefined {
	const body: unknown = response.body;
	return isOfService(response) && isRecord(body) && !reportsFailure(body) ? body : undefined;
}

/** A record without its wrapper, or in another one, that is provably the requested one. */
function otherRecord(
	{ wrapper, needs = 'id', settles }: Expected,
	response: ApiResponse,
	{ lastId, isRead }: Wanted,
): IDataObject | undefined {
	const body = otherForm(response);
	if (!body || (wrapper ? Object.hasOwn(body, wrapper) : !isEmpty(body[needs]))) return undefined;
	const isWanted = (record: IDataObject) =>
		needs === 'id'
			? hasId(record, lastId) && Object.keys(record).length > 1
			: !isEmpty(record[needs]) && !isList(record[needs]);
	const places = [wrapper && (isRead || settles) && body, isRead && onlyPart(body)];
	return places.filter(isRecord).find(isWanted);
}

/** Whether a record has an ID. The provider of a saved destination counts as its ID. */
const hasId = ({ id, provider }: IDataObject, wanted?: string) =>
	wanted !== undefined && !isEmpty(id) && [id, provider].some((value) => String(value) === wanted);

const isPart = (value: unknown) => typeof value === 'object' && value !== null;

/** The only object or list of a body, apart from `meta`. */
function onlyPart(body: IDataObject): unknown {
	const parts = Object.values(omit(body, 'meta')).filter(isPart);
	return parts.length === 1 ? parts[0] : undefined;
}

export const isNothing = (value: unknown) =>
	value === false || isEmpty(value) || (isPart(value) && Object.keys(Object(value)).length === 0);

/** Whether a body reports a failure, in spite of a status of success. */
function reportsFailure({ error, errors, success, ok, status, id }: IDataObject): boolean {
	if (!isNothing(error) || !isNothing(errors) || success === false || ok === false) return true;
	return isEmpty(id) && (Number(status) >= 400 || /^(error|fail)/i.test(String(status)));
}

/** Whether a record was deleted, or a task deletes it. The reference has only an empty 204. */
function isDeleted(response: ApiResponse, { lastId }: Wanted): boolean {
	const { statusCode } = response;
	if (statusCode === 204) return true;
	if (statusCode > 202 || !isOfService(response)) return false;
	if (response.body === undefined || response.body === '') return true;
	const body = otherForm(response);
	if (!body || (body.deleted ?? true) !== true) return false;
	const { task, id, message, success, deleted } = body;
	if (isRecord(task)) return !isEmpty(task.id) && !hasFailed('task', task.status);
	if ([body, onlyPart(body)].filter(isRecord).some((record) => hasId(record, lastId))) return true;
	if (Object.values(body).some(isPart) || !isEmpty(id)) return false;
	const isSaid = typeof message === 'string' || success === true || deleted === true;
	return isSaid || Object.keys(body).length === 0;
}

function wrapped(body: unknown, wrapper?: string): unknown {
	if (!isRecord(body)) return wrong(formOf(body));
	if (!wrapper) return body;
	if (Object.hasOwn(body, wrapper)) return body[wrapper];
	return wrong('error' in body ? 'an error' : `an object without "${wrapper}"`);
}

function recordIn(body: unknown, wrapper?: string): IDataObject {
	const record = wrapped(body, wrapper);
	return isRecord(record) ? record : wrong(`a response whose "${wrapper}" is ${formOf(record)}`);
}

/** The records of a list, each with its ID. @throws WrongAnswer */
export function listIn(response: ApiResponse, wrapper: string, { isRead = true }: Wanted = {}) {
	const list = (isRead && otherList(response, wrapper)) || wrapped(response.body, wrapper);
	if (!isList(list)) return wrong(`a response whose "${wrapper}" is ${formOf(list)}`);
	const key = keyIn(wrapper);
	const isEntry = (entry: unknown): entry is IDataObject => isRecord(entry) && !isEmpty(entry[key]);
	return list.every(isEntry) ? list : wrong(`a list that contains an entry without ${key}`);
}

/** A list in another wrapper, or an empty one for null. */
function otherList(response: ApiResponse, wrapper: string): unknown[] | undefined {
	const body = otherForm(response);
	if (!body) return undefined;
	if (Object.hasOwn(body, wrapper)) return body[wrapper] === null ? [] : undefined;
	const { meta, ...parts } = body;
	const [part, ...others] = Object.values(parts);
	const isNull = part === null && others.length === 0;
	if (isNull && isRecord(meta) && isRecord(meta.pagination)) return [];
	const list = onlyPart(body);
	// Without `meta`, an empty list could be a list of anything.
	return isList(list) && (list.length > 0 || isRecord(meta)) ? list : undefined;
}

/** `{ site_ids: […], errors: [{ id, code, message }] }` as an item for each ID, in the order of the request. */
function bulkRecords(
	response: ApiResponse,
	{ wrapper, ids: key }: BulkAnswer,
	{ asked = [] }: Wanted,
): IDataObject[] {
	const result = recordIn(response.body, wrapper);
	const isTolerant = isOfService(response);
	const formOf = outcomeForm({ ids: key });
	const places = new Map(asked.map((id, index) => [formOf(id), index]));
	const isAsked = (id: string) => places.has(formOf(id));
	const errors = isTolerant ? errorsIn(result.errors, isAsked) : result.errors;
	// If all IDs failed, the service may omit the list of the others.
	const isOmitted = isTolerant && isEmpty(result[key]) && !isNothing(result.errors);
	const ids = isOmitted ? [] : result[key];
	if (!isList(ids) || !isList(errors)) return wrong(`a response without ${key} and errors`);
	const records: IDataObject[] = [
		...ids.map((id) => ({ id: id as string, success: true })),
		...errors.map((error) => ({ ...errorIn(error), success: false })),
	];
	const placeOf = ({ id }: IDataObject) => places.get(formOf(String(id))) ?? asked.length;
	return records.sort((a, b) => placeOf(a) - placeOf(b));
}

const errorIn = (error: unknown): IDataObject =>
	isRecord(error) ? error : { message: inText(error) };

/** The form of errors is not documented: they may be missing, or an object by ID. */
function errorsIn(errors: unknown, isAsked: (id: string) => boolean): unknown {
	if (isNothing(errors)) return [];
	if (!isRecord(errors) || !Object.keys(errors).every(isAsked)) return errors;
	return Object.entries(errors).map(([id, error]) => ({
		id,
		...errorIn(isList(error) ? error[0] : error),
	}));
}

export const firstOf = (texts: string[], max = 5) =>
	[...texts.slice(0, max), ...(texts.length > max ? ['…'] : [])].join(', ');

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

/** The keys of a body, without values and cut: `tag {name, color}, meta`; or an empty text. @param levels of nesting */
export function keysReceived(body: unknown, levels = 2): string {
	if (!isPlain(body) || levels === 0) return '';
	const keys = Object.entries(body).map(([name, value]) => {
		const inner = keysReceived(isList(value) ? value[0] : value, levels - 1);
		const keysOf = isList(value) ? `[{${inner}}]` : `{${inner}}`;
		return name.slice(0, 40) + (inner && ` ${keysOf}`);
	});
	return firstOf(keys, 12);
}

/** Seconds to wait after a refusal without a reset time. */
const REFUSED_S = 5;

/** The window is a minute, in seconds. A larger value is a time, as in the older reference, or is ignored. */
const MAX_RESET_S = 61;

export type RateHeaders = Partial<ReturnType<typeof rateHeaders>>;

/** The valid rate-limit headers: whole numbers, and a reset within a minute. Source: Part A, 8. */
export function rateHeaders(status: number, headers: Record<string, unknown>) {
	const number = (name: string, min: number, max = Number.MAX_SAFE_INTEGER) => {
		const text = String(headers[name] ?? '').trim();
		const value = /^\d+$/.test(text) ? Number(text) : NaN;
		return value >= min && value <= max ? value : undefined;
	};
	const inTime = (name: string) => {
		const seconds = (instantOf(headers[name]) - Date.parse(String(headers.date))) / 1000;
		return seconds >= 0 && seconds <= MAX_RESET_S ? seconds : number(name, 0, MAX_RESET_S);
	};
	const refused = status === 429;
	const limit = number('x-ratelimit-limit', 1);
	const retryAfter = () => (refused ? (inTime('retry-after') ?? REFUSED_S) : undefined);
	const reset = inTime('x-ratelimit-reset') ?? retryAfter();
	return {
		limit,
		remaining: number('x-ratelimit-remaining', 0, limit),
		/** Milliseconds until the window resets. */
		resetMs: reset === undefined ? undefined : reset * 1000,
		/** Whether the service refused the request because the window is full. */
		refused,
	};
}

/** Whether a value or a body is missing; the HTTP client has three forms of an empty body. */
export const isEmpty = (body: unknown) => body === undefined || body === null || body === '';

export type Stream = Extract<ApiResponse['body'], AsyncIterable<unknown>>;

export const isStream = (body: unknown): body is Stream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Whether the service itself responded, not a proxy: with a rate-limit header, which it always sends, and not with text. Source: Part A, 8. */
export function isOfService({ statusCode, headers, body }: ApiResponse): boolean {
	const numbers = omit(rateHeaders(statusCode, headers), 'refused');
	const hasRateLimit = Object.values(numbers).some(Number.isFinite);
	return hasRateLimit && (isEmpty(body) || typeof body === 'object');
}
