import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeType } from 'n8n-workflow';
import { hasExpression, isBlank } from '../input/field';
import type { Reference } from '../input/id';
import { heldIn } from '../input/id';
import { siteByUrl, toId, toNamed } from '../input/convert';
import { byName } from '../input/kinds';
import type { LoaderName, SearchName } from '../input/locators';
import { locators } from '../input/locators';
import { naming } from '../input/refusal';
import { finderFor } from '../run/names';
import { recordIn, spellings } from '../lib';
import { operationError } from '../n8n/context';
import { EVER, scanOf } from '../vocabulary/snapshots';
import { taskTypeName } from '../vocabulary/values';
import { listAll, listPage, listWhole } from '../client/records';
import { shownAt } from '../client/allowed';

/** Records per page. Scrolling loads the next page. */
const PER_PAGE = 50;

type Methods = NonNullable<INodeType['methods']>;

type Search = NonNullable<Methods['listSearch']>[string];

type Loader = NonNullable<Methods['loadOptions']>[string];

/** The label of a record as `first (second)`, without what is missing. */
type Label = (record: IDataObject) => [first: unknown, second?: unknown];

const text = (value: unknown) => String(value ?? '');

/** `2026-03-01 12:00 UTC`; other text stays unchanged. */
const minute = (time: unknown) => {
	const parsed = DateTime.fromISO(String(time), { zone: 'utc' });
	return parsed.isValid ? `${parsed.toFormat('yyyy-MM-dd HH:mm')} UTC` : text(time);
};

const siteOf = ({ site }: IDataObject) => recordIn(site).url;

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
	report: (report) => [report.title, siteOf(report) ?? minute(report.created_at)],
	schedule: ({ name, schedule }) => [name, schedule],
	scheduledReport: (report) => [report.title, siteOf(report)],
	site: ({ title, url }) => [title, url],
	snapshot: (snapshot) => {
		const hacked = scanOf(snapshot) === 'hacked' ? ', hacked' : '';
		return [minute(snapshot.created_at), `${text(snapshot.status)}${hacked}`];
	},
	stagingSite: ({ url, created_at }) => [url, minute(created_at)],
	task: ({ type, status, created_at }) => [
		`${taskTypeName(text(type))}, ${text(status)}, ${minute(created_at)}`,
	],
} satisfies Record<string, Label>;

function row(label: Label, record: IDataObject) {
	const [first, second] = label(record);
	const name = first && second ? `${text(first)} (${text(second)})` : text(first || second);
	return { name, value: text(record.id) };
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
	const id = naming(context, displayName, (): string | Reference => {
		if (mode === 'url') return siteByUrl(held);
		return mode === 'name' ? toNamed('siteId', held, displayName) : toId(held);
	});
	return await finderFor(context)(id);
}

const NEWEST_FIRST = { sort: 'created_at,desc' };

/** Typed text up to the last slash is a folder, the rest a part of a name in it. */
const filesIn = (typed: string) => {
	const end = typed.lastIndexOf('/') + 1;
	const folder = typed.slice(0, end).replace(/^(\.?\/)?/, './');
	const name = typed.slice(end);
	return { ...(end > 0 && { path: folder }), ...(name && { 'filters[name:contains]': name }) };
};

/** Fills a locator, one page of a list at a time. @param search filter for the typed text, or its query */
const paged = (
	url: string,
	label: Label,
	search?: string | typeof filesIn,
	query: IDataObject = NEWEST_FIRST,
): Search =>
	async function (typed, paginationToken) {
		const site = url.includes('{siteId}') ? await chosenSite(this) : '';
		const path = url.replace('{siteId}', encodeURIComponent(site));
		const texts = typed && search ? spellings(typed) : [undefined];
		const isShown = await shownAt(this, path);
		// The editor takes an empty page for the end of the list, so skip pages without allowed sites.
		for (let page = Number(paginationToken ?? 1); ; page++) {
			const reading = texts.map(async (each = '') => {
				const found =
					typeof search === 'function' ? search(each) : { [`filters[${search}]`]: each };
				const qs = { ...isShown?.query, ...query, ...(each && found) };
				const list = { method: 'GET' as const, url: path, qs };
				return await listPage(this, list, page, { perPage: PER_PAGE });
			});
			const pages = await Promise.all(reading);
			const records = pages.flatMap((each) => each.records);
			const found = isShown ? records.filter(isShown) : records;
			const isLast = !pages.some(({ totalPages }) => page < totalPages);
			if (found.length === 0 && !isLast) continue;
			// The editor shows a link to a site.
			const link = (record: IDataObject) => url === '/sites' && { url: text(record.url) };
			const rows = found.map((record) => ({ ...row(label, record), ...link(record) }));
			return {
				results: [...new Map(rows.map((each) => [each.value, each])).values()],
				paginationToken: isLast ? undefined : String(page + 1),
			};
		}
	};

const latest = { name: 'Latest (Newest Complete Snapshot)', value: 'latest' };

/** Adds the newest complete snapshot as first row; the only row if the site is an expression. */
const withLatest = (search: Search): Search =>
	async function (typed, paginationToken) {
		const { held } = heldIn(this.getCurrentNodeParameter('siteId'), {});
		if (hasExpression(held)) return { results: [latest] };
		const found = await search.call(this, typed, paginationToken);
		return paginationToken ? found : { ...found, results: [latest, ...found.results] };
	};

const listSearch: Record<SearchName, Search> = {
	async searchBackupDestinations() {
		const found = await listWhole(this, { method: 'GET', url: '/backup-destinations' });
		return { results: found.map((each) => row(labels.person, each)) };
	},
	searchClients: paged('/clients', labels.client, 'search:contains'),
	searchCustomWorks: paged('/sites/{siteId}/custom-works', labels.customWork, 'search:contains'),
	searchFiles: paged('/sites/{siteId}/files', labels.file, filesIn, {}),
	searchImportantPages: paged('/sites/{siteId}/important-pages', labels.page, undefined, {}),
	searchManagedAccounts: paged('/managed-accounts', labels.client, 'email:contains'),
	searchNotes: paged('/sites/{siteId}/notes', labels.note, 'content:contains'),
	searchReports: paged('/reports', labels.report),
	searchReportTemplates: paged('/report-templates', labels.named, 'name:contains'),
	searchSchedules: paged('/auto-update-schedules', labels.schedule, 'name:contains'),
	searchScheduledReports: paged('/scheduled-reports', labels.scheduledReport),
	searchSenderEmails: paged('/sender-emails', labels.person, 'email:contains'),
	searchSites: paged('/sites', labels.site, 'url:contains'),
	searchSnapshots: withLatest(
		paged('/sites/{siteId}/snapshots', labels.snapshot, undefined, { ...NEWEST_FIRST, ...EVER }),
	),
	searchStagingSites: paged('/staging-sites', labels.stagingSite),
	searchTags: paged('/tags', labels.named, 'name:contains'),
	searchTasks: paged('/tasks', labels.task),
	searchTeamMembers: paged('/team-members', labels.person, 'name:contains'),
};

/** All records of a list as options of a filter, by name. */
const all = (url: string, label: Label): Loader =>
	async function () {
		const records = await listAll(this, { method: 'GET', url }, { keep: await shownAt(this, url) });
		return records.map((record) => row(label, record)).sort(byName);
	};

const loadOptions: Record<LoaderName, Loader> = {
	getClients: all('/clients', labels.client),
	getSchedules: all('/auto-update-schedules', labels.schedule),
	getSites: all('/sites', labels.site),
	getTags: all('/tags', labels.named),
};

export const methods: Methods = { listSearch, loadOptions };
