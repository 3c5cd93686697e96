import type { NamedSites } from './content';
import { addedEffects, contentOf, countIn, sitesIn } from './content';
import type { Effect } from './effects';
import { effectTexts, HARMFUL } from './effects';
import type { Limits } from './limits';
import type { RequestToSign, Path } from './target';
import { checkTransport, pathOf, Refused } from './target';

/** What the signer knows of an operation. */
export interface Rule {
	effects: readonly Effect[];
	/** Whether passwords are in its answer. */
	hasSecrets: boolean;
}

export type Rules = ReadonlyMap<string, Rule>;

/** What the transport of this package has made sure of, and the signer cannot see for itself. */
export interface Vouched {
	/** What messages call the credential. */
	by?: string;
	/** The sites that have one of the tags of Only Tags. */
	tagged?: readonly string[];
	/** That the record which the path is about, or the destination, belongs to allowed sites. */
	sitesAreAllowed?: boolean;
	/** How many entries of lists an update drops. */
	dropped?: number;
	/** That passwords are taken out of the answer. */
	blanksSecrets?: boolean;
	/** That the service itself points there, for a file that may be read. */
	isFollowed?: boolean;
	/** That the service has refused it before by its rate limit: it is not counted once more. */
	isRepeated?: boolean;
	execution?: string;
}

/** Where the transport puts it among the options of a request: other nodes can set texts there alone. */
export const VOUCHED: unique symbol = Symbol.for('n8n-nodes-site-management.vouched') as never;

/** What a request does to what. */
export interface Deed {
	verb: string;
	path: Path;
	/** By its operation and its body; undefined where it is none of the operations that are known. */
	effects?: ReadonlySet<Effect>;
	hasSecrets: boolean;
	sites: NamedSites;
	count: number;
	/** Whether its body could be read. */
	isRead: boolean;
}

/**
 * What a request does, seen from the whole of it.
 * @throws Refused where it leaves the service or is disguised
 */
export function deedOf(asked: RequestToSign, base: URL, rules: Rules): Deed {
	checkTransport(asked);
	const path = pathOf(asked, base);
	const verb = String(asked.method ?? 'GET').toUpperCase();
	const found = path.isOdd ? [] : rulesFor(rules, verb, path.segments);
	const content = contentOf(asked);
	return {
		verb,
		path,
		effects: found.length
			? new Set([...found.flatMap(({ effects }) => effects), ...addedEffects(content ?? [])])
			: undefined,
		hasSecrets: found.some(({ hasSecrets }) => hasSecrets),
		sites: sitesIn(content ?? []),
		count: countIn(content ?? []),
		isRead: content !== undefined,
	};
}

const patterns = new WeakMap<Rules, Array<{ verb: string; segments: string[]; rule: Rule }>>();

/** Made once: every request that is signed is compared with them. */
function rulesFor(rules: Rules, verb: string, segments: string[]): Rule[] {
	let all = patterns.get(rules);
	if (!all) {
		all = [...rules].map(([route, rule]) => {
			const [method, path] = route.toLowerCase().split(' ') as [string, string];
			return { verb: method.toUpperCase(), segments: path.split('/').filter(Boolean), rule };
		});
		patterns.set(rules, all);
	}
	const asked = verb === 'HEAD' ? 'GET' : verb;
	return all
		.filter(
			(each) =>
				each.verb === asked &&
				each.segments.length === segments.length &&
				each.segments.every((part, index) => part.startsWith('{') || part === segments[index]),
		)
		.map(({ rule }) => rule);
}

/** What a person can do about a limit. */
export const ACCESS_TODO =
	'Nothing was sent. Use a credential that allows it, or ask whoever owns this one to change its limits.';

const isOpen = ({ effects, only }: Limits) =>
	!only && effects.size === Object.keys(effectTexts).length;

/** Whether a credential allows whatever has these effects. */
export const missing = ({ effects }: Limits, needed: Iterable<Effect>): Effect | undefined =>
	[...needed].find((effect) => !effects.has(effect));

/** Why something is not allowed, as a clause. */
export const whyNot = ({ access }: Limits, effect: Effect): string =>
	access === 'Selected'
		? `its Access does not include "${effectTexts[effect].name}"`
		: `its Access is ${access}`;

/**
 * Refuses what the limits of a credential do not allow.
 * @param what such as `POST /tags`
 * @throws Refused
 */
export function checkLimits(limits: Limits, deed: Deed, what: string, vouched: Vouched = {}): void {
	if (isOpen(limits) || (vouched.isFollowed && deed.verb === 'GET')) return;
	const refuse = (why: string): never => {
		throw new Refused(`${what} is not allowed by ${limits.by}: ${why}`, ACCESS_TODO);
	};
	if (!deed.effects)
		return refuse(`this package does not know the operation, and ${limitedBy(limits)}`);
	if (!deed.isRead) return refuse(`its body cannot be checked. Send it as JSON`);
	const lacking = missing(limits, deed.effects);
	if (lacking) return refuse(whyNot(limits, lacking));
	if (deed.hasSecrets && !limits.effects.has('givesAccess') && !vouched.blanksSecrets) {
		return refuse(`its response can contain passwords, and ${whyNot(limits, 'givesAccess')}`);
	}
	if (limits.only) checkSites(limits.only, deed, vouched, refuse);
}

const limitedBy = ({ only, access }: Limits) =>
	only ? 'its Sites are limited' : `its Access is ${access}`;

/** Records that belong to sites without naming them in the path. */
const OF_SITES = [
	'auto-update-schedules',
	'reports',
	'scheduled-reports',
	'staging-sites',
	'tasks',
];

/** Those that matter for their list of sites alone. */
const WITH_SITES = ['clients', 'team-members'];

/** The path of the record whose sites have to be looked at, where the request does not name them. */
export function recordToLookAt({ verb, path, sites }: Deed): string | undefined {
	const [collection = '', id, ...rest] = path.segments;
	if (id === undefined || (verb !== 'GET' && id === 'delete')) return undefined;
	const isChange = verb !== 'GET' && verb !== 'HEAD';
	const matters =
		(OF_SITES.includes(collection) && (isChange || collection === 'staging-sites')) ||
		(WITH_SITES.includes(collection) &&
			rest[0] === 'update' &&
			(sites.all || sites.ids.length > 0));
	return matters ? `/${collection}/${path.given[1]!}` : undefined;
}

type Only = NonNullable<Limits['only']>;

/** @throws Refused what `refuse` makes of it */
export function checkSites(
	{ sites: listed, tags }: Only,
	deed: Deed,
	vouched: Vouched,
	refuse: (why: string) => never,
): void {
	const [collection, id] = deed.path.segments;
	const isBelowSite = collection === 'sites' && id !== undefined;
	if (isBelowSite && tags.length > 0 && !vouched.tagged) {
		return refuse('it has Only Tags, which only the nodes of this package can check');
	}
	const allowed = new Set([...listed, ...(vouched.tagged ?? [])].map((each) => each.toLowerCase()));
	const named = [...(isBelowSite ? [id] : []), ...deed.sites.ids];
	const other = named.find((each) => !allowed.has(each));
	if (other !== undefined) return refuse(`the site ${other} is not in its Only Sites`);
	if (deed.sites.all) return refuse('the request is for all sites, and its Sites are limited');
	const needsLook = deed.sites.destination ?? recordToLookAt(deed);
	if (needsLook !== undefined && !vouched.sitesAreAllowed) {
		return refuse('the sites that the request is for are unknown. Use a node of this package');
	}
	const isChange = !deed.effects?.has('reads');
	const isElsewhere = named.length === 0 && needsLook === undefined;
	const isForSites =
		OF_SITES.includes(collection ?? '') ||
		collection === 'sites' ||
		deed.effects?.has('changesSites');
	if (isChange && isElsewhere && isForSites) {
		return refuse('the request names no site, and its Sites are limited');
	}
}

/** How many changes a request is, and how many harmful ones: what an update drops from a list counts as destroyed. */
export function weightOf(
	{ verb, effects, count }: Deed,
	{ dropped = 0 }: Vouched,
): { changes: number; harmful: number } {
	if (['GET', 'HEAD'].includes(verb)) return { changes: 0, harmful: 0 };
	const isHarmful = !effects || HARMFUL.some((each) => effects.has(each));
	return { changes: count, harmful: Math.max(isHarmful ? count : 0, dropped) };
}
