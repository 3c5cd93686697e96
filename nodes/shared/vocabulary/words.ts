import realWords from './realWords.json';
import { isPlain, isRecord } from '../lib';
import { activityObjects } from './values';

// Translates between the neutral words of the reference, which workflows keep, and the brand names of the running service.

/** The stand-in words. Source: Part A, "Naming". */
export const WORDS = ['cloudstore_a', 'cloudstore_b', 'cms', 'shop'];

/** The names made with them that are keys of bodies and records. Source: Part A, 2.7, and Part B, 2.9. */
export const KEYS = ['cms_core', 'shop_db_upgrade'];

/** The values made with them, by the field that has them. Source: Part A, 2.3, and Part B, 2.4. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
	provider: ['cloudstore_a', 'cloudstore_b'],
	object_type: activityObjects
		.map(({ value }) => String(value))
		.filter((value) => value.startsWith('shop_')),
};

/** The real words by stand-in words, or by a name made with one. */
export type RealWords = Readonly<Record<string, string>>;

/** The service's word for a name: its own entry in the table, or that of the word it contains. */
export function realNameOf(name: string, table: RealWords): string {
	const word = WORDS.find((each) => name === each || name.startsWith(`${each}_`)) ?? name;
	const start = table[word];
	return table[name] ?? (start === undefined ? name : start + name.slice(word.length));
}

type Names = ReadonlyMap<string, string>;

type Dictionary = ReturnType<typeof dictionary>;

/** One direction of translation: the keys, and the values by their fields. */
function dictionary(table: RealWords, isBack = false) {
	const pairOf = (name: string): [string, string] => {
		const real = realNameOf(name, table);
		return isBack ? [real, name] : [name, real];
	};
	const namesOf = (names: readonly string[]) => new Map(names.map(pairOf));
	const values = Object.entries(VALUES).map(([field, names]) => [field, namesOf(names)] as const);
	return { keys: namesOf(KEYS), values: new Map<string | undefined, Names>(values) };
}

/** The translation for a table; an empty table returns the same objects. */
export function wordsOf(table: RealWords) {
	const isEmpty = Object.keys(table).length === 0;
	const toService = dictionary(table);
	const toReference = dictionary(table, true);
	return {
		/** Translates the path, query and body of a request. */
		sent<T extends { url?: string; qs?: unknown; body?: unknown }>(request: T): T {
			if (isEmpty) return request;
			return {
				...request,
				...(request.url && { url: inPath(request.url, toService) }),
				...(isRecord(request.qs) && { qs: inQuery(request.qs, toService) }),
				...(isRecord(request.body) && { body: translated(request.body, toService) }),
			};
		},
		/** Translates the JSON of an answer. @param isError whether it may name a parameter */
		received: <T>(body: T, isError = false): T =>
			isEmpty ? body : (translated(body, toReference, undefined, isError) as T),
	};
}

export const words = wordsOf(realWords);

/** Each word of a text that is one of the names: `settings.shop_db_upgrade.enabled`. */
const inText = (text: string, names: Names) =>
	text.replace(/[\w-]+/g, (word) => names.get(word) ?? word);

/** A provider stands for its destination. Source: Part A, 4.4. */
const inPath = (path: string, { values }: Dictionary) =>
	path.replace(
		/(?<=^\/backup-destinations\/)[^/?#]+/,
		(id) => values.get('provider')?.get(id) ?? id,
	);

/** Keys such as `filters[object_type:in]`, and `sort`, whose value is a field and a direction. */
const inQuery = (qs: object, { keys, values }: Dictionary) =>
	Object.fromEntries(
		Object.entries(qs).map(([key, value]: [string, unknown]) => {
			const field = key.match(/\w+/g)?.find((part) => values.has(part));
			const isSort = key === 'sort' && typeof value === 'string';
			return [inText(key, keys), isSort ? inText(value, keys) : valueOf(value, values.get(field))];
		}),
	);

function valueOf(value: unknown, names: Names | undefined): unknown {
	if (Array.isArray(value)) return value.map((each) => valueOf(each, names));
	return (typeof value === 'string' && names?.get(value)) || value;
}

/** A value below the key `field`. Texts that people write stay unchanged. */
function translated(
	value: unknown,
	dictionary: Dictionary,
	field?: string,
	isError = false,
): unknown {
	const { keys, values } = dictionary;
	if (Array.isArray(value))
		return value.map((each) => translated(each, dictionary, field, isError));
	if (!isPlain(value)) {
		if (isError && field === 'param' && typeof value === 'string') return inText(value, keys);
		return valueOf(value, values.get(field));
	}
	const { id, provider } = value;
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => {
			const real = keys.get(key);
			// A destination that is not saved has its provider as its ID.
			const stands = key === 'id' && id === provider ? 'provider' : key;
			return [
				// A field that exists under both names stays unchanged.
				real !== undefined && !Object.hasOwn(value, real) ? real : key,
				translated(each, dictionary, stands, isError),
			];
		}),
	);
}

/** `/sites/7/custom-works` and `/sites/7/custom-works/{id}` are about `custom_works`. */
export function collectionOf(path: string): string {
	const names = path.split('/').filter((segment) => /^[a-z-]+$/.test(segment));
	return (names.pop() ?? '').replaceAll('-', '_');
}

/** The wrapper of a record in this collection: `custom_works` becomes `custom_work`. */
export const singular = (collection: string) => collection.replace(/s$/, '');

/** The wrapper of the record that a path is about: `/tags/{tagId}/update` is about a `tag`. */
export const recordNameOf = (route: string) =>
	singular(collectionOf(route.replace(/\}[^}]*$/, '')));

/** The field that every record of a list has: its ID, if it has one. */
export const keyIn = (collection: string) =>
	({ tables: 'name', auto_update_history: 'performed_on' })[collection] ?? 'id';
