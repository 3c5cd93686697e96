import { DateTime } from 'luxon';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { hasExpression, isBlank } from '../input/field';
import type { Reference } from '../input/id';
import { heldIn } from '../input/id';
import { siteByUrl, toId, toNamed } from '../input/convert';
import type { LoaderName, SearchName } from '../input/locators';
import { locators } from '../input/locators';
import { naming } from '../input/refusal';
import { finderFor } from '../run/names';
import { recordIn } from '../lib/records';
import { spellings } from '../lib/texts';
import { EVER, scanOf } from '../vocabulary/snapshots';
import { taskTypeName } from '../vocabulary/values';
import { listAll, listPage, listWhole } from '../client/records';
import { shownAt } from '../client/allowed';

/** Records per page. Scrolling loads the next page. */
const PER_PAGE = 50;

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

type Describe = (record: IDataObject) => INodeListSearchItems;

/** Query parameters in addition to the page. */
type Query = (filter?: string) => IDataObject;

const newestFirst: Query = () => ({ sort: 'created_at,desc' });

/** For lists that the service does not sort. */
const noQuery: Query = () => ({});

/**
 * The ID of the site that is chosen in the node.
 * @throws NodeOperationError without a usable choice
 */
async function chosenSite(context: ILoadOptionsFunctions): Promise<string> {
	const { held, mode } = heldIn(context.getCurrentNodeParameter('siteId'), {});
	if (isBlank(held) || hasExpression(held)) {
		throw new NodeOperationError(context.getNode(), 'Choose a site first', {
			description:
				'This list shows records of the site. If the site is an expression, enter the ID instead.',
		});
	}
	const { displayName } = locators.siteId;
	const id = naming(context, displayName, (): string | Reference => {
		if (mode === 'url') return siteByUrl(held);
		return mode === 'name' ? toNamed('siteId', held, displayName) : toId(held);
	});
	return await finderFor(context)(id);
}

/**
 * A list for a locator: one page at a time.
 * @param url its path; `{siteId}` is the site chosen in the node
 * @param searchKey the filter that the typed text goes to, such as `url:contains`
 */
const listSearch = (
	url: string,
	describe: Describe,
	searchKey?: string,
	query: Query = newestFirst,
): Search =>
	async function (filter, paginationToken) {
		const site = url.includes('{siteId}') ? await chosenSite(this) : '';
		const path = url.replace('{siteId}', encodeURIComponent(site));
		const qs = query(filter);
		const texts = filter && searchKey ? spellings(filter) : [undefined];
		const isShown = await shownAt(this, path);
		// The editor takes an empty page for the end of the list, so skip pages without allowed sites.
		for (let page = Number(paginationToken ?? 1); ; page++) {
			const pages = await Promise.all(
				texts.map(async (each) => {
					const search = each && { [`filters[${searchKey}]`]: each };
					const of = {
						method: 'GET' as const,
						url: path,
						qs: { ...isShown?.query, ...qs, ...search },
					};
					return await listPage(this, of, page, { perPage: PER_PAGE });
				}),
			);
			const records = pages.flatMap((each) => each.records);
			const found = (isShown ? records.filter(isShown) : records).map(describe);
			const isLast = !pages.some(({ totalPages }) => page < totalPages);
			if (found.length === 0 && !isLast) continue;
			return {
				results: [...new Map(found.map((each) => [each.value, each])).values()],
				paginationToken: isLast ? undefined : String(page + 1),
			};
		}
	};

/** A list without pages. */
const wholeList = (url: string, describe: Describe): Search =>
	async function () {
		return { results: (await listWhole(this, { method: 'GET', url })).map(describe) };
	};

/** `2026-03-01 12:00 UTC`; other text stays unchanged. */
const minute = (time: unknown) => {
	const parsed = DateTime.fromISO(String(time), { zone: 'utc' });
	return parsed.isValid ? `${parsed.toFormat('yyyy-MM-dd HH:mm')} UTC` : text(time);
};

const text = (value: unknown) => String(value ?? '');

/** `first (second)`, with what is missing left out. */
const labelOf = (first: unknown, second: unknown) =>
	first && second ? `${text(first)} (${text(second)})` : text(first || second);

/** A row with a label and the ID of the record. */
const item = (name: (record: IDataObject) => string) => (record: IDataObject) => ({
	name: name(record),
	value: text(record.id),
});

const describeSite = ({ id, title, url }: IDataObject): INodeListSearchItems => ({
	name: labelOf(title, url),
	value: text(id),
	url: text(url),
});

const describeName = item(({ name }) => text(name));

const describePerson = item(({ name, email }) => labelOf(name, email));

const describeSchedule = item(({ name, schedule }) => labelOf(name, schedule));

const describeClient = item(({ first_name, last_name, company_name, email }) =>
	labelOf(company_name || [first_name, last_name].filter(Boolean).join(' '), email),
);

const siteOf = ({ site }: IDataObject) => recordIn(site).url;

const LATEST: INodeListSearchItems = {
	name: 'Latest (Newest Complete Snapshot)',
	value: 'latest',
};

/** Adds the newest complete snapshot as first row; the only row if the site is an expression. */
const withLatest = (search: Search): Search =>
	async function (filter, paginationToken) {
		const { held } = heldIn(this.getCurrentNodeParameter('siteId'), {});
		if (hasExpression(held)) return { results: [LATEST] };
		const found = await search.call(this, filter, paginationToken);
		return paginationToken ? found : { ...found, results: [LATEST, ...found.results] };
	};

/** Typed text up to the last slash is a folder, the rest a part of a name in it. */
const filesIn: Query = (filter = '') => {
	const end = filter.lastIndexOf('/') + 1;
	const folder = filter.slice(0, end).replace(/^(\.?\/)?/, './');
	const name = filter.slice(end);
	return { ...(end > 0 && { path: folder }), ...(name && { 'filters[name:contains]': name }) };
};

const describeSnapshot = item((snapshot) => {
	const hacked = scanOf(snapshot) === 'hacked' ? ', hacked' : '';
	return labelOf(minute(snapshot.created_at), `${text(snapshot.status)}${hacked}`);
});

/** The list searches of all locators. */
const searches: Record<SearchName, Search> = {
	searchBackupDestinations: wholeList(
		'/backup-destinations',
		item(({ name, provider_label, email }) => labelOf(name || provider_label, email)),
	),
	searchClients: listSearch('/clients', describeClient, 'search:contains'),
	searchCustomWorks: listSearch(
		'/sites/{siteId}/custom-works',
		item(({ title, performed_on }) => labelOf(title, performed_on)),
		'search:contains',
	),
	searchFiles: listSearch(
		'/sites/{siteId}/files',
		item(({ path, name, modified_at }) => labelOf(path || name, minute(modified_at))),
		undefined,
		filesIn,
	),
	searchImportantPages: listSearch(
		'/sites/{siteId}/important-pages',
		item(({ url }) => text(url)),
		undefined,
		noQuery,
	),
	searchManagedAccounts: listSearch(
		'/managed-accounts',
		item(({ company_name, email }) => labelOf(company_name, email)),
		'email:contains',
	),
	searchNotes: listSearch(
		'/sites/{siteId}/notes',
		item(({ content, created_at }) => labelOf(text(content).slice(0, 60), minute(created_at))),
		'content:contains',
	),
	searchReports: listSearch(
		'/reports',
		item((report) => labelOf(report.title, siteOf(report) ?? minute(report.created_at))),
	),
	searchReportTemplates: listSearch('/report-templates', describeName, 'name:contains'),
	searchSchedules: listSearch('/auto-update-schedules', describeSchedule, 'name:contains'),
	searchScheduledReports: listSearch(
		'/scheduled-reports',
		item((report) => labelOf(report.title, siteOf(report))),
	),
	searchSenderEmails: listSearch('/sender-emails', describePerson, 'email:contains'),
	searchSites: listSearch('/sites', describeSite, 'url:contains'),
	searchSnapshots: withLatest(
		listSearch('/sites/{siteId}/snapshots', describeSnapshot, undefined, () => ({
			...newestFirst(),
			...EVER,
		})),
	),
	searchStagingSites: listSearch(
		'/staging-sites',
		item(({ url, created_at }) => labelOf(url, minute(created_at))),
	),
	searchTags: listSearch('/tags', describeName, 'name:contains'),
	searchTasks: listSearch(
		'/tasks',
		item(
			({ type, status, created_at }) =>
				`${taskTypeName(text(type))}, ${text(status)}, ${minute(created_at)}`,
		),
	),
	searchTeamMembers: listSearch('/team-members', describePerson, 'name:contains'),
};

type Loader = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** All records of a list as options of a filter, by name. */
const loadOptions = (url: string, describe: Describe): Loader =>
	async function () {
		const records = await listAll(this, { method: 'GET', url }, { keep: await shownAt(this, url) });
		return records
			.map(describe)
			.map(({ name, value }) => ({ name, value }))
			.sort((a, b) => a.name.localeCompare(b.name));
	};

const optionLoaders: Record<LoaderName, Loader> = {
	getClients: loadOptions('/clients', describeClient),
	getSchedules: loadOptions('/auto-update-schedules', describeSchedule),
	getSites: loadOptions('/sites', describeSite),
	getTags: loadOptions('/tags', describeName),
};

/** The functions that fill lists, for all nodes. */
export const methods: NonNullable<INodeType['methods']> = {
	listSearch: searches,
	loadOptions: optionLoaders,
};
