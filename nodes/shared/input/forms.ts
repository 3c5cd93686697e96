import { urlFrom } from '../lib';
import { form, toList } from './convert';
import { refuse, shown } from './refusal';

/** Misplaced dots, characters that no address has, and characters that no domain has. */
const NOT_IN_EMAIL =
	/\.\.|\.@|@\.|^\.|\.$|[\p{DI}\p{C}\p{Z}\s\u2800<>()[\]\\:;,"]|(?<=@.*)[^\p{L}\p{M}\p{N}\p{So}.·_@-]/u;

/** @returns also what is wrong, as the rest of a message */
function isEmail(text: string): boolean | string {
	// A name in quotes and an IP address in brackets may have such signs.
	const bare = text.replace(/^"[!#-~]+"(?=@)/, 'x').replace(/@\[[\da-f.:]+\]$/i, '@x.x');
	const [sign] = NOT_IN_EMAIL.exec(bare) ?? [];
	if (sign === undefined) return /^[^@]+@[^@]+\.[^@]+$/.test(bare);
	return `${contains(sign)}. Enter only the address, such as name@example.com`;
}

function contains(sign: string): string {
	const code = sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
	return ` contains ${/^[ -~]/.test(sign) ? `"${sign}"` : `the character U+${code}`}`;
}

export const toEmail = form(isEmail, 'is not an email address');

/** An entry of a list of email addresses. */
export const toEmailEntry = form(isEmail, 'contains an invalid email address');

/** Source: Part B, 4.1. */
export const toPhpVersion = form(
	/^\d+(\.\d+){0,2}$/,
	'is not a PHP version, such as 8, 8.2 or 8.2.14',
);

export const toUrl = form((text) => {
	const [hidden] = /[\s\p{C}]/u.exec(text) ?? [];
	return hidden ? contains(hidden) : /^https?:\/\/[^/]/i.test(text) && urlFrom(text) !== undefined;
}, 'is not a URL that starts with http:// or https://');

/** What people copy along with the address of a site: pages of the CMS, a query, a fragment. */
const BEHIND_SITE =
	/(\/(wp-(admin|login|content|includes|json|cron|signup)|(xmlrpc|index)\.php)(?=[/?#.]|$)[^?#]*)?([?#].*)?$/i;

/** The address of a site. Refuse a longer one: to the service it is another site. */
export function toSiteUrl(value: unknown): string {
	const url = toUrl(value);
	const { hostname } = new URL(url);
	const isHost = /^(localhost|\[.*\]|[\w-]+(\.[\w-]+)+\.?)$/.test(hostname);
	if (!isHost)
		refuse(`has a host without a dot, so it is not the address of a site: ${shown(url)}`);
	const site = url.replace(BEHIND_SITE, '');
	if (site !== url) refuse(`is not the address of a site: ${shown(url)}. Use ${shown(site)}`);
	return url;
}

/** Fields of a record, and paths such as `connection.status`. */
export const toPaths = toList(
	'name',
	form(
		/^[^\s.,]+(\.[^\s.,]+)*$/,
		'contains something that is not a field or path, such as connection.status',
	),
);
