import { isRecord } from '../isRecord';
import type { Convert } from './field';
import { jsonIn } from './json';
import { refuse, shown } from './refusal';
import { toText } from './text';

const AN_ID = {
	what: 'one ID',
	ofObject: 'pick its ID, such as {{ $json.client.id }}',
	ofList: 'pick one of it, such as {{ $json.sites[0].id }}',
};

/** An id as text, trimmed: `.` and `..` would change the path, and a number that is not exact the record. */
export const toId: Convert = (value) => {
	if (typeof value === 'boolean') return refuse(`is ${value}, not an ID`);
	const id = toText(jsonIn(value) ?? value, AN_ID).trim();
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		return refuse(`is not an ID: ${shown(value)}`);
	}
	// Changing a locator from By URL to By ID keeps what was typed.
	if (/^https?:\/\//i.test(id)) {
		return refuse(`is a URL, not an ID: ${shown(id)}. To name a site by its URL choose By URL`);
	}
	// Two of them would change the path; separators without an entry are what is left of an empty list.
	if (id === '.' || id === '..' || /^[\s,]+$/.test(id)) {
		return refuse(`is not an ID: ${shown(id)}`);
	}
	return id;
};

/** The site with this URL, whose id is looked up when it is needed. */
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
		const text = toText(value, {
			what: 'one URL',
			ofObject: 'pick its URL, such as {{ $json.site.url }}',
			ofList: 'pick one of it, such as {{ $json.sites[0].url }}',
		}).trim();
		return SiteUrl.parse(text) ?? refuse(`is not a URL: ${shown(text)}`);
	}

	/** Undefined for what is no address of a site: it has no host, or parts that no site has. */
	static parse(value: unknown): SiteUrl | undefined {
		const text = String(value ?? '').trim();
		try {
			const url = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`);
			const isPlain = !/[?#\s]/.test(text) && !url.username && !url.password;
			return isPlain ? new SiteUrl(text, url.host, url.pathname.replace(/\/+$/, '')) : undefined;
		} catch {
			return undefined;
		}
	}

	isOf(other: SiteUrl | undefined): boolean {
		return other?.host === this.host && other.path === this.path;
	}
}

/**
 * What a resource locator holds, whatever form n8n or an expression gives it. An object that is no locator is
 * held as it is: a record of the service is not the id of one.
 * @param raw the parameter before its expressions were evaluated
 */
export function heldIn(
	value: unknown,
	raw: unknown = undefined,
): { held: unknown; isUrl: boolean; mode?: unknown } {
	const isLocator = isRecord(value) && 'value' in value && (value.__rl === true || isRecord(raw));
	return isLocator
		? { held: value.value, isUrl: value.mode === 'url', mode: value.mode }
		: { held: value, isUrl: false };
}
