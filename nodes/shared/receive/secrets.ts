import { isPlain, isRecord, mapValues } from '../lib/records';
import type { ApiResponse } from '../n8n/context';
import { isWebPage } from './answer';

/** Replaces a secret in a response or a preview. */
export const BLANK = '********';

/** Fields below FTP credentials that are not secret. The reference names none of these fields. */
const OPEN = /^(host|hostname|port|protocol|user|username|name|database|path|url|http_auth)$/i;

/** Whether a field is a secret. `isBelow`: it is in an object with secrets, where any other object has some, too. */
export const isSecretAt = (name: string, value: unknown, isBelow: boolean) =>
	/password|credentials|secret|token/i.test(name) ||
	(isBelow && (typeof value === 'object' || !OPEN.test(name)));

/** A copy of a value in which `change` has replaced each leaf. */
export function withLeaves(
	value: unknown,
	change: (leaf: unknown, isSecret: boolean) => unknown,
	isSecret = false,
): unknown {
	if (Array.isArray(value)) return value.map((each) => withLeaves(each, change, isSecret));
	if (!isRecord(value)) return change(value, isSecret);
	return mapValues(value, (each, key) => withLeaves(each, change, isSecretAt(key, each, isSecret)));
}

/** The fewest characters of a secret, because shorter texts are in any message. */
const MIN_SECRET = 3;

/** The secrets in a body or a query. */
export function secretsIn(value: unknown): string[] {
	const found: string[] = [];
	withLeaves(value, (leaf, isSecret) => {
		if (isSecret && (typeof leaf === 'string' || typeof leaf === 'number')) found.push(`${leaf}`);
	});
	return found.filter((secret) => secret.length >= MIN_SECRET);
}

/** Makes a function that replaces these secrets, and the users of URLs, with `…`. */
export function blanker(secrets: string[]): (text: string) => string {
	// A secret can be the start of a longer one.
	const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
	return (text) =>
		longestFirst
			.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
			.replace(/\/\/[^/?#\s]*@/g, '//…@');
}

/** The most characters of a reason in a message. */
export const MAX_REASON = 500;

/** Prepares a text of the service for a message: without secrets and tags, and cut. */
export type ReadText = (text: string) => string;

/** Blanks secrets before it cuts texts, because half of a secret is not recognised. */
export function reader(secrets: string[], max = MAX_REASON): ReadText {
	const blank = blanker(secrets);
	return (text) => cut(withoutTags(blank(text)), max);
}

export const cut = (text: string, max = MAX_REASON) =>
	text.length > max ? `${text.slice(0, max - 1)}…` : text;

/** Removes HTML tags; returns an empty text for a whole page. */
const withoutTags = (text: string) =>
	isWebPage(text) || /<(html|head|body|style|script)\b/i.test(text)
		? ''
		: text.replace(/<\/?[a-z][^<>]*>/gi, ' ').trim();

/** Removes the passwords from a response, for a credential that may not read them. */
export function withoutSecrets(answer: ApiResponse): ApiResponse {
	const { body } = answer;
	// A file is a stream.
	if (!Array.isArray(body) && !isPlain(body)) return answer;
	const blank = (leaf: unknown, isSecret: boolean) =>
		isSecret && typeof leaf === 'string' ? BLANK : leaf;
	return { ...answer, body: withLeaves(body, blank) as ApiResponse['body'] };
}
