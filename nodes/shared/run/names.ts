import type { IDataObject } from 'n8n-workflow';
import { distinct, isAddress, isHttp, Named, namedIn, SiteUrl } from '../input/id';
import { siteByUrl } from '../input/convert';
import type { NamedId } from '../input/field';
import { type LocatorName, recordLabel } from '../input/locators';
import { shown } from '../input/refusal';
import { caselessForm, nameForm, perRecord, recordIn } from '../lib';
import { type Composing, fillPath } from '../operation';
import { listPath, targets } from '../operation/targets';
import { withAddresses } from '../receive/messages';
import { type CallContext, isTool, Once, operationError, sharedReads } from '../n8n/context';
import { listAll, listPage, listUpTo, listWhole, recordOf } from '../client/records';

const namesIn = (of: NamedId, record: IDataObject): unknown[] =>
	of === 'clientId'
		? [record.company_name, [record.first_name, record.last_name].filter(Boolean).join(' ')]
		: [record[targets[of]!.name!]];

const hasEmail = (of: NamedId) => targets[of]!.email !== undefined;

/** All matching records: a text can be the ID of one, the URL of a second and the name of a third. */
function matching({ records, formsOf }: Listed, { of, text, by }: Named): IDataObject[] {
	const form = nameForm(text);
	const ids = by === 'name' || isHttp(text) ? [] : [text, ...(by === 'any' ? [form] : [])];
	const url = of === 'siteId' && by === 'any' && isAddress(text) ? SiteUrl.parse(text) : undefined;
	const canBeName = by !== 'id' && !isHttp(text) && form !== '';
	return records.filter((record) => {
		if (ids.includes(String(record.id)) || url?.isOf(SiteUrl.ofSite(record))) return true;
		const { names, email } = formsOf(record);
		return canBeName && (names.includes(form) || email === form.toLowerCase());
	});
}

/** Reads what can match: the whole list, since no filter finds all spellings; URLs are filtered while that costs less. */
function newSearch(context: CallContext, of: NamedId) {
	// Source: Part A, 4.2, 4.5, 4.7, 4.10, 4.12 and 4.13, and Part B, 4.1.
	const list = { url: listPath(targets[of]!) };
	const read = new Once();
	const urls = new Set<string>();
	const formsOf = perRecord((record: IDataObject) => ({
		names: namesIn(of, record).map(nameForm),
		email: hasEmail(of) ? caselessForm(record.email) : undefined,
	}));
	const filtered = async (qs: IDataObject) =>
		await read.get(JSON.stringify(qs), async () => await listAll(context, { ...list, qs }));
	return async (text: string, among: number) => {
		const readFirst = async () => await listPage(context, list, 1);
		const { records, totalPages } = await read.get('first', readFirst);
		if (totalPages <= 1) return { records, isWhole: true, formsOf };
		const isCheaper = urls.has(text) || urls.size + among <= totalPages;
		if (!isHttp(text) || !isCheaper) {
			return { records: await filtered({}), isWhole: true, formsOf };
		}
		urls.add(text);
		const { there } = await siteByUrl(text).among(filtered);
		const others = records.filter(({ id }) => there.every((site) => site.id !== id));
		return { records: [...there, ...others], isWhole: false, formsOf };
	};
}

/** Records read from a list, whether it was read completely, and what they are compared by. */
type Listed = Awaited<ReturnType<ReturnType<typeof newSearch>>>;

const keyOf = (id: string) => `names of ${id}`;

/** The search among the records of a kind, whose list is read once. @param reads the cache of a run or of one poll */
const searchFor = async (context: CallContext, of: NamedId, reads = sharedReads(context)) =>
	await reads.get(keyOf(of), async () => newSearch(context, of));

/** Kinds of records whose names are chosen here. */
const NAMED_HERE: NamedId[] = ['clientId', 'reportTemplateId', 'scheduleId', 'tagId'];

/** Refuses the name of a different record: a model that calls twice would make two of one name. */
export async function requireNewName({ context, ids, body }: Composing, id: string) {
	const of = NAMED_HERE.find((each) => each === id);
	const sent = recordIn(Object.values(body)[0]);
	const own = Object.values(ids).pop();
	const [name] = of ? namesIn(of, sent).filter(Boolean) : [];
	if (!of || name === undefined) return;
	const search = await searchFor(context, of);
	const { records } = await search(String(name), 1);
	const form = caselessForm(name);
	const found = records.filter((record) => namesIn(of, record).map(caselessForm).includes(form));
	const others = found.filter((record) => String(record.id) !== own);
	if (others.length === 0) return;
	const message = `A ${recordLabel(of)} called ${shown(name)} already exists: ${withAddresses(others)}. Use that one, or another name`;
	throw operationError(context, message, 'Nothing was sent.');
}

/** Returns the ID of a named record. @param among number of those that are looked up together */
type Finder = (named: Named, among?: number) => Promise<string>;

/** @param fresh whether to look up a site By URL again, even if the run has found it before */
export function finderFor(context: CallContext, fresh = false): Finder {
	const reads = sharedReads(context);
	return async (named, among = 1) => {
		const { of, text, by } = named;
		if (by === 'url') return await findSite(context, siteByUrl(text), fresh);
		const search = await searchFor(context, of, reads);
		const listed = await search(text, among);
		const found = matching(listed, named);
		if (found.length === 1) return String(found[0]!.id);
		throw notFound(context, named, found, listed);
	};
}

/** Replaces named records by IDs, in objects in place. A list keeps each ID once. */
export async function withIds(find: Finder, value: unknown): Promise<void> {
	const among = namedIn(value).length;
	// Most items name no record, and some have thousands of rows.
	if (among === 0) return;
	const replaced = async (part: unknown): Promise<unknown> => {
		if (part instanceof Named) return await find(part, among);
		if (namedIn(part).length === 0) return part;
		if (Array.isArray(part)) {
			const entries = await Promise.all(part.map(replaced));
			return part.some((each) => each instanceof Named) ? distinct(entries) : entries;
		}
		const holder = recordIn(part);
		for (const [key, each] of Object.entries(holder)) {
			Object.assign(holder, { [key]: await replaced(each) });
		}
		return holder;
	};
	await replaced(value);
}

/** Has the run read the list of an ID again: its names may have changed. */
export const forgetNames = (context: CallContext, id: string) =>
	sharedReads(context).forget(keyOf(id));

function notFound(context: CallContext, wanted: Named, found: IDataObject[], listed: Listed) {
	const { of, text, by, parameter } = wanted;
	const label = recordLabel(of);
	const mode = of === 'siteId' ? 'By Title' : hasEmail(of) ? 'By Name or Email' : 'By Name';
	const name = `${shown(text)} (parameter "${parameter}")`;
	const called = isHttp(text) ? 'has the URL' : 'is called';
	const fail = (message: string, todo: string) =>
		operationError(context, message, `Nothing was sent. ${todo}`);
	if (found.length > 1) {
		const isId = found.some(({ id }) => String(id) === text);
		const other = of === 'siteId' ? 'URL' : 'name';
		const choose = isTool(context)
			? `use its ${other}.`
			: `in a list, use its name. For a single ${label}, choose By ID or ${mode}.`;
		const todo = isId
			? `The text is the ID of one of them: ${choose}`
			: 'Use the ID of the one you mean.';
		return fail(`More than one ${label} ${called} ${name}: ${withAddresses(found)}`, todo);
	}
	const other = new Named(of, text, by === 'id' ? 'name' : 'id', parameter);
	const [mistaken] = matching(listed, other);
	if (by === 'id') {
		const isName = mistaken ? `; it is the name of ${String(mistaken.id)}` : '';
		const todo = `To use the name of a ${label}, choose ${mode}.`;
		return fail(`No ${label} has the ID ${name}${isName}`, todo);
	}
	const isId = '; it is an ID. Choose By ID';
	const hint = mistaken ? isId : available(context, text, textsOf(wanted, listed), listed.isWhole);
	const todo = 'Names must match exactly, including upper and lower case.';
	return fail(`No ${label} ${called} ${name}${hint}`, todo);
}

/** Names of the records, or their URLs or emails where the text is one. */
function textsOf({ of, text }: Named, { records }: Listed): string[] {
	const valuesOf = (record: IDataObject) => {
		if (isHttp(text)) return [record.url];
		const isEmail = hasEmail(of) && text.includes('@');
		return [...namesIn(of, record), ...(isEmail ? [record.email] : [])];
	};
	return records.flatMap(valuesOf).map(nameForm).filter(Boolean);
}

/** Existing names, the most similar first. @param isWhole whether these are all */
function available(context: CallContext, text: string, texts: string[], isWhole: boolean): string {
	if (texts.length === 0) return isWhole ? '; there are none' : '';
	// A model's error is cut in the middle, where more names would be.
	const most = isTool(context) ? 5 : 10;
	const all = nearest(text, texts, most).map(shown).join(', ');
	return `; available${isWhole && texts.length <= most ? '' : ', among others'}: ${all}`;
}

/** Pairs of neighbouring characters; each end counts as a space. */
function pairsOf(text: string): Set<string> {
	const padded = ` ${text.toLowerCase()} `;
	return new Set([...padded].map((_, at) => padded.slice(at, at + 2)));
}

/** The most similar names, each once: those that share the most pairs of characters with the text. */
export function nearest(text: string, names: string[], count: number): string[] {
	const wanted = pairsOf(text);
	const likeness = (name: string) => {
		const pairs = pairsOf(name);
		const common = [...pairs].filter((pair) => wanted.has(pair));
		return common.length / (pairs.size + wanted.size);
	};
	return [...new Set(names)]
		.map((name) => ({ name, like: likeness(name) }))
		.sort((a, b) => b.like - a.like || a.name.localeCompare(b.name))
		.slice(0, count)
		.map(({ name }) => name);
}

/** Sites on the host of a URL, and those at this address; cached for the items of a run, unless `fresh`. */
const sitesOn = async (context: CallContext, wanted: SiteUrl, fresh: boolean) =>
	await wanted.among(async (qs) => {
		const read = async () => await listAll(context, { url: '/sites', qs });
		return await sharedReads(context, fresh).get(`sites ${JSON.stringify(qs)}`, read);
	});

const MAX_NEAR = 1_000;

/** The most similar URLs of sites, for a message. */
async function neighbours(context: CallContext, { text }: SiteUrl): Promise<string> {
	const read = async () => await listUpTo(context, { url: '/sites' }, { max: MAX_NEAR });
	const found = await sharedReads(context)
		.get('URLs of sites', read)
		.catch(() => ({ records: [], isCut: true }));
	const urls = found.records.map(({ url }) => String(url));
	return available(context, text, urls, !found.isCut);
}

async function findSite(context: CallContext, wanted: SiteUrl, fresh: boolean): Promise<string> {
	const { there, onHost } = await sitesOn(context, wanted, fresh);
	if (there.length === 1) return String(there[0]!.id);
	const url = shown(wanted.text);
	if (there.length > 1) {
		const todo = `Choose one of them by ID: ${withAddresses(there)}.`;
		throw operationError(context, `More than one site has the URL ${url}`, todo);
	}
	const others = onHost.map((site) => String(site.url)).join(', ');
	const todo = others
		? `The path must match as well. Sites on this host: ${others}.`
		: 'The host must match exactly. staging.example.com is different from example.com.';
	const near = others ? '' : await neighbours(context, wanted);
	throw operationError(context, `No site with the URL ${url} was found${near}`, todo);
}

type Ids = Composing['ids'];

/** The record of an ID, read once per run. @param fresh whether to bypass this cache, as before a change */
export async function targetRecord(context: CallContext, id: LocatorName, ids: Ids, fresh = false) {
	const target = targets[id];
	if (!target) return undefined;
	if (!target.path.endsWith('}')) {
		const all = await wholeList(context, id, ids, fresh);
		return all.find((record) => String(record.id) === ids[id]);
	}
	const url = fillPath(target.path, ids);
	const read = async () => await recordOf(context, url, { alsoBy: target.alsoBy });
	return await sharedReads(context, fresh).get(`record ${url}`, read);
}

/** All records in the list of an ID, read once per run. @param fresh see `targetRecord` */
export async function wholeList(context: CallContext, id: LocatorName, ids: Ids, fresh = false) {
	const target = targets[id]!;
	const url = fillPath(listPath(target), ids);
	const readAll = target.isUnpaged ? listWhole : listAll;
	const read = async () => await readAll(context, { url });
	return await sharedReads(context, fresh).get(`list ${url}`, read);
}

/** Sites at the URL of an overwritten site; only the URL if it is outside the account. */
export async function overwritten(context: CallContext, url: IDataObject[string], fresh = false) {
	const wanted = SiteUrl.parse(url);
	const sites = wanted ? (await sitesOn(context, wanted, fresh)).there : [];
	return sites.length > 0 ? sites : [{ url }];
}
