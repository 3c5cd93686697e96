import type { INodeParameters } from 'n8n-workflow';
import { searchList } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

let fleet: Fleet;
let site: string;
beforeAll(async () => {
	fleet = await startFleet({ sites: 20 });
	const { data } = await fleet.api.post('/sites', { site: { url: 'https://own.example.com' } });
	site = data.site.id;
	await fleet.api.post(`/sites/${site}/sync`);
	fleet.clock.advance(60_000);
});
beforeEach(() => fleet.forget());

const search = async (
	node: string,
	resource: string,
	operation: string,
	method: string,
	{ filter, ...parameters }: { filter?: string } & INodeParameters = {},
) =>
	await searchList(fleet, {
		node,
		parameters: { resource, operation, siteId: locator(site), ...parameters },
		method,
		filter,
	});

const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/.source;

it.each([
	['site', 'backup', 'restore', 'searchSnapshots', /^Latest \(Newest Complete Snapshot\)$/],
	['site', 'backup', 'upload', 'searchBackupDestinations', /^.+$/],
	['site', 'file', 'download', 'searchFiles', new RegExp(`^\\./\\S+ \\(${time}\\)$`)],
	['stagingSite', 'stagingSite', 'create', 'searchSites', /^.+ \(https:\/\/.+\)$/],
	['stagingSite', 'stagingSite', 'create', 'searchSnapshots', /^Latest /],
	[
		'stagingSite',
		'stagingSite',
		'get',
		'searchStagingSites',
		new RegExp(`^https://.+ \\(${time}\\)$`),
	],
])('%s %s %s: %s shows names', async (node, resource, operation, method, name) => {
	const { results } = await search(node, resource, operation, method);
	expect(results[0]).toMatchObject({
		name: expect.stringMatching(name),
		value: expect.any(String),
	});
});

it.each([
	['./wp-content/', { path: './wp-content/' }, './wp-content/cache/'],
	['wp-content/', { path: './wp-content/' }, './wp-content/cache/'],
	[
		'/wp-content/deb',
		{ path: './wp-content/', 'filters[name:contains]': 'deb' },
		'./wp-content/debug.log',
	],
	['config', { 'filters[name:contains]': 'config' }, './wp-config.php'],
])('the list of files follows the typed text %s', async (filter, query, first) => {
	const { results } = await search('site', 'file', 'getVersions', 'searchFiles', { filter });
	expect(results[0]!.name).toContain(first);
	expect(fleet.sent()[0]!.query).toEqual({ page: '1', perPage: '50', ...query });
});

it('lists the latest snapshot first, and the others by time and status', async () => {
	const { results } = await search('site', 'backup', 'restore', 'searchSnapshots');
	expect(results[0]!.value).toBe('latest');
	expect(results[1]!.name).toMatch(/^2026-03-01 12:0\d UTC \(succeeded\)$/);
});

it('a hacked snapshot is shown as such', async () => {
	const row = fleet.world.store.snapshots.all().find(({ site_id: id }) => id === site)!;
	row.security.scanner.status = 'hacked';
	const { results } = await search('site', 'backup', 'restore', 'searchSnapshots');
	expect(results[1]!.name).toMatch(/ UTC \(succeeded, hacked\)$/);
	row.security.scanner.status = 'clean';
});

it('offers the latest snapshot where the site is an expression', async () => {
	const { results } = await search('site', 'backup', 'restore', 'searchSnapshots', {
		siteId: locator('={{ $json.id }}'),
	});
	expect(results.map(({ value }) => value)).toEqual(['latest']);
	expect(fleet.sent()).toEqual([]);
});

it('lists of a site require the site first', async () => {
	const choose = async () =>
		await search('stagingSite', 'stagingSite', 'create', 'searchSnapshots', {
			siteId: locator(''),
		});
	await expect(choose()).rejects.toThrow('Choose a site first');
	expect(fleet.sent()).toEqual([]);
});
