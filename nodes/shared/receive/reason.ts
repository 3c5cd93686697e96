import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../lib/isRecord';
import { formOf, isWebPage } from './answer';
import { MAX_REASON } from './messages';

/** Why something failed, as the body of an answer or the error of a task says it. */

/** Makes what others say fit for a message: without secrets, and not too long. Fields that were sent may be named. */
export type ReadReason = ((text: string) => string) & { sent?: unknown };

export const cut = (text: string, max = MAX_REASON) =>
	text.length > max ? `${text.slice(0, max - 1)}…` : text;

/** Without the tags of HTML; a whole page says nothing to anybody. */
export const withoutTags = (text: string) =>
	isWebPage(text) || /<(html|head|body|style|script)\b/i.test(text)
		? ''
		: text.replace(/<\/?[a-z][^<>]*>/gi, ' ').trim();

/**
 * The reason that an error body gives. Only `error.details` is documented, and not its shape, so the usual places of
 * others are read, too, and where they have nothing the first texts there are.
 * Source: Part A, 7.
 */
export function reasonOf(body: unknown, status: number, told: ReadReason): string {
	if (typeof body === 'string') return formOf(body) === 'text' ? told(body.trim()) : '';
	return cut(reasonWithin(body, told, status));
}

/** As `reasonOf`, for an error that is a part of something, and longer. */
export const reasonWithin = (error: unknown, told: ReadReason = (text) => text, status?: number) =>
	knownReason(error, status, told) || firstTexts(error, told);

/** The names under which a text says what went wrong; the first that has something counts. */
const MESSAGE = ['message', 'title'];
/** Names of what is said besides. */
const MORE = ['detail', 'error_description', 'description', 'msg', 'reason'];

/** Names of what an error has itself, also as a list. */
const OWN =
	/^(message|detail|error_description|msg|reason|errors?|details|data|task|path|links|meta|stack|trace)$/;

const isText = (value: unknown) => typeof value === 'string';

/** Whether a key of an error is a field: it lists what is wrong, or was sent, and no other key has the message. */
const isField = (key: string, record: IDataObject, { sent = {} }: ReadReason) =>
	(Array.isArray(record[key]) && !OWN.test(key)) ||
	(JSON.stringify(sent).includes(`${JSON.stringify(key)}:`) &&
		!['message', 'code', 'param', 'detail'].some((name) => name !== key && isText(record[name])));

/** What a record says in the usual places, and of fields. */
function placesOf(record: IDataObject, told: ReadReason) {
	const text = (part: unknown) => describe(part, told);
	const isOf = (key: string) => key !== 'message' && isField(key, record, told);
	const said = (name: string) => (isOf(name) ? '' : text(record[name]));
	const fields = Object.keys(record)
		.slice(0, MAX_ENTRIES)
		.filter((key) => isOf(key) && [record[key]].flat().every(isText))
		.map((key) => `${told(key)}: ${text(record[key])}`);
	const details = [text(record.details), text(record.errors), joined(fields, '; ')];
	return { said, message: MESSAGE.map(said).find(Boolean), more: MORE.map(said), details };
}

function knownReason(body: unknown, status: number | undefined, told: ReadReason): string {
	if (!isRecord(body)) return describe(body, told);
	const { error, data, task } = body;
	if (isRecord(error)) return reasonIn(error, status, told);
	const { message = '', more, details } = placesOf(body, told);
	const own = joined([describe(error, told), message, ...more, ...details], ': ');
	if (own || !isRecord(data ?? task)) return own;
	return knownReason(data ?? task, status, told);
}

/** What an object that is the error says: `{ message, code, details }`. */
function reasonIn(error: IDataObject, status: number | undefined, told: ReadReason): string {
	const { said, message = said('code'), more, ...places } = placesOf(error, told);
	const details = joined([...places.details, ...more], '; ');
	if (contains(details, message)) return details;
	// Around the details, the message of a 400 only says once more that the request was not accepted.
	const isSaid = (status === 400 && contains(message, details)) || isGeneric(message, details);
	if (details && isSaid) return details;
	return contains(message, details) ? message : `${message}: ${details}`;
}

/** Words of which messages are made that only say once more that something was refused. */
const GENERIC = new Set(
	`a an bad be been can cannot carried content could entity error errors failed has have invalid is
	not of one or out processed request required rejected the this unprocessable validation was were with your`.split(
		/\s+/,
	),
);

/** Whether a message says nothing besides the details. */
const isGeneric = (message: string, details: string) => {
	const known = new Set(wordsOf(details).split(' '));
	return wordsOf(message)
		.split(' ')
		.every((word) => known.has(word) || GENERIC.has(word));
};

/** Whether a text says all that another one says, in the same words. */
const contains = (text: string, other: string) =>
	other === '' || ` ${wordsOf(text)} `.includes(` ${wordsOf(other)} `);

const wordsOf = (text: string) =>
	text
		.toLowerCase()
		.match(/[\p{L}\p{N}_]+/gu)
		?.join(' ') ?? '';

/** The most characters of a part: more than a message has, so that no half of a secret is left when that is cut. */
const MAX_PART = 8 * MAX_REASON;

/** Texts in their order, without those that another one says, too. */
function joined(parts: string[], between: string): string {
	const texts = parts.map((part) => part.slice(0, MAX_PART));
	const said = texts.filter(
		(text, index) =>
			text &&
			!texts.some(
				(other, place) =>
					place !== index && contains(other, text) && (place < index || !contains(text, other)),
			),
	);
	return said.join(between);
}

/** Further down and further on nobody reads. */
const MAX_DEPTH = 5;
const MAX_ENTRIES = 20;

/** What stands beside a text and says nothing of the reason. */
const ASIDE =
	/^(id|status|code|type|path|instance|timestamp|time|trace|stack|links|meta|.*(_id|_url|Id|Url))$/;

/** @param told makes a text fit for a message */
function describe(value: unknown, told: ReadReason, depth = 0): string {
	if (typeof value === 'string') return told(value);
	if (typeof value === 'number') return told(String(value));
	if (depth > MAX_DEPTH) return '';
	const below = (part: unknown) => describe(part, told, depth + 1);
	if (Array.isArray(value)) return joined(value.slice(0, MAX_ENTRIES).map(below), '; ');
	if (!isRecord(value)) return '';
	const { param, ...rest } = value;
	const names = [...MESSAGE, ...MORE, 'code'];
	const isOf = (key: string) => isField(key, value, told);
	const main = names.find((name) => !isOf(name) && below(rest[name]) !== '');
	const named = [below(param), main === undefined ? '' : below(rest[main])]
		.filter(Boolean)
		.join(': ');
	const others = Object.entries(rest)
		.filter(([key]) => key !== main && (isOf(key) || named === '' || !ASIDE.test(key)))
		.slice(0, MAX_ENTRIES)
		.map(([key, entry]) => [told(key), below(entry)])
		.filter(([, text]) => text)
		.map(([key, text]) => `${key}: ${text}`);
	return joined([named, ...others], '; ');
}

/** How much of a body is looked at, and how many of its texts are passed on. */
const MAX_LOOKS = 500;
const FIRST_TEXTS = 3;

/** The first texts at any depth, sentences before single words. */
function firstTexts(body: unknown, told: ReadReason): string {
	const found: string[] = [];
	const open: unknown[] = [body];
	for (let at = 0; at < open.length && at < MAX_LOOKS; at++) {
		const value = open[at];
		if (typeof value === 'string') found.push(told(value));
		else if (Array.isArray(value)) open.push(...(value as unknown[]).slice(0, MAX_ENTRIES));
		else if (isRecord(value)) {
			const entries = Object.entries(value).filter(([key]) => !ASIDE.test(key));
			open.push(...entries.slice(0, MAX_ENTRIES).map(([, entry]) => entry));
		}
	}
	const texts = found.filter((text) => /\p{L}/u.test(text));
	const sentences = texts.filter((text) => /\s/.test(text));
	return joined((sentences.length > 0 ? sentences : texts).slice(0, FIRST_TEXTS), '; ');
}
