import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { siteByUrl } from '../input/convert';
import type { Reference } from '../input/id';
import { Named, referencesIn, SiteUrl, withoutReferences } from '../input/id';
import type { NamedId } from '../input/field';
import { shown } from '../input/refusal';
import { nameForm } from '../lib/texts';
import { perRecord } from '../lib/records';
import type { Operation, Resource } from '../operation';
import { withAddresses } from '../receive/messages';
import type { CallContext } from '../n8n/context';
import { Once, sharedReads } from '../client/sharedReads';
import { listAll, listPage } from '../client/paging';

/** Records that can be named. */
interface Kind {
	/** What one is called: `tag`. */
	label: string;
	list: string;
	/** What it is called by; compared as `nameForm` has it. */
	names: (record: IDataObject) => unknown[];
	/** Whether it has an email, too, which is the same in upper and lower case. */
	hasEmail?: true;
	/** What a locator calls the mode in which it is named. */
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

/** What a record of a kind is called, in the form in which names are compared. */
const formsIn = ({ names }: Kind) =>
	perRecord((record: IDataObject) => ({
		names: names(record).map(nameForm),
		email: nameForm(record.email).toLowerCase(),
	}));

const FORMS = Object.fromEntries(
	Object.entries(KINDS).map(([of, kind]) => [of, formsIn(kind)]),
) as Record<NamedId, ReturnType<typeof formsIn>>;

const isHttp = (text: string) => /^https?:\/\//i.test(text);

/** The address that a text may be; `Production` could be a host, too. */
const addressIn = ({ of, by, text }: Named) =>
	of === 'siteId' && by === 'any' && (isHttp(text) || /^[^\s@]*\.[^\s@]*$/.test(text))
		? SiteUrl.parse(text)
		: undefined;

/** What may be meant, by each of the ways in which it may be. */
type Meant = Record<'ID' | 'URL' | 'name', IDataObject[]>;

function meantBy(records: IDataObject[], wanted: Named): Meant {
	const { of, text, by } = wanted;
	const { hasEmail } = KINDS[of];
	const forms = FORMS[of];
	const found = [...new Map(records.map((each) => [String(each.id), each])).values()];
	const form = nameForm(text);
	const address = addressIn(wanted);
	const isCalled = (record: IDataObject) =>
		forms(record).names.includes(form) ||
		(hasEmail === true && forms(record).email === form.toLowerCase());
	return {
		ID:
			by === 'name' || isHttp(text)
				? []
				: found.filter(({ id }) => String(id) === text || (by === 'any' && String(id) === form)),
		URL: address ? found.filter((site) => address.isOf(SiteUrl.ofSite(site))) : [],
		name: by === 'id' || isHttp(text) || form === '' ? [] : found.filter(isCalled),
	};
}

/** All that may be meant: where a text can be an ID and a name, both are. */
const fitting = (records: IDataObject[], wanted: Named): IDataObject[] => [
	...new Set(Object.values(meantBy(records, wanted)).flat()),
];

/** What has been read of a list. */
interface Listed {
	records: IDataObject[];
	isWhole: boolean;
}

/** One look at a list, for all that is named in a run. */
class NameSearch {
	private readonly read = new Once();

	/** How many URLs it was asked for. */
	private asked = 0;

	constructor(
		private readonly context: CallContext,
		private readonly url: string,
	) {}

	/**
	 * Records in which all that may be meant are. A name can be spelled in ways that no filter finds, so the list is read
	 * as a whole; URLs are asked for, until that has cost as much.
	 * @param among how many are looked for at the same time
	 */
	async about({ text }: Named, among: number): Promise<Listed> {
		const { records, totalPages } = await this.first();
		if (totalPages <= 1) return { records, isWhole: true };
		if (!isHttp(text) || this.asked + among > totalPages) {
			return { records: await this.some({}), isWhole: true };
		}
		this.asked += 1;
		const { there } = await siteByUrl(text).among(this.some);
		return { records: [...there, ...records], isWhole: false };
	}

	private readonly first = async () =>
		await this.read.get(
			'first',
			async () => await listPage(this.context, { method: 'GET', url: this.url }, 1),
		);

	private readonly some = async (qs: IDataObject) =>
		await this.read.get(
			JSON.stringify(qs),
			async () => await listAll(this.context, { method: 'GET', url: this.url, qs }),
		);
}

const keyOf = (of: NamedId) => `names of ${KINDS[of].list}`;

/** How many names a message proposes. */
const PROPOSED = 10;

/** Finds ids: by what a run has read until now, or anew. */
export type Finder = (id: string | Reference, among?: number) => Promise<string>;

/** @param anew whether a site By URL that was found earlier in the run is looked up again */
export function finderFor(context: CallContext, anew = false): Finder {
	const looks = sharedReads(context);
	return async (id, among = 1) => {
		if (typeof id === 'string') return id;
		if (id instanceof SiteUrl) return await findSite(context, id, anew);
		const look = await looks.get(
			keyOf(id.of),
			async () => new NameSearch(context, KINDS[id.of].list),
		);
		const listed = await look.about(id, among);
		const found = fitting(listed.records, id);
		if (found.length === 1) return String(found[0]!.id);
		throw notFound(context, id, found, listed);
	};
}

/** An id as it is, or the one of what is named. @param anew see `finderFor` */
export const resolveId = async (
	context: CallContext,
	id: string | Reference,
	anew = false,
): Promise<string> => await finderFor(context, anew)(id);

/** The same with ids in the place of all that is named in it. */
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

/** Whether the names that a run has read may be others after an operation. */
export const renames = ({ resource, operation }: OfResource, of: NamedId) =>
	operation.renames === true && of === `${resource.value}Id`;

/** Forgets the names that an operation may have changed. */
export function forgetNames(context: CallContext, chosen: OfResource): void {
	for (const of of Object.keys(KINDS) as NamedId[]) {
		if (renames(chosen, of)) sharedReads(context).forget(keyOf(of));
	}
}

/** The error for a name that nobody has, or that several have; nothing has been sent that changes anything. */
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
		const meant = Object.entries(meantBy(found, wanted)).filter(([, all]) => all.length > 0);
		// The ID of the first is the text itself, and tells nothing.
		const told = (way: string, record: IDataObject) =>
			way === 'ID'
				? shown(KINDS[of].names(record).find(Boolean) ?? record.id)
				: withAddresses([record]);
		const ways = meant.map(
			([way, all]) => `the ${way} of ${all.map((each) => told(way, each)).join(', ')}`,
		);
		return fail(
			`More than one ${label} ${called} ${shown(text)} ${where}: ${meant.length > 1 ? `it is ${ways.join(' and ')}` : withAddresses(found)}`,
			meant.length > 1
				? `In a list, use the other name or ID in this message. For a single ${label}, choose By ID or ${mode}.`
				: 'Use the ID of the one you mean.',
		);
	}
	if (by === 'id') {
		const [other] = fitting(listed.records, new Named(of, text, 'name', parameter));
		const is = other ? `; it is the name of ${String(other.id)}` : '';
		return fail(
			`No ${label} has the ID ${shown(text)} ${where}${is}`,
			`To use the name of a ${label}, choose ${mode}.`,
		);
	}
	const [other] =
		by === 'name' ? fitting(listed.records, new Named(of, text, 'id', parameter)) : [];
	return fail(
		`No ${label} ${called} ${shown(text)} ${where}${other ? '; it is an ID. Choose By ID' : proposed(wanted, listed)}`,
		'Names must match exactly, including upper and lower case.',
	);
}

/** The names that there are. */
function proposed({ of, text }: Named, { records, isWhole }: Listed): string {
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
	const all = nearest(text, texts, PROPOSED).map(shown).join(', ');
	return isWhole && texts.length <= PROPOSED
		? `; available: ${all}`
		: `; available, among others: ${all}`;
}

/** So many characters of a name are compared. */
const COMPARED = 60;

const compared = (text: string) => text.slice(0, COMPARED).toLowerCase();

/** How many letters have to be added, removed or changed to make one text of the other. */
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

/** The names that are most like a text, the nearest first, each once. */
export function nearest(text: string, names: string[], count: number): string[] {
	const wanted = compared(text);
	return [...new Set(names)]
		.map((name) => ({ name, far: distance(wanted, compared(name)) }))
		.sort((a, b) => a.far - b.far || a.name.localeCompare(b.name))
		.slice(0, count)
		.map(({ name }) => name);
}

/** The sites at an address. @param anew whether what was read earlier in the run is of no use */
export const sitesAt = async (context: CallContext, wanted: SiteUrl, anew: boolean) =>
	(await wanted.among(async (query) => await sitesBy(context, query, anew))).there;

/**
 * The id of the site with exactly this host and path.
 * @throws NodeOperationError when no site or more than one matches
 */
export async function findSite(
	context: CallContext,
	wanted: SiteUrl,
	anew: boolean,
): Promise<string> {
	const itemIndex = 'getItemIndex' in context ? context.getItemIndex() : undefined;
	const fail = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	const { there, onHost } = await wanted.among(
		async (query) => await sitesBy(context, query, anew),
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

/** Sites by a filter; asked for once in a run that only reads, however many items name them. */
async function sitesBy(
	context: CallContext,
	qs: IDataObject,
	anew: boolean,
): Promise<IDataObject[]> {
	const read = async () => await listAll(context, { method: 'GET', url: '/sites', qs });
	return 'getItemIndex' in context && !anew
		? await sharedReads(context).get(`sites ${JSON.stringify(qs)}`, read)
		: await read();
}
