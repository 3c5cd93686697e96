import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { loadOptions, searchList } from '../../support/engine';
import { fleetOnce } from '../../support/fleet';
import { locator } from '../../support/locator';

/** From List, and the choices of filters. */

const fleet = fleetOnce({ sites: 119 });
let sites: Array<Record<string, any>>;
/** The newest site, with something of each kind. */
let site: string;
let ids: Record<string, string>;
beforeAll(async () => {
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

const inOne = { page: '1', perPage: '100', sort: 'created_at,desc' };
const newest = { ...inOne, perPage: '50' };

const companyAndEmail = (record: IDataObject) =>
	`${String(record.company_name)} (${String(record.email)})`;
const nameAndEmail = (record: IDataObject) => `${String(record.name)} (${String(record.email)})`;

/** How From List names a record. */
describe.each<[string, string, string, (record: IDataObject) => string]>([
	['client', 'searchClients', '/clients', companyAndEmail],
	['managedAccount', 'searchManagedAccounts', '/managed-accounts', companyAndEmail],
	['backupDestination', 'searchBackupDestinations', '/backup-destinations', nameAndEmail],
	['senderEmail', 'searchSenderEmails', '/sender-emails', nameAndEmail],
	['teamMember', 'searchTeamMembers', '/team-members', nameAndEmail],
	['tag', 'searchTags', '/tags', ({ name }) => String(name)],
])('%s, %s', (node, method, path, name) => {
	const named = async () => {
		const { data } = await fleet.api.get(path, { params: newest });
		const records = data[path.slice(1).replace('-', '_')] as IDataObject[];
		return records.map((record) => ({ name: name(record), value: String(record.id) }));
	};

	it('names the records as a person knows them', async () => {
		const expected = (await named()).sort((a, b) => a.name.localeCompare(b.name));
		expect(expected.length).toBeGreaterThan(1);
		expect((await search(node, method)).results).toEqual(expected);
	});

	it('finds any part of what a row shows', async () => {
		const rows = await named();
		const last = rows.at(-1)!;
		for (const filter of [last.name.slice(1), last.name.slice(0, -2).toUpperCase()]) {
			const { results } = await search(node, method, { filter });
			expect(results).toContainEqual(last);
			expect(results.length).toBeLessThan(rows.length);
		}
	});
});

const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/.source;

it.each<[string, string, string, RegExp, string]>([
	['report', 'searchReports', '/reports', /^.+ report \([^:]+\)$/, 'report'],
	['reportTemplate', 'searchReportTemplates', '/report-templates', /^Care plan$/, 'care'],
	[
		'scheduledReport',
		'searchScheduledReports',
		'/scheduled-reports',
		/^.+ (weekly|biweekly|monthly) report \([^:]+\)$/,
		'weekly',
	],
	[
		'autoUpdate',
		'searchSchedules',
		'/auto-update-schedules',
		/^Page cache only \(daily\)$/,
		'cache',
	],
])('From List of %s, %s, asks %s', async (node, method, path, name, filter) => {
	const { results } = await search(node, method, { filter });
	expect(results[0]).toEqual({ name: expect.stringMatching(name), value: expect.any(String) });
	expect(fleet.sent()).toEqual([{ route: `GET ${path}`, query: inOne, body: undefined }]);
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
		const offered = await snapshots();
		const [first, second] = offered;
		expect(first!.value).toBe('latest');
		expect(second!.name).toMatch(/^2026-03-01 12:0\d UTC \(succeeded\)$/);
		const row = fleet.world.store.snapshots.all().find(({ site_id: id }) => id === site)!;
		row.status = 'cancelled';
		// Restore refuses it, and Get shows it.
		expect(await snapshots()).toHaveLength(offered.length - 1);
		const all = await search('snapshot/snapshot/get', 'searchSnapshots');
		expect(all.results[1]!.name).toMatch(/ UTC \(cancelled\)$/);
		row.status = 'succeeded';
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
	const namesOf = ({ results }: Awaited<ReturnType<typeof search>>) =>
		results.map(({ name }) => name);

	it('shows sites by title and URL, sorted, a part at a time', async () => {
		const first = await search('site', 'searchSites');
		const names = namesOf(first);
		for (let page = first.paginationToken as string | undefined; page;) {
			const next = await search('site', 'searchSites', { page });
			names.push(...namesOf(next));
			page = next.paginationToken as string | undefined;
		}
		const label = ({ title, url }: Record<string, any>) => `${title} (${new URL(url).host})`;
		const wanted = fleet.world.store.sites.all().map(label);
		expect(names).toEqual(wanted.sort((a, b) => a.localeCompare(b)));
		expect(first.results).toHaveLength(50);
		const { url, id } = sites[0]!;
		const found = await search('site', 'searchSites', { filter: url });
		expect(found.results).toEqual([{ name: label(sites[0]!), value: id, url }]);
		for (const filter of [` ${url}/ `, url.replace('https', 'http'), url.toUpperCase()]) {
			expect((await search('site', 'searchSites', { filter })).results).toEqual(found.results);
		}
		// Only the opening has read the list.
		expect(fleet.sent()).toHaveLength(2);
	});

	it('reads the list again when it opens, and not for each letter', async () => {
		const { title, id } = sites[3]!;
		const row = fleet.world.store.sites.all().find((each) => each.id === id)!;
		await search('site', 'searchSites', { filter: title });
		row.title = 'Renamed meanwhile';
		const find = async () => await search('site', 'searchSites', { filter: row.title });
		expect((await find()).results).toEqual([]);
		await search('site', 'searchSites');
		expect((await find()).results).toHaveLength(1);
		row.title = title;
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
	// A client can take only a site that belongs to none.
	const { title, url, client } = (await fleet.sites(100)).find((site) => site.client) as any;
	const owner = client.company_name || `${client.first_name} ${client.last_name}`;
	expect(await names('client', 'getSites')).toContain(
		`${title} (${url.replace('https://', '')}, ${owner})`,
	);
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

describe('a list of more than 1,000', () => {
	const large = fleetOnce({ sites: 1_040 });

	const inLarge = async (node: string, method: string, filter?: string, page?: string) => {
		const parameters = { resource: node, operation: 'get' };
		return await searchList(large, { node, parameters, method, filter, page });
	};

	it('of sites searches their addresses, and says so', async () => {
		const opened = await inLarge('site', 'searchSites');
		expect(opened).toMatchObject({ paginationToken: '2' });
		expect(opened.results).toHaveLength(50);
		const { url, title } = large.world.store.sites.all()[1_030]!;
		const { results } = await inLarge('site', 'searchSites', new URL(url).host);
		expect(results[0]).toEqual({ name: 'More than 1,000: only addresses are searched', value: '' });
		expect(results[1]).toMatchObject({ name: `${title} (${new URL(url).host})` });
		const pasted = await inLarge('site', 'searchSites', ` ${url.replace('https', 'http')}/ `);
		expect(pasted.results).toEqual(results);
		// Its first page, a page to show, and the search.
		expect(large.sent()).toHaveLength(4);
	});

	it('of tasks searches the newest, and says so', async () => {
		for (let made = 0; made < 1_001; made++) {
			startTaskNow(large.world, { type: 'wp_site_update', siteIds: [] });
		}
		const { results } = await inLarge('task', 'searchTasks', 'site update');
		expect(results[0]!.name).toBe('More than 1,000: only the newest are searched');
		expect(results).toHaveLength(51);
	});
});
