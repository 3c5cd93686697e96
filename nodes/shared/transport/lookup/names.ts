import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Reference } from '../../input/id';
import { Named, referencesIn, SiteUrl, withoutReferences } from '../../input/id';
import type { NamedId } from '../../input/named';
import { shown } from '../../input/refusal';
import type { Operation } from '../../operation';
import type { CallContext } from '../../n8n/context';
import { nearest } from './nearest';
import { Once } from '../run/once';
import { listAll, listPage } from '../http/paging';
import { recordOf } from '../http/record';
import { Run } from '../run/run';
import { findSite } from './siteByUrl';

/** Records that can be named, and how one is found. */
interface Kind {
	/** What one is called: `tag`. */
	label: string;
	list: string;
	/** What it is called by; compared exactly. */
	names: (record: IDataObject) => unknown[];
	/** Whether it has an email, too, which is the same in upper and lower case. */
	hasEmail?: true;
	/** Queries that whoever is called so is in; undefined where the service has no filter for that. */
	queries: (text: string) => IDataObject[] | undefined;
	/** What a locator calls the mode in which it is named. */
	mode: string;
}

const contains = (field: string, text: string) => ({ [`filters[${field}:contains]`]: text });

const byName: Pick<Kind, 'names' | 'queries' | 'mode'> = {
	names: ({ name }) => [name],
	queries: (text) => [contains('name', text)],
	mode: 'By Name',
};

const byNameOrEmail: Omit<Kind, 'label' | 'list'> = {
	...byName,
	hasEmail: true,
	queries: (text) => [contains(text.includes('@') ? 'email' : 'name', text)],
	mode: 'By Name or Email',
};

const fullName = ({ first_name, last_name }: IDataObject) =>
	[first_name, last_name].filter(Boolean).join(' ');

/** Source of the filters: Part A, 4.2, 4.5, 4.7, 4.10, 4.12 and 4.13, and Part B, 4.1. */
const KINDS: Record<NamedId, Kind> = {
	clientId: {
		...byNameOrEmail,
		label: 'client',
		list: '/clients',
		names: (client) => [client.company_name, fullName(client)],
		queries: (text) => {
			const last = text.split(/\s+/).pop()!;
			// The search looks into one field at a time; the last word of a full name is in the last name.
			const isFull = last !== text;
			return [contains('search', text), ...(isFull ? [contains('last_name', last)] : [])];
		},
	},
	reportTemplateId: { ...byName, label: 'report template', list: '/report-templates' },
	scheduleId: { ...byName, label: 'schedule', list: '/auto-update-schedules' },
	senderEmailId: { ...byNameOrEmail, label: 'sender email', list: '/sender-emails' },
	siteId: {
		label: 'site',
		list: '/sites',
		names: ({ title }) => [title],
		queries: () => undefined,
		mode: 'By Title',
	},
	tagId: { ...byName, label: 'tag', list: '/tags' },
	teamMemberId: { ...byNameOrEmail, label: 'team member', list: '/team-members' },
};

const folded = (value: unknown) =>
	String(value ?? '')
		.trim()
		.normalize('NFC');

const isHttp = (text: string) => /^https?:\/\//i.test(text);

/** The address that a text may be; `Production` could be a host, too. */
const addressIn = ({ of, by, text }: Named) =>
	of === 'siteId' && by === 'any' && (isHttp(text) || /^[^\s@]*\.[^\s@]*$/.test(text))
		? SiteUrl.parse(text)
		: undefined;

/** The records that are meant: the one with that ID, else those at that address, else those that are called so. */
function fitting(records: IDataObject[], wanted: Named): IDataObject[] {
	const { of, text, by } = wanted;
	const { names, hasEmail } = KINDS[of];
	const found = [...new Map(records.map((each) => [String(each.id), each])).values()];
	const one = by === 'name' ? [] : found.filter(({ id }) => String(id) === text);
	if (one.length > 0 || by === 'id') return one;
	const address = addressIn(wanted);
	const there = address ? found.filter(({ url }) => address.isOf(SiteUrl.parse(url))) : [];
	if (there.length > 0 || isHttp(text)) return there;
	const isEmail = ({ email }: IDataObject) =>
		hasEmail === true && folded(email).toLowerCase() === folded(text).toLowerCase();
	return found.filter(
		(record) => isEmail(record) || names(record).some((name) => folded(name) === folded(text)),
	);
}

/** Characters that no ID has; what is looked for by ID stands in a path. */
const NO_ID = /[\s%\\;?#/@]|^\.+$/u;

/** What has been read of a list. */
interface Listed {
	records: IDataObject[];
	isWhole: boolean;
}

/** One look at a list, for all that is named in a run. */
class NameSearch {
	private readonly read = new Once();

	/** How many requests with a filter it was asked for. */
	private asked = 0;

	constructor(
		private readonly context: CallContext,
		private readonly kind: Kind,
	) {}

	/**
	 * Records in which all that may be meant are. A short list is read as a whole; a long one is asked by filters, until
	 * that has cost as much as the whole.
	 * @param among how many are looked for at the same time
	 */
	async about(wanted: Named, among: number): Promise<Listed> {
		const first = await this.first();
		if (first.isWhole) return first;
		const { queries, byId } = this.filtersFor(wanted);
		const cost = queries.length + (byId ? 1 : 0);
		if (this.asked + cost * among > first.pages) return await this.whole();
		this.asked += cost;
		const found = await Promise.all([
			...queries.map(async (qs) => await this.some(qs)),
			...(byId ? [this.withId(wanted.text)] : []),
		]);
		const records = [...found.flat(), ...first.records];
		const isKnown = fitting(records, wanted).length > 0;
		return isKnown || this.isEnough(wanted) ? { records, isWhole: false } : await this.whole();
	}

	/** Whether who is not found by filters is not there. */
	private isEnough({ by, text }: Named): boolean {
		return by === 'id' || isHttp(text) || this.kind.queries(text) !== undefined;
	}

	private filtersFor(wanted: Named): { queries: IDataObject[]; byId: boolean } {
		const { by, text, of } = wanted;
		const mayBeId = by !== 'name' && !NO_ID.test(text);
		const address = addressIn(wanted);
		const isSite = of === 'siteId';
		return {
			queries: [
				...(isSite && mayBeId ? [{ 'filters[id:eq]': text }] : []),
				...(address ? [contains('url', address.host)] : []),
				...((by !== 'id' && this.kind.queries(text)) || []),
			],
			byId: !isSite && mayBeId,
		};
	}

	private async first(): Promise<Listed & { pages: number }> {
		return await this.read.get('first', async () => {
			const list = { method: 'GET' as const, url: this.kind.list };
			const { records, totalPages } = await listPage(this.context, list, 1);
			return { records, isWhole: totalPages <= 1, pages: totalPages };
		});
	}

	private async whole(): Promise<Listed> {
		return { records: await this.some({}), isWhole: true };
	}

	private async some(qs: IDataObject): Promise<IDataObject[]> {
		const list = { method: 'GET' as const, url: this.kind.list, qs };
		return await this.read.get(JSON.stringify(qs), async () => await listAll(this.context, list));
	}

	private async withId(id: string): Promise<IDataObject[]> {
		return await this.read.get(`id ${id}`, async () => {
			const path = `${this.kind.list}/${encodeURIComponent(id)}`;
			return await recordOf(this.context, path).then((record) => [record], noRecord);
		});
	}
}

/** What the service answers to an ID that is none. */
const UNKNOWN = ['400', '404', '422'];

function noRecord(error: unknown): IDataObject[] {
	if (error instanceof NodeApiError && UNKNOWN.includes(error.httpCode ?? '')) return [];
	throw error;
}

/** How many names a message proposes. */
const PROPOSED = 10;

const keyOf = (of: NamedId) => `names of ${KINDS[of].list}`;

/** Finds ids: by what a run has read until now, or anew. */
export type Finder = (id: string | Reference, among?: number) => Promise<string>;

/** @param anew whether a site By URL that was found earlier in the run is looked up again */
export function finderFor(context: CallContext, anew = false): Finder {
	const looks = 'getItemIndex' in context ? Run.current(context).shared : new Once();
	return async (id, among = 1) => {
		if (typeof id === 'string') return id;
		if (id instanceof SiteUrl) return await findSite(context, id, anew);
		const look = await looks.get(keyOf(id.of), async () => new NameSearch(context, KINDS[id.of]));
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

/** Changes that give a record another name or another id, add one or take one away. */
const RENAMES = /^(POST|DELETE) (\/[a-z-]+)(\/\{\w+\})?(\/(update|delete|resend-invitation))?$/;

/** Whether the names that a run has read may be others after an operation. */
export const renames = ({ route }: Pick<Operation, 'route'>, of: NamedId) =>
	RENAMES.exec(route)?.[2] === KINDS[of].list;

/** Forgets the names that an operation may have changed. */
export function forgetNames(run: Run, operation: Operation): void {
	for (const of of Object.keys(KINDS) as NamedId[]) {
		if (renames(operation, of)) run.shared.forget(keyOf(of));
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
		const ids = found.map(({ id }) => String(id)).join(', ');
		return fail(
			`More than one ${label} ${called} ${shown(text)} ${where}: ${ids}`,
			'Use the ID of the one you mean.',
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
		.map(folded)
		.filter(Boolean);
	if (texts.length === 0) return isWhole ? '; there are none' : '';
	const all = nearest(text, texts, PROPOSED).map(shown).join(', ');
	return isWhole && texts.length <= PROPOSED
		? `; available: ${all}`
		: `; available, among others: ${all}`;
}
