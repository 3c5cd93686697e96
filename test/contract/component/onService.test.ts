import type { Profile } from '../../../sandbox/service/otherService';
import type { ProfileKey } from '../../../sandbox/service/otherService/answers';
import { mustSucceed, operationRun, runNode } from '../../support/engine';
import { type Fleet, inStep, START, startFleet } from '../../support/fleet';
import { type Answer, pageOf, startWayward } from '../../support/wayward';

const PLUGINS = 'GET /sites/wp/plugins';
const THEMES = 'GET /sites/wp/themes';

/** A service that has the lists, with other keys where they are given. */
const withLists = (keys: Record<string, ProfileKey> = {}): Profile => ({
	routes: { [PLUGINS]: { keys }, [THEMES]: {} },
});

let fleet: Fleet;
afterEach(async () => await fleet.close());

async function start(profile?: Profile, sites = 6) {
	fleet = await startFleet({ sites, at: START, ...(profile && { profile }) });
	for (const { connection } of fleet.world.store.sites.peek()) connection.status = 'connected';
	inStep(fleet);
}

const getMany = async (more: object = {}) =>
	await runNode(fleet, operationRun('component', 'getAll', more));

it('reads all sites with two requests in addition to that of the sites, and says from where and of when', async () => {
	await start(withLists());
	const sites = fleet.world.store.sites.peek();
	sites[0]!.sync.last_sync_at = new Date(START - 10 * 86_400_000).toISOString();
	sites[1]!.sync.last_sync_at = null;
	const { json } = mustSucceed(await getMany());
	expect(fleet.routes().sort()).toEqual(['GET /sites', PLUGINS, THEMES]);
	const wanted = sites.map(({ id, sync }) => {
		return `${id} service ${new Date(sync.last_sync_at ?? START).toISOString()}`;
	});
	expect(
		new Set(json.map(({ site_id: id, source, as_of: at }) => `${String(id)} ${source} ${at}`)),
	).toEqual(new Set(wanted));
	const asked = { componentName: 'no-such', componentVersions: '< 1' };
	const { json: found } = await runNode(
		fleet,
		operationRun('component', 'find', asked, { items: json }),
	);
	expect(found.filter(({ reason }) => /which is too old$/.test(String(reason)))).toMatchObject([
		{ site_id: sites[0]!.id },
	]);
});

it('has each known vulnerability in its row, the worst first, and keeps what it knows nothing of', async () => {
	await start(withLists(), 20);
	const { json } = await getMany({ componentFilters: { vulnerable: true } });
	expect(json.length).toBeGreaterThan(0);
	for (const { vulnerable, vulnerabilities } of json) {
		expect(vulnerable).toBe(true);
		const scores = (vulnerabilities as any[]).map(({ cvss_score: score }) => score);
		expect(scores).toEqual([...scores].sort((a, b) => b - a));
	}
	const [cache] = json.filter(({ folder }) => folder === 'page-cache');
	expect(cache?.vulnerabilities).toEqual([
		expect.objectContaining({ cve_id: 'CVE-2026-10002', cvss_score: 9.8, fixed_in: '1.10.0' }),
		expect.objectContaining({ cve_id: 'CVE-2026-10001' }),
	]);
});

it('says null of vulnerabilities where the source does not know them', async () => {
	await start(withLists({ 'sites[].wp.plugins[].security': { of: 1, types: {}, is: 'missing' } }));
	const { json } = await getMany();
	const plugins = json.filter(({ kind }) => kind === 'plugin');
	expect(plugins.length).toBeGreaterThan(0);
	for (const { vulnerable, vulnerabilities } of plugins)
		expect([vulnerable, vulnerabilities]).toEqual([null, null]);
});

const MUST_USE = { componentFilters: { componentKinds: ['plugin', 'mustUse'] } };

it('reads snapshots for kinds that the lists lack', async () => {
	await start(withLists(), 20);
	const { json } = await getMany(MUST_USE);
	const read = new Set(
		json.filter(({ reason }) => !reason).map(({ kind, source }) => `${kind} ${source}`),
	);
	expect(read).toEqual(new Set(['mustUse snapshot', 'plugin snapshot']));
	const { error } = await getMany({ ...MUST_USE, source: 'service' });
	expect(error?.message).toMatch(/^The lists of the service have no must-use plugins and drop-ins/);
});

it('does not know a site of which the lists have nothing', async () => {
	await start();
	const plugin = { slug: 'forms', name: 'Forms', current_version: '1.0' };
	const shown = [[plugin], [], undefined].map((plugins, id) => ({
		...{ id: `${id}`, wp: plugins && { plugins, themes: [] } },
	}));
	const unlisted = { id: '3' };
	const service = await startWayward((_url, _count, route) =>
		pageOf('sites', route === 'GET /sites' ? [...shown, unlisted] : shown),
	);
	const run = operationRun('component', 'getAll', { source: 'service' });
	const reason = 'The lists of the service do not show its plugins and themes';
	const rows = [
		{ site_id: '0', name: 'Forms', reason: null },
		...['1', '2', '3'].map((site_id) => ({ site_id, name: null, reason })),
	];
	// What they lack of one site says nothing of the next time.
	expect((await runNode(service, run)).json).toMatchObject(rows);
	expect((await runNode(service, run)).json).toMatchObject(rows);
});

const listed = (id: string) => {
	const parts = [{ slug: 'forms', name: 'Forms', current_version: '1.0' }];
	return { id, wp: { plugins: parts, themes: parts } };
};

it.each<[what: string, refused: Answer, rows: object[]]>([
	[
		'which do not show a new site',
		pageOf('sites', []),
		[{ site_id: 'new', reason: 'The lists of the service do not show its plugins and themes' }],
	],
	[
		'which refuse a site that was deleted meanwhile',
		{ status: 422, body: {} },
		[{ site_id: 'new' }, { site_id: '0', name: 'Forms' }, { site_id: '0', name: 'Forms' }],
	],
])('an account keeps its lists, %s', async (_what, refused, rows) => {
	await start();
	const sites = rows.length === 1 ? [{ id: 'new' }] : [{ id: 'new' }, { id: '0' }];
	const service = await startWayward((url, _count, route) => {
		if (route === 'GET /sites') return pageOf('sites', sites);
		return url.searchParams.has('site_ids[]') ? refused : pageOf('sites', [listed('0')]);
	});
	const run = operationRun('component', 'getAll', { source: 'service' });
	expect(mustSucceed(await runNode(service, run)).json).toMatchObject(rows);
	expect(mustSucceed(await runNode(service, run)).json).toMatchObject(rows);
});

it('a connection that breaks is an error of the run, and says nothing of the lists', async () => {
	await start();
	let breaks = true;
	const service = await startWayward((_url, _count, route) => {
		if (route === 'GET /sites') return pageOf('sites', [{ id: '0' }]);
		return breaks ? 'drop' : pageOf('sites', [listed('0')]);
	});
	const run = operationRun('component', 'getAll', {});
	expect((await runNode(service, run)).error?.message).toBe('The service did not answer');
	breaks = false;
	expect((await runNode(service, run)).json).toMatchObject([{ source: 'service' }, {}]);
});

it('reads the snapshot of a disconnected site, of which the lists may be old', async () => {
	await start(withLists());
	const [site] = fleet.world.store.sites.peek();
	site!.connection.status = 'disconnected';
	const { json } = mustSucceed(await getMany());
	const sourcesOf = (isIt: boolean) =>
		new Set(json.filter((row) => (row.site_id === site!.id) === isIt).map(({ source }) => source));
	expect([sourcesOf(true), sourcesOf(false)]).toEqual([
		new Set(['snapshot']),
		new Set(['service']),
	]);
	const { json: listed } = await getMany({ source: 'service' });
	expect(listed.filter((row) => row.site_id === site!.id)).toMatchObject([
		{ name: null, reason: 'The site is disconnected, so the lists of the service may be old' },
	]);
});

const missing = { of: 1, types: {}, is: 'missing' } as const;

describe.each<[what: string, profile: Profile | undefined, reason: RegExp]>([
	['has no such lists', undefined, /no lists of plugins and themes/],
	[
		'lists no versions',
		withLists({ 'sites[].wp.plugins[].current_version': missing }),
		/has no versions/,
	],
	['lists no plugins', withLists({ 'sites[].wp': missing }), /shows plugins of none of the sites/],
	[
		'lists no ids',
		withLists({ 'sites[].id': { of: 1, types: { null: 1 } } }),
		/was not recognized: .*without id/,
	],
])('a service that %s', (_what, profile, reason) => {
	it('is read from snapshots, and asked for lists once an hour', async () => {
		await start(profile);
		const { json } = mustSucceed(await getMany());
		expect(new Set(json.map(({ source }) => source))).toEqual(new Set(['snapshot']));
		const asked = () => fleet.routes().filter((route) => [PLUGINS, THEMES].includes(route)).length;
		fleet.forget();
		await getMany({ componentFilters: { componentName: 'page-cache' } });
		expect(asked()).toBe(0);
		fleet.clock.advance(3_600_000);
		await getMany({ componentFilters: { componentName: 'page-cache' } });
		expect(asked()).toBeGreaterThan(0);
	});

	it('is refused where its lists are chosen, with what to do', async () => {
		await start(profile);
		const { json, error } = await getMany({ source: 'service' });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(reason);
		expect(error?.description).toBe('Choose the Source "Snapshots" or "Automatic".');
	});
});
