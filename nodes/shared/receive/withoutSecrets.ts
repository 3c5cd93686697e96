import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../isRecord';
import type { ApiResponse } from '../transport/context';
import { isSecretAt } from './secrets';

/** What stands where a secret was. */
export const BLANK = '********';

/** An answer for somebody who may not have the passwords in it. */
export const withoutSecrets = (answer: ApiResponse): ApiResponse =>
	isRecord(answer.body) && Object.getPrototypeOf(answer.body) === Object.prototype
		? { ...answer, body: blanked(answer.body) as IDataObject }
		: answer;

function blanked(value: unknown, isSecret = false): unknown {
	if (Array.isArray(value)) return value.map((each) => blanked(each, isSecret));
	if (isRecord(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([key, each]) => [
				key,
				blanked(each, isSecretAt(key, each, isSecret)),
			]),
		);
	}
	return isSecret && typeof value === 'string' ? BLANK : value;
}
