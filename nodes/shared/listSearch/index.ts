import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeType } from 'n8n-workflow';
import { hasExpression, isBlank } from '../input/field';
import { heldIn, Named } from '../input/id';
import { siteByUrl, toId, toNamed } from '../input/convert';
import { byName } from '../input/kinds';
import { type LoaderName, locators, type SearchName } from '../input/locators';
import { naming } from '../input/refusal';
import { finderFor } from '../run/names';
import { caselessForm, MINUTE_MS, perRecord, recordIn, spellings } from '../lib';
import { Once, operationError } from '../n8n/context';
import { clientName } from '../resources/outputs';
import { EVER, GOOD, scanOf } from '../vocabulary/snapshots';
import { taskTypeName } from '../vocabulary/values';
import { listAll, listPage, listUpTo, listWhole } from '../client/records';
import { accountOf } from '../client/request';
import type { Limiter } from '../client/limiter';
import { shownAt } from '../client/allowed';

/** Records per page. Scrolling loads the next page. */
const PER_PAGE = 50;

type Methods = NonNullable<INodeType['methods']>;

type Search = NonNullable<Methods['listSearch']>[string];

type Loader = NonNullable<Methods['loadOptions']>[string];

/** The label of a record as `first (second)`, without what is missing, and the link that the editor shows. */
type Label = (record: IDataObject) => [first: unknown, second?: unknown, link?: unknown];

const text = (value: unknown) => String(value ?? '');

/** `2026-03-01 12:00 UTC`; other text stays unchanged. */
const minute = (time: unknown) => {
	const parsed = DateTime.fromISO(String(time), { zone: 'utc' });
	return parsed.isValid ? `${parsed.toFormat('yyyy-MM-dd HH:mm')} UTC` : text(time);
};

/** Without scheme, which would push the rest out of the panel, and without slashes at the end. */
const address = (url: unknown) =>
	text(url)
		.trim()
		.replace(/^https?:\/\//i, '')
		.replace(/\/+$/, '');

const siteOf = ({ site }: IDataObject) => address(recordIn(site).url);

const labels = {
	client: ({ first_name, last_name, company_name, email }) => [
		company_name || [first_name, last_name].filter(Boolean).join(' '),
		email,
	],
	customWork: ({ title, performed_on }) => [title, performed_on],
	file: ({ path, name, modified_at }) => [path || name, minute(modified_at)],
	note: ({ content, created_at }) => [text(content).slice(0, 60), minute(created_at)],
	page: ({ url }) => [url],
	named: ({ name }) => [name],
	person: ({ name, provider_label, email }) => [name || provider_label, email],
	report: (report) => [report.title, siteOf(report) || minute(report.created_at)],
	schedule: ({ name, schedule }) => [name, schedule],
	scheduledReport: (report) => [report.title, siteOf(report)],
	site: ({ title, url }) => [title, address(url), text(url)],
	// A client can take only a site that has none.
	siteOfClient: (site) => [
		site.title,
		[address(site.url), clientName(site)].filter(Boolean).join(', '),
	],
	snapshot: (snapshot) => {
		const hacked = scanOf(snapshot) === 'hacked' ? ', hacked' : '';
		return [minute(snapshot.created_at), `${text(snapshot.status)}${hacked}`];
	},
	stagingSite: ({ url, created_at }) => [url, minute(created_at)],
	task: ({ type, status, created_at }) => [
		`${taskTypeName(text(type))}, ${text(status)}, ${minute(created_at)}`,
	],
} satisfies Record<string, Label>;

type SearchResult = Awaited<ReturnType<Search>>;

type Row = SearchResult['results'][number];

function row(label: Label, record: IDataObject): Row & { value: string } {
	const [first, second, link] = label(record);
	const name = first && second ? `${text(first)} (${text(second)})` : text(first || second);
	return { name, value: text(record.id), ...(link !== undefined && { url: text(link) }) };
}

/** The ID of the site that is chosen in the node. @throws NodeOperationError without a usable choice */
async function chosenSite(context: ILoadOptionsFunctions): Promise<string> {
	const { held, mode } = heldIn(context.getCurrentNodeParameter('siteId'), {});
	if (isBlank(held) || hasExpression(held)) {
		throw operationError(
			context,
			'Choose a site first',
			'This list shows records of the site. If the site is an expression, enter the ID instead.',
		);
	}
	const { displayName } = locators.siteId;
	const id = naming(context, displayName, (): string | Named => {
		if (mode === 'url') return new Named('siteId', siteByUrl(held).text, mode, displayName);
		return mode === 'name' ? toNamed('siteId', held, displayName) : toId(held);
	});
	return typeof id === 'string' ? id : await finderFor(context)(id);
}

const NEWEST_FIRST = { sort: 'created_at,desc' };

/** Typed text up to the last slash is a folder, the rest a part of a name in it. */
const filesIn = (typed: string) => {
	const end = typed.lastIndexOf('/') + 1;
	const folder = typed.slice(0, end).replace(/^(\.?\/)?/, './');
	const name = typed.slice(end);
	return { ...(end > 0 && { path: folder }), ...(name && { 'filters[name:contains]': name }) };
};

/** The path of a list, also of a list of the chosen site. */
const pathOf = async (context: ILoadOptionsFunctions, url: string) =>
	url.includes('{siteId}')
		? url.replace('{siteId}', encodeURIComponent(await chosenSite(context)))
		: url;

interface List {
	path: string;
	label: Label;
}

/** One page of a list, as the service has it, for one or several queries. */
async function pageFor(
	context: ILoadOptionsFunctions,
	{ path, label }: List,
	queries: IDataObject[],
	paginationToken?: string,
): Promise<SearchResult> {
	const isShown = await shownAt(context, path);
	// The editor takes an empty page for the end of the list, so skip pages without allowed sites.
	for (let page = Number(paginationToken ?? 1); ; page++) {
		const reading = queries.map(async (query) => {
			const list = { url: path, qs: { ...isShown?.query, ...query } };
			return await listPage(context, list, page, { perPage: PER_PAGE });
		});
		const pages = await Promise.all(reading);
		const records = pages.flatMap((each) => each.records);
		const found = isShown ? records.filter(isShown) : records;
		const isLast = !pages.some(({ totalPages }) => page < totalPages);
		if (found.length === 0 && !isLast) continue;
		const rows = found.map((record) => row(label, record));
		return {
			results: [...new Map(rows.map((each) => [each.value, each])).values()],
			paginationToken: isLast ? undefined : String(page + 1),
		};
	}
}

/** Lists with more records than this are not read whole. */
const MAX_WHOLE = 1_000;

/** Lists by account, for a minute: each letter that is typed asks again. */
const keptOf = perRecord<Limiter, Once>(() => new Once(MINUTE_MS));

/** The newest records of a list. @param hasFilter whether a list that is too long is searched by the service */
async function newestRows(
	context: ILoadOptionsFunctions,
	{ path, label }: List,
	query: IDataObject,
	{ isOpening, hasFilter }: { isOpening: boolean; hasFilter: boolean },
) {
	const { limiter, limits } = await accountOf(context);
	const kept = keptOf(limiter);
	const key = JSON.stringify([path, query, limits.only]);
	const readNow = async () => {
		const isShown = await shownAt(context, path);
		const list = { url: path, qs: { ...isShown?.query, ...query } };
		const most = { max: MAX_WHOLE, isAllOrFirst: hasFilter };
		const { records, isCut } = await listUpTo(context, list, most);
		const found = isShown ? records.filter(isShown) : records;
		return { rows: found.map((record) => row(label, record)), isWhole: !isCut };
	};
	if (isOpening) kept.forget(key);
	return await kept.get(key, readNow);
}

interface Order {
	/** Whether the newest come first. @default by what the rows show */
	isByTime?: boolean;
	query?: IDataObject;
	/** The filter for a typed text in a list that is too long to be read, and what it looks into. */
	filter?: [name: string, what: string];
}

/** Fills a locator. A search finds what the rows show; where it cannot, a row says so. */
const listed = (
	url: string,
	label: Label,
	{ isByTime, query = NEWEST_FIRST, filter }: Order = {},
): Search =>
	async function (typed = '', paginationToken) {
		const list = { path: await pathOf(this, url), label };
		const part = address(typed);
		const wanted = caselessForm(part);
		const isOpening = !wanted && !paginationToken;
		if (isByTime && !wanted) return await pageFor(this, list, [query], paginationToken);
		const how = { isOpening, hasFilter: filter !== undefined };
		const { rows, isWhole } = await newestRows(this, list, query, how);
		if (!isWhole && (!wanted || filter)) {
			const queries = wanted
				? spellings(part).map((each) => ({ ...query, [`filters[${filter![0]}]`]: each }))
				: [query];
			const found = await pageFor(this, list, queries, paginationToken);
			return wanted ? withNotice(found, `only ${filter![1]} are searched`, paginationToken) : found;
		}
		const found = matching(rows, wanted);
		if (!isByTime) found.sort(byName);
		const from = Number(paginationToken ?? 0);
		const next = from + PER_PAGE;
		const shown = {
			results: found.slice(from, next),
			paginationToken: next < found.length ? String(next) : undefined,
		};
		return isWhole ? shown : withNotice(shown, 'only the newest are searched', paginationToken);
	};

const matching = (rows: Row[], wanted: string) =>
	rows.filter(({ name }) => caselessForm(name).includes(wanted));

/** A row without a value, as the editor has no other place for a text. */
const withNotice = (found: SearchResult, what: string, paginationToken: unknown) =>
	paginationToken
		? found
		: { ...found, results: [{ name: `More than 1,000: ${what}`, value: '' }, ...found.results] };

const latest = { name: 'Latest (Newest Complete Snapshot)', value: 'latest' };

/** Operations that refuse a snapshot that did not succeed: those of `fromGoodSnapshot`. */
const NEED_GOOD: unknown[] = ['create', 'migrate', 'restore', 'upload'];

const listSearch: Record<SearchName, Search> = {
	async searchBackupDestinations(typed = '') {
		const found = await listWhole(this, { url: '/backup-destinations' });
		const rows = found.map((each) => row(labels.person, each));
		return { results: matching(rows, caselessForm(typed)) };
	},
	searchClients: listed('/clients', labels.client, {
		filter: ['search:contains', 'names and emails'],
	}),
	searchCustomWorks: listed('/sites/{siteId}/custom-works', labels.customWork, { isByTime: true }),
	async searchFiles(typed, paginationToken) {
		const list = { path: await pathOf(this, '/sites/{siteId}/files'), label: labels.file };
		const queries = typed ? spellings(typed).map(filesIn) : [{}];
		return await pageFor(this, list, queries, paginationToken);
	},
	searchImportantPages: listed('/sites/{siteId}/important-pages', labels.page, { query: {} }),
	searchManagedAccounts: listed('/managed-accounts', labels.client, {
		filter: ['email:contains', 'emails'],
	}),
	searchNotes: listed('/sites/{siteId}/notes', labels.note, { isByTime: true }),
	searchReports: listed('/reports', labels.report, { isByTime: true }),
	searchReportTemplates: listed('/report-templates', labels.named),
	searchSchedules: listed('/auto-update-schedules', labels.schedule),
	searchScheduledReports: listed('/scheduled-reports', labels.scheduledReport),
	searchSenderEmails: listed('/sender-emails', labels.person),
	searchSites: listed('/sites', labels.site, { filter: ['url:contains', 'addresses'] }),
	/** The newest complete snapshot is the first row, and the only one if the site is an expression. */
	async searchSnapshots(typed, paginationToken) {
		const { held } = heldIn(this.getCurrentNodeParameter('siteId'), {});
		if (hasExpression(held)) return { results: [latest] };
		const needsGood = NEED_GOOD.includes(this.getCurrentNodeParameter('operation'));
		const query = { ...NEWEST_FIRST, ...EVER, ...(needsGood && { 'filters[status:eq]': GOOD }) };
		const search = listed('/sites/{siteId}/snapshots', labels.snapshot, { isByTime: true, query });
		const found = await search.call(this, typed, paginationToken);
		return paginationToken ? found : { ...found, results: [latest, ...found.results] };
	},
	searchStagingSites: listed('/staging-sites', labels.stagingSite, { isByTime: true }),
	searchTags: listed('/tags', labels.named, { filter: ['name:contains', 'names'] }),
	searchTasks: listed('/tasks', labels.task, { isByTime: true }),
	searchTeamMembers: listed('/team-members', labels.person),
};

/** All records of a list as options of a filter, by name. */
const all = (url: string, label: Label): Loader =>
	async function () {
		const records = await listAll(this, { url }, { keep: await shownAt(this, url) });
		return records.map((record) => row(label, record)).sort(byName);
	};

const loadOptions: Record<LoaderName, Loader> = {
	getClients: all('/clients', labels.client),
	getSchedules: all('/auto-update-schedules', labels.schedule),
	getSites: all('/sites', labels.siteOfClient),
	getTags: all('/tags', labels.named),
};

export const methods: Methods = { listSearch, loadOptions };
