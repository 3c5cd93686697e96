import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../lib/isRecord';
import type { ApiResponse } from '../n8n/context';
import { isSecretAt } from './secrets';

/** What stands where a secret was. */
export const BLANK = '********';

/** An answer for somebody who may not have the passwords in it. */
export const withoutSecrets = (answer: ApiResponse): ApiResponse =>
	Array.isArray(answer.body) || isPlain(answer.body)
		? { ...answer, body: blanked(answer.body) as IDataObject }
		: answer;

/** A file comes as a stream. */
const isPlain = (body: unknown) =>
	isRecord(body) && Object.getPrototypeOf(body) === Object.prototype;

const blanked = (body: unknown) =>
	withLeaves(body, (leaf, isSecret) => (isSecret && typeof leaf === 'string' ? BLANK : leaf));

/** A value with other leaves: `change` is told of each whether a secret stands there. */
export function withLeaves(
	value: unknown,
	change: (leaf: unknown, isSecret: boolean) => unknown,
	isSecret = false,
): unknown {
	if (Array.isArray(value)) return value.map((each) => withLeaves(each, change, isSecret));
	if (!isRecord(value)) return change(value, isSecret);
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => [
			key,
			withLeaves(each, change, isSecretAt(key, each, isSecret)),
		]),
	);
}
