import { isRecord } from '../lib/records';
import { formOf, isWebPage } from './answer';
import { MAX_REASON } from './messages';

/** Why something failed, as an error of the service says it. */

/** Makes what others say fit for a message: without secrets and tags, and not too long. */
export type ReadText = (text: string) => string;

export const cut = (text: string, max = MAX_REASON) =>
	text.length > max ? `${text.slice(0, max - 1)}…` : text;

/** Without the tags of HTML; empty for a whole page. */
export const withoutTags = (text: string) =>
	isWebPage(text) || /<(html|head|body|style|script)\b/i.test(text)
		? ''
		: text.replace(/<\/?[a-z][^<>]*>/gi, ' ').trim();

/**
 * The reason that the body of an error gives: plain text, or an error in `error` or without this wrapper.
 * @returns '' where there is none
 */
export function reasonOf(body: unknown, told: ReadText): string {
	if (typeof body === 'string') return formOf(body) === 'text' ? told(body.trim()) : '';
	return cut(reasonWithin(isRecord(body) ? (body.error ?? body) : body, told));
}

/** The reason in `{ message, code, details }`, or in what `details` can be. Source: Part A, 7; Part C. */
export function reasonWithin(error: unknown, told: ReadText = (text) => text): string {
	if (!isRecord(error)) return detailsIn(error, told);
	const [message = ''] = textsIn(error.message, error.code).map(told);
	const details = detailsIn(error.details, told);
	const isRepeated = isSaidIn(message, details) || isSaidIn(details, message);
	return details && isRepeated ? details : [message, details].filter(Boolean).join(': ');
}

const textsIn = (...values: unknown[]) =>
	values.filter((value) => typeof value === 'string' && value !== '').map(String);

/** Entries of each level of details, and levels, that are read. */
const MAX_ENTRIES = 20;
const MAX_DEPTH = 4;

/** Details are a text, `{ code, param, message }`, an object of texts by field, or a list of these. */
function detailsIn(details: unknown, told: ReadText, depth = 0): string {
	if (typeof details === 'string') return told(details);
	if (depth > MAX_DEPTH || typeof details !== 'object' || details === null) return '';
	if (isRecord(details)) {
		const [reason] = textsIn(details.message, details.code);
		if (reason !== undefined) return [...textsIn(details.param), reason].map(told).join(': ');
	}
	const isList = Array.isArray(details);
	const parts = Object.entries(details)
		.slice(0, MAX_ENTRIES)
		.map(([field, each]) => ({ field, reason: detailsIn(each, told, depth + 1) }))
		.filter(({ reason }) => reason !== '')
		.map(({ field, reason }) => (isList ? reason : `${told(field)}: ${reason}`));
	return [...new Set(parts)].join('; ');
}

/** Whether one text says all that another one says, in the same words. */
const isSaidIn = (text: string, other: string) =>
	` ${wordsOf(other)} `.includes(` ${wordsOf(text)} `);

const wordsOf = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ');
