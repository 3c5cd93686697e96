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
import { hasExpression, isBlank } from '../input/blank';
import type { Reference } from '../input/id';
import { heldIn, SiteUrl, toId, toNamed } from '../input/id';
import type { LoaderName, SearchName } from '../input/locators';
import { locators } from '../input/locators';
import { naming } from '../input/refusal';
import { finderFor } from '../run/names';
import { recordIn } from '../lib/isRecord';
import { spellings } from '../lib/nameForm';
import { EVER, scanOf } from '../vocabulary/snapshots';
import { taskTypeName } from '../vocabulary/taskValues';
import { listAll, listPage, listWhole } from '../client/paging';
import { shownAt } from '../client/request';

/** Records per page. Scrolling loads the next page. */
const PER_PAGE = 50;

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

interface SearchSource {
	/** The list's path; `{siteId}` is the site chosen in the node. */
	url: string;
	/** The label and the value of a record. */
	describe: (record: IDataObject) => INodeListSearchItems;
	/** The filter that the typed text goes to, such as `url:contains`. */
	searchKey?: string;
	/** Whether the list has pages; most have. */
	isPaged?: boolean;
	/** Query parameters besides the page; newest first by default. */
	query?: (context: ILoadOptionsFunctions, filter?: string) => IDataObject;
}

const newestFirst = () => ({ sort: 'created_at,desc' });

/**
 * The id of the site that is chosen in the node, for the lists that depend on it.
 * @throws NodeOperationError when none is chosen yet, or what is entered is none
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
		if (mode === 'url') return SiteUrl.from(held);
		return mode === 'name' ? toNamed('siteId', held, displayName) : toId(held);
	});
	return await finderFor(context)(id);
}

/** A list for a locator: one page at a time. */
function listSearch({
	url,
	describe,
	searchKey,
	query = newestFirst,
	isPaged = true,
}: SearchSource): Search {
	return async function (filter, paginationToken) {
		const path = url.includes('{siteId}')
			? url.replace('{siteId}', encodeURIComponent(await chosenSite(this)))
			: url;
		const qs = query(this, filter);
		const list = { method: 'GET' as const, url: path, qs };
		if (!isPaged) return { results: (await listWhole(this, list)).map(describe) };
		const texts = filter && searchKey ? spellings(filter) : [undefined];
		const isShown = await shownAt(this, path);
		// The editor takes an empty page for the end of the list, so skip pages without allowed sites.
		for (let page = Number(paginationToken ?? 1); ; page++) {
			const pages = await Promise.all(
				texts.map(async (each) => {
					const of = {
						...list,
						qs: { ...isShown?.query, ...qs, ...(each && { [`filters[${searchKey}]`]: each }) },
					};
					return await listPage(this, of, page, { perPage: PER_PAGE });
				}),
			);
			const found = pages.flatMap(({ records }) =>
				(isShown ? records.filter(isShown) : records).map(describe),
			);
			const isLast = !pages.some(({ totalPages }) => page < totalPages);
			if (found.length === 0 && !isLast) continue;
			return {
				results: [...new Map(found.map((each) => [each.value, each])).values()],
				paginationToken: isLast ? undefined : String(page + 1),
			};
		}
	};
}

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

const describeTag = item(({ name }) => text(name));

const describeSchedule = item(({ name, schedule }) => labelOf(name, schedule));

const describeClient = item(({ first_name, last_name, company_name, email }) =>
	labelOf(company_name || [first_name, last_name].filter(Boolean).join(' '), email),
);

const siteOf = ({ site }: IDataObject) => recordIn(site).url;

const ofSite = (name: string) => `/sites/{siteId}/${name}`;

const allTimes = () => ({ ...newestFirst(), ...EVER });

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
const filesIn = (_context: ILoadOptionsFunctions, filter = '') => {
	const end = filter.lastIndexOf('/') + 1;
	const folder = filter.slice(0, end).replace(/^(\.?\/)?/, './');
	const name = filter.slice(end);
	return { ...(end > 0 && { path: folder }), ...(name && { 'filters[name:contains]': name }) };
};

/** The list searches of all locators. */
const searches: Record<SearchName, Search> = {
	searchBackupDestinations: listSearch({
		url: '/backup-destinations',
		describe: item(({ name, provider_label, email }) => labelOf(name || provider_label, email)),
		query: () => ({}),
		isPaged: false,
	}),
	searchClients: listSearch({
		url: '/clients',
		describe: describeClient,
		searchKey: 'search:contains',
	}),
	searchCustomWorks: listSearch({
		url: ofSite('custom-works'),
		describe: item(({ title, performed_on }) => labelOf(title, performed_on)),
		searchKey: 'search:contains',
	}),
	searchFiles: listSearch({
		url: ofSite('files'),
		describe: item(({ path, name, modified_at }) => labelOf(path || name, minute(modified_at))),
		query: filesIn,
	}),
	searchImportantPages: listSearch({
		url: ofSite('important-pages'),
		describe: item(({ url }) => text(url)),
		query: () => ({}),
	}),
	searchManagedAccounts: listSearch({
		url: '/managed-accounts',
		describe: item(({ company_name, email }) => labelOf(company_name, email)),
		searchKey: 'email:contains',
	}),
	searchNotes: listSearch({
		url: ofSite('notes'),
		describe: item(({ content, created_at }) =>
			labelOf(text(content).slice(0, 60), minute(created_at)),
		),
		searchKey: 'content:contains',
	}),
	searchReports: listSearch({
		url: '/reports',
		describe: item((record) => labelOf(record.title, siteOf(record) ?? minute(record.created_at))),
	}),
	searchReportTemplates: listSearch({
		url: '/report-templates',
		describe: item(({ name }) => text(name)),
		searchKey: 'name:contains',
	}),
	searchSchedules: listSearch({
		url: '/auto-update-schedules',
		describe: describeSchedule,
		searchKey: 'name:contains',
	}),
	searchScheduledReports: listSearch({
		url: '/scheduled-reports',
		describe: item((record) => labelOf(record.title, siteOf(record))),
	}),
	searchSenderEmails: listSearch({
		url: '/sender-emails',
		describe: item(({ name, email }) => labelOf(name, email)),
		searchKey: 'email:contains',
	}),
	searchSites: listSearch({ url: '/sites', describe: describeSite, searchKey: 'url:contains' }),
	searchSnapshots: withLatest(
		listSearch({
			url: ofSite('snapshots'),
			describe: item((one) => {
				const hacked = scanOf(one) === 'hacked' ? ', hacked' : '';
				return labelOf(minute(one.created_at), `${text(one.status)}${hacked}`);
			}),
			query: allTimes,
		}),
	),
	searchStagingSites: listSearch({
		url: '/staging-sites',
		describe: item(({ url, created_at }) => labelOf(url, minute(created_at))),
	}),
	searchTags: listSearch({ url: '/tags', describe: describeTag, searchKey: 'name:contains' }),
	searchTasks: listSearch({
		url: '/tasks',
		describe: item(
			({ type, status, created_at }) =>
				`${taskTypeName(text(type))}, ${text(status)}, ${minute(created_at)}`,
		),
	}),
	searchTeamMembers: listSearch({
		url: '/team-members',
		describe: item(({ name, email }) => labelOf(name, email)),
		searchKey: 'name:contains',
	}),
};

type Loader = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** All records of a list as options of a filter, by name. */
function loadOptions(url: string, describe: (record: IDataObject) => INodeListSearchItems): Loader {
	return async function () {
		const records = await listAll(this, { method: 'GET', url }, { keep: await shownAt(this, url) });
		return records
			.map(describe)
			.map(({ name, value }) => ({ name, value }))
			.sort((a, b) => a.name.localeCompare(b.name));
	};
}

const optionLoaders: Record<LoaderName, Loader> = {
	getClients: loadOptions('/clients', describeClient),
	getSchedules: loadOptions('/auto-update-schedules', describeSchedule),
	getSites: loadOptions('/sites', describeSite),
	getTags: loadOptions('/tags', describeTag),
};

/** The functions that fill lists, for all nodes. */
export const methods: NonNullable<INodeType['methods']> = {
	listSearch: searches,
	loadOptions: optionLoaders,
};
