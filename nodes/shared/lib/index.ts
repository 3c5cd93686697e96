import { createHash } from 'crypto';
import type { GenericValue, IDataObject } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';

/** An object with fields: no list, and not null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of anything; `Array.isArray` gives a list of `any`. */
export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** A JSON object, so not a Date or another class. */
export const isPlain = (value: unknown): value is IDataObject =>
	isRecord(value) && [Object.prototype, null].includes(Reflect.getPrototypeOf(value));

// An object, a list, the objects in a list, its entries as texts; empty where there is none.
export const recordIn = (value: unknown): IDataObject => (isRecord(value) ? value : {});
export const listIn = (value: unknown): GenericValue[] => (Array.isArray(value) ? value : []);
export const recordsIn = (value: unknown): IDataObject[] => listIn(value).filter(isRecord);
export const textsIn = (value: unknown): string[] => listIn(value).map(String);

type Value = IDataObject[string];

/** The value at a path such as `wp.core.current_version`, mapped over lists; undefined where a part is missing. */
export const valueAt = (record: unknown, path: string): Value =>
	isRecord(record) ? path.split('.').reduce<Value>(partOf, record) : undefined;

function partOf(value: unknown, key: string): Value {
	if (typeof value !== 'object' || value === null) return undefined;
	if (Object.hasOwn(value, key)) return Reflect.get(value, key);
	return Array.isArray(value) ? value.flatMap((each) => partOf(each, key) ?? null) : undefined;
}

export function omit<T extends object, K extends keyof T>(from: T, ...keys: K[]): Omit<T, K> {
	const copy: Partial<T> = { ...from };
	for (const key of keys) delete copy[key];
	return copy as T;
}

export const mapValues = <V, W>(record: Record<string, V>, change: (value: V, key: string) => W) =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));

/** Caches a value for each record, as long as the record is in memory. */
export function perRecord<R extends object, V>(compute: (record: R) => V): (record: R) => V {
	const known = new WeakMap<R, { value: V }>();
	return (record) => {
		const found = known.get(record) ?? { value: compute(record) };
		known.set(record, found);
		return found.value;
	};
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `last_name` for people: `Last Name`. */
export const labelOf = (field: string) =>
	field
		.split('_')
		.map(capital)
		.join(' ')
		.replace(/\b(Fa|Id|Ip|Php|Url|Wp)\b/g, (word) => word.toUpperCase())
		.replace(/\bIds\b/g, 'IDs');

const UNSEEN = /(?!\s)[\p{Cc}\p{Cf}\p{DI}]|\ufeff/gu;

/** A name in the form for comparison: Unicode NFC, no invisible characters, single spaces. */
export const nameForm = (name: unknown): string =>
	String(name ?? '')
		.replace(UNSEEN, '')
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** The same where upper and lower case do not differ. */
export const caselessForm = (name: unknown): string => nameForm(name).toLowerCase();

/** Spellings that look the same, which a filter of the service may distinguish. */
export const spellings = (text: string): string[] => [
	...new Set([text, text.normalize('NFC'), text.normalize('NFD')]),
];

/** Parses a URL. `URL.canParse` of Node.js 20 fails for letters such as ü after many calls. */
export function urlFrom(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** A short hash of a text, for the state that n8n stores. @param length in characters */
export const hash = (text: string, length: number) =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);

/** Splits a text of hashes of this length without separators. */
export const hashesIn = (text = '', length: number): string[] =>
	text.match(new RegExp(`.{${length}}`, 'g')) ?? [];

/** The name of each hash in such texts by name: the reverse of `textsBy`. */
export const namesByHash = (texts: Record<string, string> = {}, length: number) =>
	Object.entries(texts).flatMap(([name, text]) =>
		hashesIn(text, length).map((key): [string, string] => [key, name]),
	);

/** Texts of the hashes that have the same name, as plain JSON. */
export function textsBy<V>(entries: Iterable<[string, V]>, nameOf: (value: V) => string) {
	const texts: Record<string, string> = {};
	for (const [key, value] of entries) {
		const name = nameOf(value);
		texts[name] = (texts[name] ?? '') + key;
	}
	return texts;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Smaller numbers are epoch seconds, larger ones milliseconds. */
const MILLISECONDS_FROM = 1e11;

const EPOCH = /^\d{9,}(\.\d+)?$/;

/** A time without a zone, which is in UTC. */
const NO_ZONE = /T[\d:.]+$/;

/** A time of the service as ISO 8601, also from epoch seconds or milliseconds; empty for what is not a time. */
export function isoOf(value: unknown): string {
	const time = value instanceof Date ? value.getTime() : value;
	const text = typeof time === 'string' || typeof time === 'number' ? String(time).trim() : '';
	if (EPOCH.test(text)) {
		const number = Number(text);
		const date = new Date(number < MILLISECONDS_FROM ? number * 1_000 : number);
		return Number.isNaN(date.getTime()) ? '' : date.toISOString();
	}
	const iso = NO_ZONE.test(text.replace(' ', 'T')) ? `${text.replace(' ', 'T')}Z` : text;
	return Number.isNaN(Date.parse(iso)) ? '' : iso;
}

/** A time in epoch milliseconds; NaN for what is not a time. */
export const instantOf = (value: unknown): number => Date.parse(isoOf(value));

/** n8n 1.x has a separate function for a sleep that a signal aborts. */
const { sleep, sleepWithAbort = sleep } = n8n as typeof n8n & { sleepWithAbort?: typeof sleep };

const pause = async (ms: number, signal?: AbortSignal): Promise<void> =>
	await (signal ? sleepWithAbort(ms, signal) : sleep(ms));

/** The only source of time; tests replace it. Times are in milliseconds; a sleep rejects when the signal aborts. */
export const clock = {
	now: (): number => Date.now(),
	/** Monotonic milliseconds for durations; setting the machine's clock does not change them. */
	steady: (): number => performance.now(),
	/** As `sleep`, for timeouts of requests in flight: stays in real time when tests make `sleep` jump. */
	guard: pause,
	sleep: pause,
};
