import { type Effect, effectTexts } from './effects';
import { allowedBy, countsChanges, type Limits, notAmong } from './credential';
import { MINUTE_MS, perRecord } from '../lib';

/** Effects of a request and the sites it affects, as judged before it is signed. */
export interface Deed {
	method: string;
	/** Below the base URL. */
	path: string;
	/** Undefined for an operation that this package does not know. */
	effects?: readonly Effect[];
	/** IDs of the sites that it affects, before and after the change, in lower case. */
	sites: readonly string[] | 'all';
	/** Whether it affects more than single sites, such as people or emails. */
	isAccountWide: boolean;
	/** Whether it must name a site but names none. */
	hasNoSite: boolean;
	/** Sites with one of Only Tags, read directly before. */
	tagged: readonly string[];
	/** Number of records it changes; Infinity for all sites. */
	changes: number;
	/** Number of these that are harmful; see `HARMFUL`. */
	harmful: number;
	/** Name of the credential in messages, and its key for counts. */
	by: string;
	credential: string;
	/** Execution ID of n8n; undefined without an execution, such as behind an MCP server. */
	execution?: string;
	/** When it was judged, in epoch milliseconds. */
	at: number;
}

/**
 * Key of the deed in the options of a request. A symbol, so that no JSON or expression of another node can set it;
 * registered by name, because an upgrade loads this module a second time.
 */
export const DEED: unique symbol = Symbol.for('n8n-nodes-site-management.deed') as never;

export class Refused extends Error {
	override name = 'Refused';

	/** @param todo sentence that says what to do */
	constructor(
		readonly why: string,
		readonly todo = 'Nothing was sent.',
	) {
		super(`${why}. ${todo}`);
	}
}

export const ACCESS_TODO =
	'Nothing was sent. Use a credential that allows it, or ask whoever owns this one to change its limits.';

/** Why a credential does not allow one of the needed effects, as a clause; undefined if it allows all. */
export function whyNot({ access, effects }: Limits, needed: readonly Effect[]): string | undefined {
	const lacking = needed.find((effect) => !effects.has(effect));
	if (!lacking) return undefined;
	return access === 'Selected'
		? `its Access does not include "${effectTexts[lacking].name}"`
		: `its Access is ${access}`;
}

const parts = (path: string) => path.split('/').filter(Boolean);

const isId = (part: string) => part.startsWith('{');

/** Whether a path or a route matches a pattern, in which `{id}` or `*` matches any part; real paths have no braces. */
export function fits(pattern: string, path: string): boolean {
	const [named, asked] = [parts(pattern), parts(path)];
	return (
		named.length === asked.length &&
		named.every((part, at) => part === asked[at] || part === '*' || isId(part) || isId(asked[at]!))
	);
}

/** Whether Also Allowed names a request. @param path also that of a route */
export const isAlsoAllowed = ({ alsoAllowed }: Limits, method: string, path: string): boolean =>
	alsoAllowed.some((line) => line.method === method && fits(line.path, path));

export function refusalOf(limits: Limits, deed: Deed): Refused | undefined {
	const why = whyRefused(limits, deed);
	return why === undefined ? undefined : refused(deed, why);
}

const refused = ({ method, path, by }: Deed, why: string) =>
	new Refused(`${method} ${path} is not allowed by ${by}: ${why}`, ACCESS_TODO);

function whyRefused(limits: Limits, deed: Deed): string | undefined {
	const { effects, sites } = deed;
	const { only } = limits;
	if (!isAlsoAllowed(limits, deed.method, deed.path)) {
		if (!effects) {
			return 'this package does not know the request, so that its limits cannot be checked. The field "Also Allowed" can name it';
		}
		const why = whyNot(limits, effects);
		if (why !== undefined) return why;
		if (only && deed.isAccountWide) {
			return 'it reaches beyond single sites, and its Sites are limited';
		}
	}
	if (!only) return undefined;
	if (sites === 'all') return 'the request is for all sites, and its Sites are limited';
	const allowed = allowedBy(only, deed.tagged);
	const other = sites.find((id) => !allowed.has(id));
	if (other !== undefined) return `the site ${other} ${notAmong(only)}`;
	return deed.hasNoSite ? 'the request is for no site, and its Sites are limited' : undefined;
}

type Count = Pick<Deed, 'changes' | 'harmful' | 'at'>;

/** Changes by execution and credential, the latest execution last. An upgrade of the package resets the counts. */
const counted = new Map<string, Set<Count>>();

/** A deed has long lists of sites; only its count is kept. */
const countOf = perRecord(({ changes, harmful, at }: Deed): Count => ({ changes, harmful, at }));

const MAX_EXECUTIONS = 10_000;

const keyOf = ({ credential, execution }: Deed) => JSON.stringify([credential, execution]);

/** Earlier changes of the same execution, or of the last ten minutes without one. */
function earlierChanges(deed: Deed): Set<Count> {
	const key = keyOf(deed);
	const counts = counted.get(key) ?? new Set();
	counted.delete(key);
	counted.set(key, counts);
	const [oldest] = counted.keys();
	if (counted.size > MAX_EXECUTIONS) counted.delete(oldest!);
	if (deed.execution === undefined) {
		for (const each of counts) if (each.at <= deed.at - 10 * MINUTE_MS) counts.delete(each);
	}
	return counts;
}

/** Counts the changes of a request once, even if it is signed several times. @throws Refused if they are too many */
export function countChange(limits: Limits, deed: Deed): void {
	if (deed.changes === 0 || !countsChanges(limits)) return;
	const counts = earlierChanges(deed);
	if (counts.has(countOf(deed))) return;
	const check = (what: 'changes' | 'harmful', most: number, name: string) => {
		const before = [...counts].reduce((sum, each) => sum + each[what], 0);
		if (deed[what] === 0 || before + deed[what] <= most) return;
		const asked = deed[what] === Infinity ? 'all sites' : String(deed[what]);
		const others =
			deed.execution === undefined
				? `, here for any ten minutes. In the last ten minutes ${before} were made`
				: `. This execution has already made ${before}`;
		throw refused(deed, `${name} is ${most}${others}, and this request would make ${asked} more`);
	};
	check('changes', limits.maxChanges, 'Changes per Execution');
	check('harmful', limits.maxHarmful, 'Harmful Changes per Execution');
	counts.add(countOf(deed));
}

/** Removes a change that the service has rejected or never received from the count. */
export const uncount = (deed: Deed): void => void counted.get(keyOf(deed))?.delete(countOf(deed));
