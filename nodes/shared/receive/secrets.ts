import { isRecord } from '../lib/isRecord';

/** What must not be repeated in a message, in whatever form it comes back. */

/** Names below FTP credentials, whose form is not documented, that are no secrets. */
const OPEN = /^(host|hostname|port|protocol|user|username|name|database|path|url|http_auth)$/i;

/**
 * Whether what stands under a name is a secret; an object of an open name still has some in it.
 * @param isBelow whether the name stands below such a one
 */
export const isSecretAt = (name: string, value: unknown, isBelow: boolean) =>
	/password|credentials|secret|token/i.test(name) ||
	(isBelow && (typeof value === 'object' || !OPEN.test(name)));

/**
 * The secrets in a body or a query: what stands under the name of one or below the credentials of a connection, and
 * what is in a URL: `https://user:password@host`, `?token=…`.
 */
export function secretsIn(value: unknown, isSecret = false): string[] {
	if (typeof value === 'string') return isSecret ? [value] : secretsOfUrls(value);
	if (typeof value === 'number') return isSecret ? [String(value)] : [];
	if (Array.isArray(value)) return value.flatMap((each) => secretsIn(each, isSecret));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, each]) =>
		secretsIn(each, isSecretAt(key, each, isSecret)),
	);
}

/** The user and password of a URL. */
const USER_INFO = /\/\/([^/?#\s]*)@/g;

function secretsOfUrls(text: string): string[] {
	const users = [...text.matchAll(USER_INFO)].map(([, user]) => user!.replace(/^[^:]*:/, ''));
	const query = [...text.matchAll(/[?&]([^=&#\s]+)=([^&#\s]*)/g)]
		.filter(([, name]) => isSecretAt(name!, '', false) || /key|signature/i.test(name!))
		.map(([, , value]) => value!);
	return [...users, ...query].filter(Boolean).flatMap((each) => [each, decoded(each)]);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Shorter ones could be parts of words. */
const MIN_SECRET = 4;

/** Of a longer text nobody reads the rest. */
const MAX_TEXT = 20_000;

/** A text that was decoded: where each of its characters stands in the original, from and to. */
interface Reading {
	text: string;
	from: number[];
	to: number[];
}

interface Code {
	pattern: RegExp;
	/** What an encoded part means; undefined for none. */
	meaning: (part: string) => string | undefined;
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

const charOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : undefined);

/** The forms in which services and proxies write a text. */
const CODES: Code[] = [
	{
		// JSON
		pattern: /\\(?:u[\da-f]{4}|.)/gis,
		meaning: (part) =>
			part.length > 2 ? charOf(parseInt(part.slice(2), 16)) : (ESCAPES[part[1]!] ?? part[1]),
	},
	{
		// URLs and forms
		pattern: /%[c-f][\da-f](?:%[89ab][\da-f])+|%[\da-f]{2}|\+/gi,
		meaning: (part) => (part === '+' ? ' ' : decoded(part)),
	},
	{
		// HTML
		pattern: /&(?:#\d{1,7}|#x[\da-f]{1,6}|quot|amp|lt|gt|apos);/gi,
		meaning: (part) => {
			const name = part.slice(1, -1).toLowerCase();
			if (!name.startsWith('#')) return ENTITIES[name];
			return charOf(name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1)));
		},
	},
];

function decode({ text, from, to }: Reading, { pattern, meaning }: Code): Reading | undefined {
	const result: Reading = { text: '', from: [], to: [] };
	let at = 0;
	const add = (meant: string, start: number, end: number) => {
		result.text += meant;
		for (let unit = 0; unit < meant.length; unit++) {
			result.from.push(from[start]!);
			result.to.push(to[end - 1]!);
		}
	};
	const copyUntil = (end: number) => {
		for (; at < end; at++) add(text[at]!, at, at + 1);
	};
	for (const found of text.matchAll(pattern)) {
		const meant = meaning(found[0]);
		if (meant === undefined) continue;
		copyUntil(found.index);
		at = found.index + found[0].length;
		add(meant, found.index, at);
	}
	if (at === 0) return undefined;
	copyUntil(text.length);
	return result;
}

/** How often one form is put into another, such as JSON in a query. */
const DEPTH = 3;

/** A text as it is, and in all that it may mean. */
function readingsOf(text: string): Reading[] {
	const units = Array.from({ length: text.length }, (_, index) => index);
	let last: Reading[] = [{ text, from: units, to: units.map((index) => index + 1) }];
	const all = [...last];
	for (let depth = 0; depth < DEPTH && last.length > 0; depth++) {
		last = last.flatMap((each) => CODES.map((code) => decode(each, code) ?? []).flat());
		for (const reading of last) all.push(reading);
	}
	return all;
}

/** A secret this long is also known by its beginning, where a service cuts what it repeats. */
const LONG = 16;
const BEGINNING = 12;

type Span = [from: number, to: number];

/** Where a secret stands in a text. */
function placesOf(secret: string, text: string): Span[] {
	const isShort = secret.length < MIN_SECRET;
	const sought = secret.length >= LONG ? secret.slice(0, BEGINNING) : secret;
	const places: Span[] = [];
	for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
		let length = sought.length;
		while (length < secret.length && text[at + length] === secret[length]) length++;
		const around = `${text[at - 1] ?? ''} ${text[at + length] ?? ''}`;
		if (!isShort || !/[\p{L}\p{N}]/u.test(around)) places.push([at, at + length]);
	}
	return places;
}

/** In Base64 a secret looks different by what stands before it, as does `user:password` by its user. */
function base64Of(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const forms = [0, 1, 2].flatMap((before) => {
		const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
		// The first and last characters hold bits of what stands around it.
		const own = text.slice(
			Math.ceil((before * 4) / 3),
			(before + bytes.length) % 3 === 0 ? undefined : -1,
		);
		return [own, own.replaceAll('-', '+').replaceAll('_', '/')];
	});
	return [...new Set(forms)].filter((form) => form.length >= MIN_SECRET);
}

const BASE64 = /[\w+/=-]/;

/** All of the Base64 around a part of it. */
function wholeOf(text: string, [from, to]: Span): Span {
	let [start, end] = [from, to];
	while (BASE64.test(text[start - 1] ?? '')) start--;
	while (BASE64.test(text[end] ?? '')) end++;
	return [start, end];
}

/**
 * What makes of a text one in which the secrets, in whatever form, and the users of URLs are replaced by `…`.
 * @param secrets as `secretsIn` gives them
 */
export function blanker(secrets: string[]): (text: string) => string {
	const known = [...new Set(secrets)].filter(Boolean).map((secret) => ({
		secret,
		forms: base64Of(secret),
	}));
	const spansIn = ({ text, from, to }: Reading): Span[] =>
		known
			.flatMap(({ secret, forms }) => [
				...placesOf(secret, text),
				...forms.flatMap((form) => placesOf(form, text).map((place) => wholeOf(text, place))),
			])
			.map(([start, end]) => [from[start]!, to[end - 1]!]);
	return (text) => {
		const read = text.slice(0, MAX_TEXT);
		const spans = known.length === 0 ? [] : readingsOf(read).flatMap(spansIn);
		return without(read, spans).replace(USER_INFO, '//…@');
	};
}

function without(text: string, spans: Span[]): string {
	let result = '';
	let at = 0;
	for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
		if (to <= at) continue;
		result +=
			from >= at && !(from === at && result.endsWith('…')) ? `${text.slice(at, from)}…` : '';
		at = to;
	}
	return result + text.slice(at);
}
