import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../isRecord';
import type { Answer, RecordAnswer } from '../operation';
import { keyIn } from '../operation';
import type { ApiResponse } from '../transport/context';

/** An answer that is not what the reference promises; the message says what it is, such as `a web page`. */
export class WrongAnswer extends Error {}

const wrong = (what: string): never => {
	throw new WrongAnswer(what);
};

/** A page of a list, as it tells of itself. Source: Part A, 4.1. */
export interface ListPage {
	records: IDataObject[];
	totalPages: number;
	/** Undefined where the page does not tell. */
	totalItems?: number;
	perPage?: number;
	/** Whether it is a list without pages, which may be of any length. */
	isWhole?: true;
	/** The `Date` header, in epoch milliseconds; undefined where there is none. */
	date?: number;
}

/**
 * The records of an answer that is no list with pages, one for each item of output.
 * @param asked the ids that a bulk operation was asked for
 * @param lastId the id that the path ends with, for what was deleted
 * @throws WrongAnswer
 */
export function recordsOf(
	answer: Answer,
	{ statusCode, body }: ApiResponse,
	{ asked = [], lastId }: { asked?: string[]; lastId?: string } = {},
): IDataObject[] {
	if (answer.kind === 'nothing') {
		if (statusCode !== 204) wrong(`${formOf(body)} with status ${statusCode}, not an empty 204`);
		return [{ deleted: true, ...(lastId !== undefined && { id: lastId }) }];
	}
	switch (answer.kind) {
		case 'records':
			return listIn(body, answer.wrapper);
		case 'bulk':
			return bulkRecords(recordIn(body, answer.wrapper), answer.ids, asked);
		case 'task':
		case 'wait':
			return [withText(recordIn(body, 'task'), 'id', 'status')];
		case 'sync':
			return [withText(recordIn(body, 'sync'), 'snapshot_id')];
		case 'record':
			return [single(answer, body)];
		default:
			return wrong('of another kind');
	}
}

/** The `Date` header of an answer, in epoch milliseconds; undefined where there is none. */
export function dateOf(headers: ApiResponse['headers']): number | undefined {
	const date = Date.parse(String(headers.date ?? ''));
	return Number.isNaN(date) ? undefined : date;
}

/** @throws WrongAnswer */
export function pageOf(wrapper: string, { body, headers }: ApiResponse): ListPage {
	const records = listIn(body, wrapper);
	const { meta } = body as IDataObject;
	const pagination = isRecord(meta) ? meta.pagination : undefined;
	if (!isRecord(pagination)) return wrong('a list that does not say how many pages it has');
	const count = (name: string): number | undefined => {
		const value = pagination[name];
		if (value === undefined || value === null) return undefined;
		const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
		return isCount ? value : wrong(`a list whose ${name} is ${String(value).slice(0, 20)}`);
	};
	const totalPages = count('totalPages');
	if (totalPages === undefined) return wrong('a list that does not say how many pages it has');
	return {
		records,
		totalPages,
		totalItems: count('totalItems'),
		perPage: count('perPage'),
		date: dateOf(headers),
	};
}

/** The single record in an answer, such as `{ tag: {…} }`. @throws WrongAnswer */
export function single({ wrapper, needs = 'id' }: Omit<RecordAnswer, 'kind'>, body: unknown) {
	const record = wrapper ? recordIn(body, wrapper) : isRecord(body) ? body : wrong(formOf(body));
	if (isMissing(record[needs])) wrong(`a record without ${needs}`);
	return record;
}

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

function withText(record: IDataObject, ...names: string[]): IDataObject {
	for (const name of names) {
		const value = record[name];
		const isText = typeof value === 'string' || typeof value === 'number';
		if (!isText || String(value).trim() === '') wrong(`an answer without ${name}`);
	}
	return record;
}

function recordIn(body: unknown, wrapper: string): IDataObject {
	const record = wrapped(body, wrapper);
	return isRecord(record) ? record : wrong(`an answer whose "${wrapper}" is ${formOf(record)}`);
}

function listIn(body: unknown, wrapper: string): IDataObject[] {
	const list = wrapped(body, wrapper);
	if (!Array.isArray(list)) return wrong(`an answer whose "${wrapper}" is ${formOf(list)}`);
	const key = keyIn(wrapper);
	for (const entry of list as unknown[]) {
		if (!isRecord(entry) || isMissing(entry[key])) wrong(`a list with an entry without ${key}`);
	}
	return list as IDataObject[];
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
	return typeof body === 'object' ? 'an object of another form' : `a ${typeof body}`;
}

export const isWebPage = (body: unknown) =>
	typeof body === 'string' && /^\s*(<!doctype|<html|<head|<body|<\?xml)/i.test(body.slice(0, 500));

/**
 * `{ site_ids: […], errors: [{ id, code, message }] }` as an item for each id, in the order in which they were
 * asked for. The form of some errors is not documented.
 */
function bulkRecords(result: IDataObject, key: string, asked: string[]): IDataObject[] {
	const { [key]: done, errors } = result;
	if (!Array.isArray(done) || !Array.isArray(errors)) {
		return wrong(`an answer without ${key} and errors`);
	}
	const records: IDataObject[] = [
		...(done as unknown[]).map((id) => ({ id: id as string, success: true })),
		...(errors as unknown[]).map((error) =>
			isRecord(error) ? { ...error, success: false } : { message: String(error), success: false },
		),
	];
	if (records.length < asked.length) {
		wrong(`an answer that tells of ${records.length} of ${asked.length} ids`);
	}
	const places = new Map(asked.map((id, index) => [id, index]));
	const placeOf = ({ id }: IDataObject) => places.get(String(id)) ?? asked.length;
	return records.sort((a, b) => placeOf(a) - placeOf(b));
}
