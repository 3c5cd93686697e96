import type { Effect } from './effects';
import { effectTexts } from './effects';
import type { Limits } from './limits';
import { allowedBy } from './limits';

/** What a request does to what, judged where its operation is known. */
export interface Deed {
	method: string;
	/** Below the base URL. */
	path: string;
	/** Undefined for an operation that this package does not know. */
	effects?: readonly Effect[];
	/** The sites that it is about, before it and after it, in lower case. */
	sites: readonly string[] | 'all';
	/** Whether it changes what is beyond any choice of sites, such as people or mail. */
	isAccountWide: boolean;
	/** Whether it has to be about a site, and is about none. */
	hasNoSite: boolean;
	/** The sites with one of Only Tags, as read just before. */
	tagged: readonly string[];
	/** How many records it changes; Infinity for all sites. */
	changes: number;
	/** How many of these are harmful: see `HARMFUL`. */
	harmful: number;
	/** What messages call the credential, and what counts are kept by. */
	by: string;
	credential: string;
	/** The execution of n8n; undefined where there is none, as behind an MCP server. */
	execution?: string;
	/** When it was judged, in epoch milliseconds. */
	at: number;
}

/**
 * Where the nodes put it among the options of a request. No JSON and no expression can make a symbol, so no other node
 * can claim one; it is known by its name, since an upgrade loads this module anew.
 */
export const DEED: unique symbol = Symbol.for('n8n-nodes-site-management.deed') as never;

/** A request that is not signed. */
export class Refused extends Error {
	override name = 'Refused';

	/** @param todo a sentence on what a person can do */
	constructor(
		readonly why: string,
		readonly todo = 'Nothing was sent.',
	) {
		super(`${why}. ${todo}`);
	}
}

/** What a person can do about a limit. */
export const ACCESS_TODO =
	'Nothing was sent. Use a credential that allows it, or ask whoever owns this one to change its limits.';

/** Whether a credential allows whatever has these effects. */
export const missing = ({ effects }: Limits, needed: Iterable<Effect>): Effect | undefined =>
	[...needed].find((effect) => !effects.has(effect));

/** Why something is not allowed, as a clause. */
export const whyNot = ({ access }: Limits, effect: Effect): string =>
	access === 'Selected'
		? `its Access does not include "${effectTexts[effect].name}"`
		: `its Access is ${access}`;

const parts = (path: string) => path.split('/').filter(Boolean);

const isId = (part: string) => part.startsWith('{');

/**
 * Whether a path is one of a pattern, in which `{id}` or `*` stands for any part.
 * @param path also a route whose ids are not known yet; no path that is sent has a brace
 */
export function fits(pattern: string, path: string): boolean {
	const [named, asked] = [parts(pattern), parts(path)];
	return (
		named.length === asked.length &&
		named.every((part, at) => part === asked[at] || part === '*' || isId(part) || isId(asked[at]!))
	);
}

/** Whether Also Allowed names a request. @param path also the one of a route */
export const isAlsoAllowed = ({ alsoAllowed }: Limits, method: string, path: string): boolean =>
	alsoAllowed.some((line) => line.method === method && fits(line.path, path));

/**
 * Refuses what the limits of a credential do not allow.
 * @throws Refused
 */
export function permit(limits: Limits, deed: Deed): void {
	const { method, path, effects, sites } = deed;
	const refuse = (why: string): never => {
		throw new Refused(`${method} ${path} is not allowed by ${deed.by}: ${why}`, ACCESS_TODO);
	};
	const isNamed = isAlsoAllowed(limits, method, path);
	const { only } = limits;
	if (!isNamed && !effects) {
		refuse(
			'this package does not know the request, so that its limits cannot be checked. The field "Also Allowed" can name it',
		);
	}
	const lacking = isNamed ? undefined : missing(limits, effects ?? []);
	if (lacking) refuse(whyNot(limits, lacking));
	if (!only) return;
	if (deed.isAccountWide && !isNamed) {
		refuse('it reaches beyond single sites, and its Sites are limited');
	}
	if (sites === 'all') return refuse('the request is for all sites, and its Sites are limited');
	const allowed = allowedBy(only, deed.tagged);
	const other = sites.find((id) => !allowed.has(id));
	if (other !== undefined) refuse(`the site ${other} is not in its Only Sites`);
	if (deed.hasNoSite) refuse('the request is for no site, and its Sites are limited');
}
