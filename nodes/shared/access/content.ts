import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../lib/isRecord';
import type { Effect } from './effects';
import type { RequestToSign } from './target';

/** A value of a request, with the names above it: `site_ids` of a tag, `scope`, `sites`, `ids` of a schedule. */
interface Entry {
	path: string[];
	value: unknown;
}

/** Deeper than what the service reads. */
const MAX_DEPTH = 20;

/** All that stands in a body or a query, whatever parameter has brought it; lists stand at their own name. */
function entriesIn(value: unknown, path: string[] = []): Entry[] {
	if (path.length > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.flatMap((each) => entriesIn(each, path));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, below]) => {
		// `a[b][]` of a query is b in a.
		const place = [
			...path,
			...key
				.toLowerCase()
				.split(/[[\]]+/)
				.filter(Boolean),
		];
		return [{ path: place, value: below }, ...entriesIn(below, place)];
	});
}

/** Undefined where the body is of a form that cannot be read here. */
export function contentOf({
	body,
	form,
	formData,
	qs,
	url,
	uri,
}: RequestToSign): Entry[] | undefined {
	const parts = [body, form, formData, qs].filter((part) => part !== undefined && part !== '');
	const isRead = parts.every(
		(part) => part === null || Array.isArray(part) || (isRecord(part) && isPlain(part)),
	);
	if (!isRead) return undefined;
	const [, search = ''] = /\?([^#]*)/.exec(String(url ?? uri ?? '')) ?? [];
	const query = [...new URLSearchParams(search)].map(([key, value]) => ({ [key]: value }));
	return entriesIn([...parts, ...query]);
}

const isPlain = (value: object) =>
	[Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

/** What is in a body adds to what its operation does. */
const ADDS: Array<{ effect: Effect; is: (entry: Entry) => boolean }> = [
	{
		effect: 'sendsMail',
		is: ({ path, value }) =>
			(path.at(-1) === 'recipients' && !isNothing(value)) ||
			(path.at(-1) === 'send_to_client' && !isNothing(value) && value !== false),
	},
	{
		effect: 'weakens',
		is: ({ path, value }) =>
			path.at(-1) === 'backup' && path.at(-2) === 'options' && value !== true,
	},
];

const isNothing = (value: unknown) =>
	value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** What a request does besides what its operation does. */
export const effectsBy = (request: RequestToSign): Effect[] =>
	addedEffects(contentOf(request) ?? []);

export const addedEffects = (content: Entry[]): Effect[] =>
	ADDS.filter(({ is }) => content.some(is)).map(({ effect }) => effect);

/** The sites that a request or a record names. */
export interface NamedSites {
	ids: string[];
	/** Whether it means all of them, which it does where it is not clear. */
	all: boolean;
	/** The URL that a migration overwrites. */
	destination?: { url: string; isOwn: boolean };
}

export function sitesIn(content: Entry[]): NamedSites {
	const at = (test: (path: string[]) => boolean) => content.filter(({ path }) => test(path));
	const named = at(
		(path) =>
			/^(site_?ids?|sites)$/.test(path.at(-1)!) ||
			(/^ids?$/.test(path.at(-1)!) && /^sites?$/.test(path.at(-2) ?? '')),
	);
	const selections = at((path) => path.at(-1) === 'selection' && path.at(-2) === 'sites');
	const everywhere = at((path) => /^all_?sites(_?access)?$/.test(path.at(-1)!));
	const url = at((path) => path.at(-1) === 'destination_url')[0]?.value;
	const type = at((path) => path.at(-1) === 'type' && path.at(-2) === 'migration')[0]?.value;
	return {
		ids: named.flatMap(({ value }) => idsOf(value)),
		all:
			selections.some(({ value }) => value !== 'specific') ||
			everywhere.some(({ value }) => value !== false && !isNothing(value)),
		destination: url === undefined ? undefined : { url: String(url), isOwn: type === 'internal' },
	};
}

/** What is no ID either is one that no list has. */
function idsOf(value: unknown): string[] {
	if (isNothing(value)) return [];
	if (Array.isArray(value)) return value.flatMap((each) => idsOf(each));
	if (isRecord(value)) return [];
	return [String(value).toLowerCase()];
}

/** How many records a request is for: the longest list of ids in it, and Infinity for all sites. */
export function countIn(content: Entry[]): number {
	if (sitesIn(content).all) return Infinity;
	const lists = content.filter(({ path }) => /(^|_)ids$/.test(path.at(-1)!));
	return Math.max(1, ...lists.map(({ value }) => (Array.isArray(value) ? value.length : 1)));
}

export const recordContent = (record: IDataObject) => entriesIn(record);
