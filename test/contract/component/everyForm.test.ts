import type { IDataObject } from 'n8n-workflow';
import { componentsAt, setVersion } from '../../../sandbox/service/domain/content/components';
import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { mustSucceed, operationRun, runNode } from '../../support/engine';
import { fleetOnce, inStep, START } from '../../support/fleet';

/** Which sites have a plugin, on a fleet where every form of names and versions is asked: known from its files alone. */

const SITES = 24;
const FILE = './wp-content/plugins/page-cache/page-cache.php';

/** Versions without a place in the order, each on one site. */
const ODD = ['trunk', '@@ver@@', '2.0.1-hotfix', 'Version 1.2'];

const fleet = fleetOnce({ sites: SITES, at: START });
let rows: IDataObject[];

beforeAll(async () => {
	inStep(fleet);
	const { world } = fleet;
	const open = world.store.sites.peek().filter(({ backups, connection, locked }) => {
		return backups.enabled && connection.status === 'connected' && !locked;
	});
	for (const [index, version] of ODD.entries()) {
		setVersion(world, open[index]!, 'page-cache', version);
	}
	for (const { id } of open) {
		await fleet.api.post(`/sites/${id}/sync`, { sync: { message: 'A' } }).catch(() => undefined);
	}
	fleet.clock.advance(3_600_000);
	world.settle();
	const getMany = operationRun('component', 'getAll', { source: 'snapshots' });
	rows = mustSucceed(await runNode(fleet, getMany)).json;
});

const find = async (componentName: string, componentVersions: string, versions?: unknown) => {
	const options = { rows: '={{ $json.rows }}', maxAgeDays: 3_650 };
	const items = [{ rows, versions: versions as IDataObject }];
	const set = { componentName, componentVersions, options };
	return await runNode(fleet, operationRun('component', 'find', set, { items }));
};

/** The versions of the plugin in the newest good backup of a site; undefined without a backup. */
function versionsIn(site: SiteRow): string[] | undefined {
	const [newest] = completedSnapshots(fleet.world, site.id);
	if (!newest) return undefined;
	return componentsAt(fleet.world, site, Date.parse(newest.created_at))
		.filter(({ file }) => file === FILE)
		.map(({ version }) => version ?? '');
}

const USUAL = ['1.9.4', '1.10.0', '1.10.2', '2.0.1'];

const NAMES = [
	...['page-cache', 'PAGE-CACHE', 'page-cache/', 'page-cache/page-cache.php', 'Page Cache'],
	...['page-cache.php', ' page  cache ', 'https://plugins.example.org/plugins/page-cache/'],
];

const VERSIONS: Array<[versions: unknown, meant: string[]]> = [
	['< 1.10.2', ['1.9.4', '1.10.0']],
	['<= 1.10.2', ['1.9.4', '1.10.0', '1.10.2']],
	['1.9.4, 2.0.1', ['1.9.4', '2.0.1']],
	['1.9.4 2.0.1', ['1.9.4', '2.0.1']],
	['>= 1.10.0, < 2', ['1.10.0', '1.10.2']],
	['* - 1.10.0', ['1.9.4', '1.10.0']],
	['1.10.0 - 1.10.2', ['1.10.0', '1.10.2']],
	['= 1.10.2 || >= 2.0', ['1.10.2', '2.0.1']],
	['< 1.9.9 or 2.0.1', ['1.9.4', '2.0.1']],
	['> 3', []],
	[{ from_version: '*', to_version: '1.10.0', to_inclusive: true }, ['1.9.4', '1.10.0']],
	[{ from_version: '1.10.0', from_inclusive: false, to_version: '*' }, ['1.10.2', '2.0.1']],
];

const asked = NAMES.flatMap((name) =>
	VERSIONS.map(([versions, meant]) => [name, versions, meant] as const),
);

it('has each version on a site', () => {
	const there = new Set(fleet.world.store.sites.peek().flatMap((site) => versionsIn(site) ?? []));
	expect([...there].sort()).toEqual([...USUAL, ...ODD].sort());
});

it.each(asked)('%s in %j is on the sites that have it', async (name, versions, meant) => {
	const { json } = mustSucceed(await find(name, '={{ $json.versions }}', versions));
	const wanted = fleet.world.store.sites.peek().map((site) => {
		const has = versionsIn(site);
		const isUnread = rows.some(({ site_id: id, reason }) => id === site.id && reason);
		const isOdd = has?.some((version) => ODD.includes(version));
		const isAffected = has?.some((version) => meant.includes(version));
		const unknown = !has || isUnread || isOdd ? 'not known' : 'not affected';
		return [site.id, isAffected ? 'affected' : unknown];
	});
	expect(Object.fromEntries(json.map(({ site_id: id, result }) => [id, result]))).toEqual(
		Object.fromEntries(wanted),
	);
});

it.each(['2.9.12 - 2.9.1', '>= 2.0, < 2.1.3, >= 2.2, < 2.2.4', '1.x', '={{ $json.gone }}'])(
	'of versions that cannot be read no site is called not affected: "%s"',
	async (componentVersions) => {
		const { json, error } = await find('page-cache', componentVersions);
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/^The parameter "Versions" /);
	},
);
