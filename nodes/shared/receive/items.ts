import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../transport/context';
import { isRecord } from '../isRecord';
import { recordsOf, unwrap } from './records';

/**
 * An answer as records, one for each item of output. The form of the answer tells what it is:
 * - no content: `{ deleted: true, id }`
 * - a bulk result: `{ id, success, code?, message? }` for each id
 * - a wrapped record or list: the records themselves
 * Source: Part A, 4.1.
 * @param lastId the id that the path ends with, for what was deleted
 */
export function toRecords(answer: ApiResponse, lastId: string | undefined): IDataObject[] {
	const { body } = answer;
	if (answer.statusCode === 204 || body === '' || body === undefined) {
		return [{ deleted: true, ...(lastId !== undefined && { id: lastId }) }];
	}
	const result = unwrap(body);
	if (isRecord(result) && Array.isArray(result.errors)) return bulkRecords(result);
	return recordsOf(body);
}

/** `{ site_ids: […], errors: [{ id, code, message }] }`: first what succeeded, then what failed. */
function bulkRecords(result: IDataObject): IDataObject[] {
	const { errors, ...rest } = result;
	const [succeeded = []] = Object.values(rest).filter(Array.isArray) as string[][];
	return [
		...succeeded.map((id) => ({ id, success: true })),
		// The form of some of these is not documented.
		...(errors as unknown[]).map((error) =>
			isRecord(error) ? { ...error, success: false } : { message: String(error), success: false },
		),
	];
}
