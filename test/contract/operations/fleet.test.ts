import type { Fleet } from '../../support/fleet';
import { GONE, operationCases, outcomes, type OperationCases } from '../../support/operationCases';
import { locator } from '../../support/locator';
import type { Names } from '../../support/savedNodes';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';

const PLUGIN = 'page-cache/page-cache.php';

const ofTag = ({ tag }: Names) => ({ tag_id: tag });

const cases: OperationCases = {
	'tag/tag/create': { set: { name: 'Seasonal', additionalFields: { color: '#ff8800' } } },
	'tag/tag/update': { set: { updateFields: { name: 'Renamed' } } },
	'tag/tag/assign': {
		set: ({ site, otherSite }) => ({ siteIds: ` ${site}, ${GONE}\n${otherSite},,${site} ` }),
		output: outcomes(ofTag, 'site_id', 'assigned', ({ site, otherSite }) => [
			[site],
			[GONE, 'not_found'],
			[otherSite],
		]),
	},
	'tag/tag/remove': {
		set: ({ site }) => ({ siteIds: `={{ ["${site}"] }}` }),
		output: outcomes(ofTag, 'site_id', 'removed', ({ site }) => [[site]]),
	},
	'tag/tag/upsert': {
		set: { name: 'Own', additionalFields: { color: '#445566' } },
		output: ({ json }, { tag }) =>
			expect(json).toMatchObject([{ id: tag, color: '#445566', created: false }]),
	},
	'tag/tag/upsert new': {
		set: { name: 'Quite new' },
		output: ({ json }) => expect(json).toMatchObject([{ name: 'Quite new', created: true }]),
	},
	'component/component/getAll': {
		set: ({ backedUp }) => ({ source: 'snapshots', filters: { siteId: locator(backedUp) } }),
		output: ({ json }, { backedUp }) => {
			expect(json.length).toBeGreaterThan(3);
			expect(new Set(json.map(({ site_id: id }) => id))).toEqual(new Set([backedUp]));
		},
	},
	'component/component/find': {
		set: { componentName: 'page-cache', componentVersions: '< 2.0' },
		items: [
			{
				...{ site_id: '5f0c2a9d41', site_title: 'Bakery', site_url: 'https://a.example.com' },
				...{ kind: 'plugin', name: 'Page Cache', folder: 'page-cache', version: '1.4' },
				...{ file: 'page-cache/page-cache.php', as_of: '2026-03-01T00:00:00Z', reason: null },
			},
		],
		output: ({ json }) =>
			expect(json).toMatchObject([{ result: 'affected', understood: 'below 2.0' }]),
	},
	'component/component/updateNow': {
		set: ({ site }) => ({ siteIds: site, updateWhat: 'some', updateFiles: PLUGIN }),
		output: ({ json }, { site }) =>
			expect(json).toMatchObject([
				{ site_id: site, name: 'Page Cache', result: 'updated', schedules_left: null },
			]),
	},
	'task/task/wait': { on: ['endedTask'] },
	'site/site/create': { set: { url: 'https://new.example.com' } },
	'site/site/update': {
		set: { updateFields: { dailySyncTime: '04:15:00Z', clear: ['connection.sticky_ip'] } },
		output: ({ json }, { site }) =>
			expect(json).toMatchObject([{ id: site, daily_sync_time: '04:15:00Z' }]),
	},
};

async function prepare(fleet: Fleet): Promise<Names> {
	const sites = await fleet.sites(20);
	const free = sites.filter(({ sync, locked, tags, connection, client }) => {
		const usable = connection.status === 'connected' && !sync.in_progress && !sync.paused;
		return usable && !locked && tags.length < 9 && client === null;
	});
	const { world } = fleet;
	const now = world.timestamp();
	const times = { created_at: now, updated_at: now };
	// Its id can be told from other numbers in what is saved.
	const tag = world.store.tags.insert({ id: '900001', name: 'Own', color: '#112233', ...times }).id;
	await fleet.api.post(`/tags/${tag}/assign`, { site_ids: [free[0]!.id] });
	const [site, otherSite] = free.map(({ id }) => id as string) as [string, string];
	const row = world.store.sites.get(site)!;
	row.performance.enabled = false;
	row.uptime.status = 'up';
	row.server.php_version = '8.2';
	for (const each of [row.security, row.backups]) each.enabled = true;
	row.security.scanner.status = 'clean';
	const { data: added } = await fleet.api.post('/clients', {
		client: { email: 'client@example.com', site_ids: [site] },
	});
	// It makes no record that would be looked for.
	const endedTask = startTaskNow(world, { type: 'speed', siteIds: [otherSite] }).id;
	fleet.clock.advance(3_600_000);
	const task = startTaskNow(world, { type: 'restore', siteIds: [site] }).id;
	fleet.clock.advance(60_000);
	await fleet.admin.post(`/sites/${site}/plugins`, { name: 'page-cache', version: '1.0.0' });
	const backedUp = free.find((each) => each.backups.latest_snapshot?.status === 'succeeded')!.id;
	return { backedUp, site, otherSite, tag, client: added.client.id, task, endedTask };
}

operationCases('fleet', prepare, cases);
