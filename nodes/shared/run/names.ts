import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Reference } from '../input/id';
import { Named, referencesIn, SiteUrl, withoutReferences } from '../input/id';
import { siteByUrl } from '../input/convert';
import type { NamedId } from '../input/field';
import { shown } from '../input/refusal';
import { nameForm } from '../lib/texts';
import { perRecord } from '../lib/records';
import type { Operation, Resource } from '../operation';
import { withAddresses } from '../receive/messages';
import type { CallContext } from '../n8n/context';
import { Once, sharedReads } from '../client/sharedReads';
import { listAll, listPage } from '../client/records';

/** A kind of records that can be found by name. */
interface Kind {
	/** Name of one such record, such as `tag`. */
	label: string;
	list: string;
	/** Names of a record; compared after `nameForm`. */
	names: (record: IDataObject) => unknown[];
	/** Whether it can also be found by email, ignoring case. */
	hasEmail?: true;
	/** Name of the locator's mode for names. */
	mode: string;
}

const byName: Pick<Kind, 'names' | 'mode'> = { names: ({ name }) => [name], mode: 'By Name' };

const byNameOrEmail: Omit<Kind, 'label' | 'list'> = {
	...byName,
	hasEmail: true,
	mode: 'By Name or Email',
};

const fullName = ({ first_name, last_name }: IDataObject) =>
	[first_name, last_name].filter(Boolean).join(' ');

/** Source: Part A, 4.2, 4.5, 4.7, 4.10, 4.12 and 4.13, and Part B, 4.1. */
const KINDS: Record<NamedId, Kind> = {
	clientId: {
		...byNameOrEmail,
		label: 'client',
		list: '/clients',
		names: (client) => [client.company_name, fullName(client)],
	},
	reportTemplateId: { ...byName, label: 'report template', list: '/report-templates' },
	scheduleId: { ...byName, label: 'schedule', list: '/auto-update-schedules' },
	senderEmailId: { ...byNameOrEmail, label: 'sender email', list: '/sender-emails' },
	siteId: { label: 'site', list: '/sites', names: ({ title }) => [title], mode: 'By Title' },
	tagId: { ...byName, label: 'tag', list: '/tags' },
	teamMemberId: { ...byNameOrEmail, label: 'team member', list: '/team-members' },
};

/** Names and email of a record, normalized for comparison. */
const formsIn = ({ names }: Kind) =>
	perRecord((record: IDataObject) => ({
		names: names(record).map(nameForm),
		email: nameForm(record.email).toLowerCase(),
	}));

const FORMS = Object.fromEntries(
	Object.entries(KINDS).map(([of, kind]) => [of, formsIn(kind)]),
) as Record<NamedId, ReturnType<typeof formsIn>>;

const isHttp = (text: string) => /^https?:\/\//i.test(text);

/** Parses a text as a site URL; it needs a dot, since `Production` could be a host too. */
const addressIn = ({ of, by, text }: Named) =>
	of === 'siteId' && by === 'any' && (isHttp(text) || /^[^\s@]*\.[^\s@]*$/.test(text))
		? SiteUrl.parse(text)
		: undefined;

/** Matching records by kind of match. */
type Matches = Record<'ID' | 'URL' | 'name', IDataObject[]>;

function matchesOf(records: IDataObject[], wanted: Named): Matches {
	const { of, text, by } = wanted;
	const { hasEmail } = KINDS[of];
	const forms = FORMS[of];
	const found = [...new Map(records.map((each) => [String(each.id), each])).values()];
	const form = nameForm(text);
	const address = addressIn(wanted);
	const hasName = (record: IDataObject) =>
		forms(record).names.includes(form) ||
		(hasEmail === true && forms(record).email === form.toLowerCase());
	return {
		ID:
			by === 'name' || isHttp(text)
				? []
				: found.filter(({ id }) => String(id) === text || (by === 'any' && String(id) === form)),
		URL: address ? found.filter((site) => address.isOf(SiteUrl.ofSite(site))) : [],
		name: by === 'id' || isHttp(text) || form === '' ? [] : found.filter(hasName),
	};
}

/** All matching records; a text can match one record by ID and another by name. */
const allMatches = (records: IDataObject[], wanted: Named): IDataObject[] => [
	...new Set(Object.values(matchesOf(records, wanted)).flat()),
];

/** Records read from a list. */
interface Listed {
	records: IDataObject[];
	isWhole: boolean;
}

/** Reads a list once for all names in a run. */
class NameSearch {
	private readonly read = new Once();

	/** Number of URLs requested. */
	private urlRequests = 0;

	constructor(
		private readonly context: CallContext,
		private readonly url: string,
	) {}

	/**
	 * Records that include all possible matches. No filter finds all spellings of a name, so the whole list is read.
	 * URLs are filtered until that costs as many requests as the list.
	 * @param among number of references looked up together
	 */
	async about({ text }: Named, among: number): Promise<Listed> {
		const { records, totalPages } = await this.firstPage();
		if (totalPages <= 1) return { records, isWhole: true };
		if (!isHttp(text) || this.urlRequests + among > totalPages) {
			return { records: await this.filtered({}), isWhole: true };
		}
		this.urlRequests += 1;
		const { there } = await siteByUrl(text).among(this.filtered);
		return { records: [...there, ...records], isWhole: false };
	}

	private readonly firstPage = async () =>
		await this.read.get(
			'first',
			async () => await listPage(this.context, { method: 'GET', url: this.url }, 1),
		);

	private readonly filtered = async (qs: IDataObject) =>
		await this.read.get(
			JSON.stringify(qs),
			async () => await listAll(this.context, { method: 'GET', url: this.url, qs }),
		);
}

const keyOf = (of: NamedId) => `names of ${KINDS[of].list}`;

/** Maximum names in a message. */
const MAX_PROPOSED = 10;

/** Finds the ID of a reference. */
export type Finder = (id: string | Reference, among?: number) => Promise<string>;

/** @param fresh whether to look up a site By URL again, even if the run has found it before */
export function finderFor(context: CallContext, fresh = false): Finder {
	const cache = sharedReads(context);
	return async (id, among = 1) => {
		if (typeof id === 'string') return id;
		if (id instanceof SiteUrl) return await findSite(context, id, fresh);
		const search = await cache.get(
			keyOf(id.of),
			async () => new NameSearch(context, KINDS[id.of].list),
		);
		const listed = await search.about(id, among);
		const found = allMatches(listed.records, id);
		if (found.length === 1) return String(found[0]!.id);
		throw notFound(context, id, found, listed);
	};
}

/** The ID of a reference; an ID is returned unchanged. @param fresh see `finderFor` */
export const resolveId = async (
	context: CallContext,
	id: string | Reference,
	fresh = false,
): Promise<string> => await finderFor(context, fresh)(id);

/** A copy of a value with IDs instead of references. */
export async function withIds(find: Finder, value: unknown): Promise<unknown> {
	const references = referencesIn(value);
	const ids = new Map<Reference, string>();
	await Promise.all(
		references.map(async (each) => void ids.set(each, await find(each, references.length))),
	);
	return withoutReferences(value, (each) => ids.get(each)!);
}

/** An operation with its resource. */
interface OfResource {
	resource: Resource;
	operation: Operation;
}

/** Whether an operation may change the names that a run has read. */
export const renames = ({ resource, operation }: OfResource, of: NamedId) =>
	operation.renames === true && of === `${resource.value}Id`;

/** Forgets the names that an operation may have changed. */
export function forgetNames(context: CallContext, chosen: OfResource): void {
	for (const of of Object.keys(KINDS) as NamedId[]) {
		if (renames(chosen, of)) sharedReads(context).forget(keyOf(of));
	}
}

/** Error for a name that matches no record or several; no change has been sent. */
function notFound(
	context: CallContext,
	wanted: Named,
	found: IDataObject[],
	listed: Listed,
): NodeOperationError {
	const { of, text, by, parameter } = wanted;
	const { label, mode } = KINDS[of];
	const where = `(parameter "${parameter}")`;
	const fail = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, {
			itemIndex: 'getItemIndex' in context ? context.getItemIndex() : undefined,
			description: `Nothing was sent. ${description}`,
		});
	const called = isHttp(text) ? 'has the URL' : 'is called';
	if (found.length > 1) {
		const matches = Object.entries(matchesOf(found, wanted)).filter(([, all]) => all.length > 0);
		// A match by ID shows its name, since its ID is the text itself.
		const labelOf = (way: string, record: IDataObject) =>
			way === 'ID'
				? shown(KINDS[of].names(record).find(Boolean) ?? record.id)
				: withAddresses([record]);
		const ways = matches.map(
			([way, all]) => `the ${way} of ${all.map((each) => labelOf(way, each)).join(', ')}`,
		);
		return fail(
			`More than one ${label} ${called} ${shown(text)} ${where}: ${matches.length > 1 ? `it is ${ways.join(' and ')}` : withAddresses(found)}`,
			matches.length > 1
				? `In a list, use the other name or ID in this message. For a single ${label}, choose By ID or ${mode}.`
				: 'Use the ID of the one you mean.',
		);
	}
	if (by === 'id') {
		const [other] = allMatches(listed.records, new Named(of, text, 'name', parameter));
		const is = other ? `; it is the name of ${String(other.id)}` : '';
		return fail(
			`No ${label} has the ID ${shown(text)} ${where}${is}`,
			`To use the name of a ${label}, choose ${mode}.`,
		);
	}
	const [other] =
		by === 'name' ? allMatches(listed.records, new Named(of, text, 'id', parameter)) : [];
	return fail(
		`No ${label} ${called} ${shown(text)} ${where}${other ? '; it is an ID. Choose By ID' : availableNames(wanted, listed)}`,
		'Names must match exactly, including upper and lower case.',
	);
}

/** Existing names, the most similar first. */
function availableNames({ of, text }: Named, { records, isWhole }: Listed): string {
	const { names, hasEmail } = KINDS[of];
	const texts = records
		.flatMap((record) =>
			isHttp(text)
				? [record.url]
				: [...names(record), ...(hasEmail && text.includes('@') ? [record.email] : [])],
		)
		.map(nameForm)
		.filter(Boolean);
	if (texts.length === 0) return isWhole ? '; there are none' : '';
	const all = nearest(text, texts, MAX_PROPOSED).map(shown).join(', ');
	return isWhole && texts.length <= MAX_PROPOSED
		? `; available: ${all}`
		: `; available, among others: ${all}`;
}

/** Characters of a name that are compared. */
const MAX_COMPARED = 60;

const comparable = (text: string) => text.slice(0, MAX_COMPARED).toLowerCase();

/** Levenshtein distance: characters to add, remove or change to turn one text into the other. */
function distance(one: string, other: string): number {
	let above = Array.from({ length: other.length + 1 }, (_, column) => column);
	for (let line = 1; line <= one.length; line++) {
		const row = [line];
		for (let column = 1; column <= other.length; column++) {
			const isSame = one[line - 1] === other[column - 1];
			row.push(
				Math.min(above[column]! + 1, row[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1)),
			);
		}
		above = row;
	}
	return above[other.length]!;
}

/** The most similar names, the nearest first, each once. */
export function nearest(text: string, names: string[], count: number): string[] {
	const wanted = comparable(text);
	return [...new Set(names)]
		.map((name) => ({ name, far: distance(wanted, comparable(name)) }))
		.sort((a, b) => a.far - b.far || a.name.localeCompare(b.name))
		.slice(0, count)
		.map(({ name }) => name);
}

/** Sites at an address. @param fresh whether to bypass the cache of the run */
export const sitesAt = async (context: CallContext, wanted: SiteUrl, fresh: boolean) =>
	(await wanted.among(async (query) => await sitesBy(context, query, fresh))).there;

/**
 * ID of the site with exactly this host and path.
 * @throws NodeOperationError when no site or more than one matches
 */
export async function findSite(
	context: CallContext,
	wanted: SiteUrl,
	fresh: boolean,
): Promise<string> {
	const itemIndex = 'getItemIndex' in context ? context.getItemIndex() : undefined;
	const fail = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	const { there, onHost } = await wanted.among(
		async (query) => await sitesBy(context, query, fresh),
	);
	const [match] = there;
	if (!match) {
		const others = onHost.map(({ url }) => String(url)).join(', ');
		throw fail(
			`No site with the URL ${shown(wanted.text)} was found`,
			others
				? `The path must match as well. Sites on this host: ${others}.`
				: 'The host must match exactly. staging.example.com is different from example.com.',
		);
	}
	if (there.length > 1) {
		throw fail(
			`More than one site has the URL ${shown(wanted.text)}`,
			`Choose one of them by ID: ${withAddresses(there)}.`,
		);
	}
	return String(match.id);
}

/** Sites matching a filter; cached for the items of a run, unless `fresh`. */
async function sitesBy(
	context: CallContext,
	qs: IDataObject,
	fresh: boolean,
): Promise<IDataObject[]> {
	const read = async () => await listAll(context, { method: 'GET', url: '/sites', qs });
	return 'getItemIndex' in context && !fresh
		? await sharedReads(context).get(`sites ${JSON.stringify(qs)}`, read)
		: await read();
}
