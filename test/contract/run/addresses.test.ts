import { mustSucceed, operationRun, runNode, runOn, searchList } from '../../support/engine';
import { fleetEach, inStep } from '../../support/fleet';
import { locator } from '../../support/locator';
import { pageOf } from '../../support/wayward';

/** An address of a site is the same in each of its spellings, for all that look for sites by it. */

const fleet = fleetEach({ sites: 250 });
let ids: string[];
let snapshot: string;

beforeEach(() => {
	inStep(fleet);
	const { sites, snapshots } = fleet.world.store;
	const good = snapshots
		.peek()
		.find(({ status, security }) => status === 'succeeded' && security.scanner.status === 'clean')!;
	snapshot = good.id;
	// The source of migrations is the first.
	const all = sites.peek().map(({ id }) => id);
	ids = [good.site_id, ...all.filter((id) => id !== good.site_id)];
});

const move = (index: number, url: string) => {
	Object.assign(fleet.world.store.sites.get(ids[index]!)!, { url, home_url: url });
};

const get = (url: string) => operationRun('site', 'get', { siteId: locator(url, 'url') });
const assign = (siteIds: string) =>
	operationRun('tag', 'assign', { tagId: locator('1'), siteIds, preview: true });
const migrate = (destinationUrl: string, more = {}) =>
	operationRun('backup', 'migrate', {
		...{ siteId: locator(ids[0]), snapshotId: locator(snapshot), destinationUrl },
		...{ includeFiles: true, preview: true, ...more },
	});
const only = (...sites: Array<string | undefined>) => ({
	...{ ...fleet, limits: { siteAccess: 'selected', onlySites: sites.join() } },
});

const UNICODE = 'https://müller-bäckerei.de';
const SPELLINGS = [
	UNICODE,
	UNICODE.normalize('NFD'),
	new URL(UNICODE).origin,
	'http://MÜLLER-Bäckerei.de/',
	new URL(UNICODE).host.toUpperCase(),
];
const isWhole = (url: string) => /^http/i.test(url);

it.each(SPELLINGS.filter(isWhole))(
	'a site stored as %j is found by all spellings',
	async (stored) => {
		// On the last page, and as what the service has.
		move(3, stored);
		for (const asked of SPELLINGS) {
			const found = await runNode(fleet, get(asked));
			expect([asked, found.error?.message]).toEqual([asked, undefined]);
			expect(found.json[0]).toMatchObject({ id: ids[3] });
			const listed = await runNode(fleet, assign(asked));
			expect(listed.json[0]).toMatchObject({ request: { body: { site_ids: [ids[3]] } } });
			if (!isWhole(asked)) continue;
			const { json, error } = await runNode(fleet, migrate(asked, { onlyIfUrl: stored }));
			expect(error?.message).toBeUndefined();
			expect(json[0]).toMatchObject({ target: { site: { id: ids[3] } } });
		}
		expect(fleet.changes()).toEqual([]);
		const now = migrate(UNICODE, { preview: false });
		const { error } = await runNode(only(ids[0]), now);
		expect(error?.message).toContain(`the site ${ids[3]} is not in its Only Sites`);
		expect(fleet.changes()).toEqual([]);
		expect((await runNode(only(ids[0], ids[3]), now)).error).toBeUndefined();
		expect(fleet.changes()).toHaveLength(1);
	},
);

it.each(['https://a.example.com/büro/', 'a.example.com/bu\u0308ro', 'A.example.com/b%c3%bcro'])(
	'letters of a path are the same in %j',
	async (asked) => {
		move(5, 'https://a.example.com/b%C3%BCro');
		expect((await runNode(fleet, get(asked))).json[0]).toMatchObject({ id: ids[5] });
	},
);

it.each([
	['https://a.example', 'Sites on this host: https://a.example.', 'found', 1],
	[
		'https://x.a.example/b',
		'staging.example.com is different from example.com',
		'found; available: "https://x.a.example/b"',
		// Neighbours are read where no site is on the host.
		2,
	],
])('a site at %s is not found at another path or host', async (url, description, end, reads) => {
	const answers = { 'GET /sites': pageOf('sites', [{ id: '1', url }]) };
	const { error, routes } = await runOn(answers, get('https://a.example/b'));
	expect(error?.message).toBe(`No site with the URL "https://a.example/b" was ${end}`);
	expect(error?.description).toContain(description);
	expect(routes).toEqual(Array(reads).fill('GET /sites'));
});

it('names both of two sites at one address', async () => {
	move(3, SPELLINGS[2]!);
	move(200, UNICODE);
	const { error } = await runNode(fleet, get(UNICODE));
	expect(error?.message).toBe(`More than one site has the URL "${UNICODE}"`);
	expect(error?.description).toContain(`${ids[3]} (${SPELLINGS[2]})`);
	expect(error?.description).toContain(`${ids[200]} (${UNICODE})`);
	const listed = await runNode(fleet, assign(UNICODE));
	expect(listed.error?.message).toContain(`${ids[200]} (${UNICODE})`);
	expect(fleet.changes()).toEqual([]);
});

it('a limited credential reads all sites on a host of more than a page', async () => {
	for (let index = 1; index < 240; index++) move(index, `https://multi.example.com/site-${index}`);
	const destination = 'https://multi.example.com/site-1';
	// Its twin is on another page.
	move(239, destination);
	for (const [listed, other] of [
		[ids[1], ids[239]],
		[ids[239], ids[1]],
	]) {
		const { error } = await runNode(only(ids[0], listed), migrate(destination, { preview: false }));
		expect(error?.message).toContain(`the site ${other} is not in its Only Sites`);
	}
	expect(fleet.changes()).toEqual([]);
	// Which of the two would be overwritten nobody knows: a preview shows both.
	const { json } = await runNode(fleet, migrate(destination));
	expect(json[0]).toMatchObject({ target: { sites: [{}, {}] } });
});

it.each(['NFC', 'NFD'])('the search of a list finds both spellings of a name: %s', async (form) => {
	const [one, other] = fleet.world.store.tags.all();
	one!.name = 'Café'.normalize('NFC');
	other!.name = 'Café'.normalize('NFD');
	const run = operationRun('tag', 'get', { tagId: locator('') });
	const search = { ...run, method: 'searchTags', filter: 'Café'.normalize(form) };
	const { results } = await searchList(fleet, search);
	expect(results.map(({ value }) => value).sort()).toEqual([one!.id, other!.id].sort());
});

describe('the address of a new site', () => {
	const create = (url: string) => operationRun('site', 'create', { url, preview: true });

	it.each([
		['https://a.example.com/wp-admin/', 'https://a.example.com'],
		['https://a.example.com/blog/wp-login.php?redirect_to=x', 'https://a.example.com/blog'],
		['https://a.example.com/WP-ADMIN/index.php', 'https://a.example.com'],
		['https://a.example.com/index.php', 'https://a.example.com'],
		['https://a.example.com/wp-json/wp/v2', 'https://a.example.com'],
		['https://a.example.com/xmlrpc.php', 'https://a.example.com'],
		['https://a.example.com/?p=12', 'https://a.example.com/'],
		['https://a.example.com#top', 'https://a.example.com'],
	])('%s is refused for %s', async (url, site) => {
		for (const run of [create(url), migrate(url)]) {
			const { error } = await runNode(fleet, run);
			expect(error?.message).toMatch(
				/^The parameter "(URL|Destination URL)" is not the address of a site/,
			);
			expect(error?.message).toContain(`Use "${site}"`);
		}
		expect(fleet.sent()).toEqual([]);
	});

	it.each([
		...['https://https:/site', 'https://http//a.example.com', 'https://shop', 'https://a..example'],
	])('%s has no such host', async (url) => {
		const { error } = await runNode(fleet, create(url));
		expect(error?.message).toContain('has a host without a dot');
		expect(fleet.sent()).toEqual([]);
	});

	it.each([
		...['https://a.example.com/', 'https://a.example.com/wp-admin-guide', 'http://127.0.0.1/shop'],
		...['https://a.example.com/wp-contents', 'http://localhost:8080', 'http://[::1]:8080'],
		'https://müller-bäckerei.de/büro',
	])('%s is one', async (url) => {
		const { json } = mustSucceed(await runNode(fleet, create(url)));
		expect(json[0]).toMatchObject({ request: { body: { site: { url } } } });
	});
});
