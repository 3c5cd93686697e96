import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { loadOptions, searchList } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

/** From List, and the choices of filters. */

let fleet: Fleet;
let sites: Array<Record<string, any>>;
/** The newest site, with something of each kind. */
let site: string;
let ids: Record<string, string>;
beforeAll(async () => {
	fleet = await startFleet({ sites: 119 });
	const post = async (path: string, body?: object) => (await fleet.api.post(path, body)).data;
	site = (await post('/sites', { site: { url: 'https://own.example.com' } })).site.id;
	const work = { title: 'Contact form repaired', performed_on: '2026-02-10' };
	const page = { url: 'https://own.example.com/shop' };
	const works = await post(`/sites/${site}/custom-works`, { custom_works: [work] });
	const { note } = await post(`/sites/${site}/notes`, { note: { content: 'Ask before updating' } });
	const pages = await post(`/sites/${site}/important-pages`, { important_page: page });
	ids = {
		searchCustomWorks: works.custom_works[0].id,
		searchNotes: note.id,
		searchImportantPages: pages.important_page.id,
	};
	await post(`/sites/${site}/sync`);
	fleet.clock.advance(60_000);
	sites = await fleet.sites(100);
});
beforeEach(() => fleet.forget());

/** What is offered in a panel such as `backup/restore`, or `stagingSite/stagingSite/get`. */
const search = async (
	panel: string,
	method: string,
	{ filter, page, ...parameters }: { filter?: string; page?: string } & INodeParameters = {},
) => {
	const [node, resource, operation = 'get'] = panel.split('/') as [string, string?, string?];
	const set = { resource: resource ?? node, operation, siteId: locator(site), ...parameters };
	return await searchList(fleet, { node, parameters: set, method, filter, page });
};

const newest = { page: '1', perPage: '50', sort: 'created_at,desc' };

const companyAndEmail = (record: IDataObject) =>
	`${String(record.company_name)} (${String(record.email)})`;
const nameAndEmail = (record: IDataObject) => `${String(record.name)} (${String(record.email)})`;

/** How From List names a record, and the field that a search looks into. */
describe.each<[string, string, string, (record: IDataObject) => string, string?]>([
	['client', 'searchClients', '/clients', companyAndEmail, 'company_name'],
	['managedAccount', 'searchManagedAccounts', '/managed-accounts', companyAndEmail, 'email'],
	['backupDestination', 'searchBackupDestinations', '/backup-destinations', nameAndEmail],
	['senderEmail', 'searchSenderEmails', '/sender-emails', nameAndEmail, 'email'],
	['teamMember', 'searchTeamMembers', '/team-members', nameAndEmail, 'name'],
	['tag', 'searchTags', '/tags', ({ name }) => String(name), 'name'],
])('%s, %s', (node, method, path, name, by) => {
	const records = async () => {
		const { data } = await fleet.api.get(path, { params: newest });
		return data[path.slice(1).replace('-', '_')] as IDataObject[];
	};

	it('names the records as a person knows them', async () => {
		const expected = (await records()).map((record) => ({ name: name(record), value: record.id }));
		expect(expected.length).toBeGreaterThan(1);
		expect((await search(node, method)).results).toEqual(expected);
	});

	if (!by) return;
	it('searches on the server', async () => {
		const last = (await records()).at(-1)!;
		const { results } = await search(node, method, { filter: String(last[by]).slice(1) });
		expect(results).toContainEqual({ name: name(last), value: last.id });
		expect(results.length).toBeLessThan((await records()).length);
	});
});

const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/.source;

it.each<[string, string, string, RegExp, string, object]>([
	['report', 'searchReports', '/reports', /^.+ report \(https:\/\/.+\)$/, '', {}],
	[
		'reportTemplate',
		'searchReportTemplates',
		'/report-templates',
		/^Care plan$/,
		'care',
		{ 'filters[name:contains]': 'care' },
	],
	[
		'scheduledReport',
		'searchScheduledReports',
		'/scheduled-reports',
		/^.+ (weekly|biweekly|monthly) report \(https:\/\/.+\)$/,
		'',
		{},
	],
	[
		'autoUpdate',
		'searchSchedules',
		'/auto-update-schedules',
		/^Page cache only \(daily\)$/,
		'cache',
		{ 'filters[name:contains]': 'cache' },
	],
])('From List of %s, %s, asks %s', async (node, method, path, name, filter, sent) => {
	const { results } = await search(node, method, { ...(filter && { filter }) });
	expect(results[0]).toEqual({ name: expect.stringMatching(name), value: expect.any(String) });
	expect(fleet.sent()).toEqual([
		{ route: `GET ${path}`, query: { ...newest, ...sent }, body: undefined },
	]);
	const { status } = await fleet.api.get(`${path}/${results[0]!.value}`);
	expect(status).toBe(200);
});

it.each([
	['site/backup/upload', 'searchBackupDestinations', /^.+$/],
	['site/file/download', 'searchFiles', new RegExp(`^\\./\\S+ \\(${time}\\)$`)],
	['stagingSite/stagingSite/create', 'searchSnapshots', /^Latest \(Newest Complete Snapshot\)$/],
	['stagingSite', 'searchStagingSites', new RegExp(`^https://.+ \\(${time}\\)$`)],
])('%s: %s shows names', async (panel, method, name) => {
	const { results } = await search(panel, method);
	expect(results[0]).toMatchObject({
		name: expect.stringMatching(name),
		value: expect.any(String),
	});
});

describe('records of a site', () => {
	it.each([
		['searchCustomWorks', 'custom-works', 'form', 'Contact form repaired (2026-02-10)'],
		['searchNotes', 'notes', 'before', 'Ask before updating (2026-03-01 12:00 UTC)'],
		['searchImportantPages', 'important-pages', '', 'https://own.example.com/shop'],
	])('%s offers them, and finds them by a part of their text', async (method, path, part, name) => {
		const offered = [{ name, value: ids[method] }];
		expect((await search('site/note', method)).results).toEqual(offered);
		expect(fleet.sent().map(({ route }) => route)).toEqual([`GET /sites/${site}/${path}`]);
		if (!part) return;
		expect((await search('site/note', method, { filter: part })).results).toEqual(offered);
		const other = await search('site/note', method, { filter: 'nothing has this' });
		expect(other.results).toEqual([]);
	});

	const cache = { path: './wp-content/' };
	it.each([
		['./wp-content/', cache, './wp-content/cache/'],
		['wp-content/', cache, './wp-content/cache/'],
		['/wp-content/deb', { ...cache, 'filters[name:contains]': 'deb' }, './wp-content/debug.log'],
		['config', { 'filters[name:contains]': 'config' }, './wp-config.php'],
	])('the list of files follows the typed text %s', async (filter, query, first) => {
		const { results } = await search('site/file/getVersions', 'searchFiles', { filter });
		expect(results[0]!.name).toContain(first);
		expect(fleet.sent()[0]!.query).toEqual({ page: '1', perPage: '50', ...query });
	});

	it('the latest snapshot is first, then others by time and status, and whether they are hacked', async () => {
		const snapshots = async () => (await search('site/backup/restore', 'searchSnapshots')).results;
		const [first, second] = await snapshots();
		expect(first!.value).toBe('latest');
		expect(second!.name).toMatch(/^2026-03-01 12:0\d UTC \(succeeded\)$/);
		const row = fleet.world.store.snapshots.all().find(({ site_id: id }) => id === site)!;
		row.security.scanner.status = 'hacked';
		expect((await snapshots())[1]!.name).toMatch(/ UTC \(succeeded, hacked\)$/);
		row.security.scanner.status = 'clean';
	});

	it('only the latest snapshot is offered where the site is an expression', async () => {
		const siteId = locator('={{ $json.id }}');
		const { results } = await search('site/backup/restore', 'searchSnapshots', { siteId });
		expect(results.map(({ value }) => value)).toEqual(['latest']);
		expect(fleet.sent()).toEqual([]);
	});

	it('require the site first', async () => {
		const none = search('stagingSite/stagingSite/create', 'searchSnapshots', {
			siteId: locator(''),
		});
		await expect(none).rejects.toThrow('Choose a site first');
		expect(fleet.sent()).toEqual([]);
	});
});

describe('From List', () => {
	it('shows sites by title and URL, newest first, page by page', async () => {
		const first = await search('site', 'searchSites');
		expect(first.results).toHaveLength(50);
		const [{ title, url, id }] = sites as [Record<string, any>];
		expect(first.results[0]).toEqual({ name: `${title} (${url})`, value: id, url });
		expect(first.paginationToken).toBe('2');
		const last = await search('site', 'searchSites', { page: '3' });
		expect(last.results).toHaveLength(20);
		expect(last.paginationToken).toBeUndefined();
	});

	it('searches sites on the server', async () => {
		const filter = new URL(sites[7]!.url).host;
		const { results } = await search('site', 'searchSites', { filter });
		expect(results.map(({ value }) => value)).toContain(sites[7]!.id);
		expect(fleet.sent()[0]!.query).toMatchObject({ 'filters[url:contains]': filter });
	});

	it('shows tasks by type, state and time', async () => {
		const { id } = startTaskNow(fleet.world, { type: 'wp_site_update', siteIds: [] });
		const { results } = await search('task', 'searchTasks');
		expect(results[0]).toEqual({
			name: expect.stringMatching(new RegExp(`^Site Update, initializing, ${time}$`)),
			value: id,
		});
	});
});

it('filters offer all sites, all tags and all schedules by name', async () => {
	const names = async (node: string, method: string) =>
		(await loadOptions(fleet, { node, parameters: {}, method })).map(({ name }) => name);
	for (const node of ['tag', 'client', 'teamMember']) {
		expect(await names(node, 'getSites')).toHaveLength(120);
	}
	const tags = await names('site', 'getTags');
	expect(tags).toEqual([...tags].sort((a, b) => a.localeCompare(b)));
	expect(tags.length).toBeGreaterThan(2);
	expect(await names('autoUpdate', 'getSchedules')).toEqual([
		'Monthly core updates (monthly_last_day)',
		'Page cache only (daily)',
		'Shops, everything (biweekly)',
		'Weekly plugin updates (weekly_on_day)',
	]);
});
