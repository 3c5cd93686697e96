import type { IDataObject } from 'n8n-workflow';
import { isPlain, isRecord } from '../lib/isRecord';
import { perRecord } from '../lib/perRecord';
import { jsonIn } from './json';
import type { NamedBy, NamedId } from './named';
import { isNoName } from './named';
import { refuse, shown } from './refusal';
import { toText } from './text';

/** An ID as trimmed text. Refuse `.` and `..`, which change the path, and inexact numbers. */
export function toId(value: unknown): string {
	if (typeof value === 'boolean') return refuse(`is ${value}, not an ID`);
	const id = toText(jsonIn(value) ?? value, [
		'one ID',
		'its ID',
		'client.id',
		'sites[0].id',
	]).trim();
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		return refuse(`is not an ID: ${shown(value)}`);
	}
	// Changing a locator from By URL to By ID keeps what was typed.
	if (/^https?:\/\//i.test(id)) {
		return refuse(`is a URL, not an ID: ${shown(id)}. To use the URL of a site, choose By URL`);
	}
	// A dot changes the path; separators alone are left of an empty list.
	if (id === '.' || id === '..' || /^[\s,]+$/.test(id)) {
		return refuse(`is not an ID: ${shown(id)}`);
	}
	return id;
}

/** A site by URL. Its ID is looked up when the request is sent. */
export class SiteUrl {
	/** @param path without slashes at its end; empty for the root */
	private constructor(
		readonly text: string,
		readonly host: string,
		readonly path: string,
	) {}

	/** The host in lower case and the path of a URL; http and https are the same. @throws Refusal */
	static from(value: unknown): SiteUrl {
		if (['boolean', 'number'].includes(typeof value)) refuse(`is not a URL: ${shown(value)}`);
		const text = toText(value, ['one URL', 'its URL', 'site.url', 'sites[0].url']).trim();
		return SiteUrl.parse(text) ?? refuse(`is not a URL: ${shown(text)}`);
	}

	/** Undefined for what cannot be the address of a site. */
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

	/**
	 * The sites on this host, and those at this address: `staging.x` and `x/blog` are not `x`.
	 * @param read gives the sites that match a query; no filter finds both spellings of an international host
	 */
	async among(read: (query: IDataObject) => Promise<IDataObject[]>) {
		const isPlain = !/xn--|[^!-~]/i.test(this.text);
		const found = await read(isPlain ? { 'filters[url:contains]': this.host } : {});
		const onHost = found.filter((site) => SiteUrl.ofSite(site)?.host === this.host);
		return { onHost, there: onHost.filter((site) => this.isOf(SiteUrl.ofSite(site))) };
	}
}

/** A record by name. Its ID is looked up when the request is sent. */
export class Named {
	/** @param parameter as the panel shows it */
	constructor(
		readonly of: NamedId,
		readonly text: string,
		readonly by: NamedBy,
		readonly parameter: string,
	) {}
}

/** A record By Name. @throws Refusal */
export function toNamed(of: NamedId, value: unknown, parameter: string): Named {
	if (typeof value === 'boolean') refuse(`is ${value}, not a name`);
	const text = toText(value, ['one name', 'its name', 'client.name', 'tags[0].name']).trim();
	if (/^https?:\/\//i.test(text)) refuse(`is a URL, not a name: ${shown(text)}`);
	return new Named(of, text, 'name', parameter);
}

/** Text that can only be an ID stays text; otherwise an ID, a name or, of a site, a URL. @throws Refusal */
export function toNameOrId(of: NamedId, value: unknown, parameter: string): string | Named {
	const isUrl = typeof value === 'string' && /^\s*https?:\/\//i.test(value);
	if (isUrl && of === 'siteId') return new Named(of, SiteUrl.from(value).text, 'any', parameter);
	const text = toId(value);
	return isNoName(of, text) ? text : new Named(of, text, 'any', parameter);
}

/** Modes of a resource locator. `before` holds a time: the newest snapshot until then. */
const MODES = ['id', 'name', 'url', 'before'] as const;

type Mode = (typeof MODES)[number];

/**
 * The value of a resource locator. An object that is no locator is returned unchanged, so that a record of the service
 * is not taken for an ID.
 * @param raw the parameter before its expressions were evaluated
 */
export function heldIn(value: unknown, raw: unknown = undefined): { held: unknown; mode: Mode } {
	const isLocator = isRecord(value) && 'value' in value && (value.__rl === true || isRecord(raw));
	if (!isLocator) return { held: value, mode: 'id' };
	const { mode } = value;
	return { held: value.value, mode: MODES.find((each) => each === mode) ?? 'id' };
}

/** A value whose ID has to be looked up. */
export type Reference = SiteUrl | Named;

export const isReference = (value: unknown): value is Reference =>
	value instanceof SiteUrl || value instanceof Named;

/** The references in a value, at any depth. */
export function referencesIn(value: unknown): Reference[] {
	if (isReference(value)) return [value];
	if (Array.isArray(value)) return value.flatMap(referencesIn);
	return isPlain(value) ? Object.values(value).flatMap(referencesIn) : [];
}

/** Replaces references by IDs. A list keeps each ID once. */
export function withoutReferences(value: unknown, idOf: (found: Reference) => string): unknown {
	if (isReference(value)) return idOf(value);
	if (Array.isArray(value)) {
		const entries = value.map((entry) => withoutReferences(entry, idOf));
		return value.some(isReference) ? [...new Set(entries)] : entries;
	}
	if (!isPlain(value)) return value;
	const fields = Object.entries(value).map(([key, part]) => [key, withoutReferences(part, idOf)]);
	return Object.fromEntries(fields);
}
