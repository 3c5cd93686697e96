import { isRecord } from '../lib/records';
import type { ApiResponse } from '../n8n/context';

/** Secrets in requests and responses. They are known by the names of their fields. */

/** Replaces a secret in a response or a preview. */
export const BLANK = '********';

/** Fields below FTP credentials that are no secrets. The reference does not name any of these fields. */
const OPEN = /^(host|hostname|port|protocol|user|username|name|database|path|url|http_auth)$/i;

/**
 * Whether the value of a field is a secret; an object of an open name still has some in it.
 * @param isBelow whether the field is inside of such an object
 */
export const isSecretAt = (name: string, value: unknown, isBelow: boolean) =>
	/password|credentials|secret|token/i.test(name) ||
	(isBelow && (typeof value === 'object' || !OPEN.test(name)));

/** A copy of a value with other leaves. @param change gets each leaf, and whether it is a secret */
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

/** Characters of the shortest secret. Shorter texts are in any message. */
const MIN_SECRET = 3;

/** The secrets in a body or a query. */
export function secretsIn(value: unknown): string[] {
	const found: string[] = [];
	withLeaves(value, (leaf, isSecret) => {
		if (isSecret && (typeof leaf === 'string' || typeof leaf === 'number')) found.push(`${leaf}`);
	});
	return found.filter((secret) => secret.length >= MIN_SECRET);
}

/** The user and password of a URL. */
const USER_INFO = /\/\/[^/?#\s]*@/g;

/** Makes a function that replaces these secrets, as they were sent, and the users of URLs by `…`. */
export function blanker(secrets: string[]): (text: string) => string {
	// A secret can be the beginning of a longer one.
	const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
	return (text) =>
		longestFirst
			.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
			.replace(USER_INFO, '//…@');
}

/** A response for a credential that may not read the passwords in it. */
export function withoutSecrets(answer: ApiResponse): ApiResponse {
	const { body } = answer;
	// A file comes as a stream.
	if (!Array.isArray(body) && Object.getPrototypeOf(body ?? '') !== Object.prototype) return answer;
	const blank = (leaf: unknown, isSecret: boolean) =>
		isSecret && typeof leaf === 'string' ? BLANK : leaf;
	return { ...answer, body: withLeaves(body, blank) as ApiResponse['body'] };
}
