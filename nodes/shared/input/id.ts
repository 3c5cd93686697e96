import type { IDataObject } from 'n8n-workflow';
import { isPlain, isRecord, perRecord } from '../lib';
import type { NamedId } from './field';

/** Ten or more hexadecimal digits, or a UUID, at least one of them a decimal. Source: the examples of Part A and B. */
const USUAL_ID = /^(?=.*\d)([\da-f]{10,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Whether a text has the usual form of such an ID; that of a tag is a number. Source: Part A, 2.15. */
export const looksLikeId = (of: NamedId, text: string) =>
	(of === 'tagId' ? /^\d+$/ : USUAL_ID).test(text);

/** An email address, an ID or a path in the form for comparison, in what is sent and in what is returned. Paths have case. */
export function entryForm(entry: string, isPath = false): string {
	if (isPath) return entry.replace(/^\.\//, '').replace(/\/$/, '');
	return USUAL_ID.test(entry) || entry.includes('@') ? entry.toLowerCase() : entry;
}

/** Entries without those that have the form of an earlier one. */
export const distinct = <T>(entries: readonly T[], isPath = false): T[] => {
	const formOf = (each: T) => (typeof each === 'string' ? entryForm(each, isPath) : each);
	const byForm = new Map<unknown, T>();
	for (const each of entries) if (!byForm.has(formOf(each))) byForm.set(formOf(each), each);
	return [...byForm.values()];
};

export const isHttp = (text: string) => /^\s*https?:\/\//i.test(text);

/** Whether a text can be a site URL; it needs a dot, since `Production` could be a host too. */
export const isAddress = (text: string) => isHttp(text) || /^[^\s@]*\.[^\s@]*$/.test(text);

/** The address of a site. */
export class SiteUrl {
	/** @param path without trailing slashes; empty for the root */
	private constructor(
		readonly text: string,
		readonly host: string,
		readonly path: string,
	) {}

	/** The host in lower case and the path of a URL; http and https are the same. Undefined for other values. */
	static parse(value: unknown): SiteUrl | undefined {
		const text = String(value ?? '').trim();
		try {
			const url = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`);
			const isPlain = !/[?#\s]/.test(text) && !url.username && !url.password;
			// `%C3%BC` is `ü`, in one part or in two.
			const path = decodeURI(url.pathname.replace(/\/+$/, '')).normalize('NFC');
			return isPlain ? new SiteUrl(text, url.host, path) : undefined;
		} catch {
			return undefined;
		}
	}

	/** The URL of a site's record. */
	static readonly ofSite = perRecord(({ url }: IDataObject) => SiteUrl.parse(url));

	isOf(other: SiteUrl | undefined): boolean {
		return other?.host === this.host && other.path === this.path;
	}

	/** The sites on this host, and those at this address: `staging.x` and `x/blog` are not `x`. */
	async among(read: (query: IDataObject) => Promise<IDataObject[]>) {
		// No filter finds both spellings of an international host.
		const isPlain = !/xn--|[^!-~]/i.test(this.text);
		const found = await read(isPlain ? { 'filters[url:contains]': this.host } : {});
		const onHost = found.filter((site) => SiteUrl.ofSite(site)?.host === this.host);
		return { onHost, there: onHost.filter((site) => this.isOf(SiteUrl.ofSite(site))) };
	}
}

/** A record by name, or a site by URL. Its ID is looked up when the request is sent. */
export class Named {
	/** @param by what the text can be; `any` is an ID, a name or, for a site, a URL @param parameter its label */
	constructor(
		readonly of: NamedId,
		readonly text: string,
		readonly by: 'name' | 'id' | 'url' | 'any',
		readonly parameter: string,
	) {}
}

/** The newest snapshot of a site that succeeded. Its ID is looked up when the request is sent. */
export class NewestSnapshot {
	/** @param before the latest time, ISO 8601 in UTC, inclusive @default none */
	constructor(readonly before?: string) {}
}

/** Modes of a resource locator. `before` holds a time: the newest snapshot until then. */
const MODES = ['id', 'name', 'url', 'before'] as const;
export type LocatorMode = (typeof MODES)[number];

/** The value of a resource locator. Another object is returned unchanged, so that a record does not count as an ID. */
export function heldIn(value: unknown, raw?: unknown): { held: unknown; mode: LocatorMode } {
	const isLocator = isRecord(value) && 'value' in value && (value.__rl === true || isRecord(raw));
	if (!isLocator) return { held: value, mode: 'id' };
	const { mode } = value;
	return { held: value.value, mode: MODES.find((each) => each === mode) ?? 'id' };
}

/** The named records in a value, at any depth. */
export function namedIn(value: unknown): Named[] {
	if (value instanceof Named) return [value];
	if (Array.isArray(value)) return value.flatMap(namedIn);
	return isPlain(value) ? Object.values(value).flatMap(namedIn) : [];
}
