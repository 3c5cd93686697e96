import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../../sandbox/service/domain/snapshots/rows';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { activate, mustSucceed, operationRun, runNode, runOf } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';
import { backUp as addBackup } from '../../support/watching';

/** What the service leaves out of records and outputs have all the same: names beside ids, the last good backup. */

const HOUR_MS = 3_600_000;

let fleet: Fleet;
let sites: SiteRow[];

const start = async (count: number) => {
	fleet = await startFleet({ sites: count });
	inStep(fleet);
	const { store } = fleet.world;
	for (const { id } of store.tasks.all()) store.tasks.delete(id);
	for (const { id } of store.autoUpdateSchedules.all()) store.autoUpdateSchedules.delete(id);
	for (const { id } of store.autoUpdateHistory.all()) store.autoUpdateHistory.delete(id);
	sites = store.sites.all();
	fleet.forget();
};
afterEach(async () => await fleet.close());

const run = async (name: string, more: INodeParameters = {}) => {
	fleet.forget();
	return mustSucceed(await runNode(fleet, runOf(name, more))).json;
};

/** A task as the running service has it: of its sites it names the ids alone. */
const startOn = (siteIds: string[], more: object = {}) =>
	startTaskNow(fleet.world, {
		...{ type: 'speed' as const, siteIds, durationMs: 60_000 },
		...more,
	}).id;

const tasks = async (more: INodeParameters = {}) => await run('task/task/getAll', more);

describe('tasks', () => {
	it('of up to ten sites are named by one request for each site', async () => {
		await start(30);
		const [one, two] = sites as [SiteRow, SiteRow];
		const [single, both] = [startOn([one.id]), startOn([one.id, two.id])];
		const json = await tasks();
		const found = (id: string) => json.find((task) => task.id === id);
		expect(found(single)).toMatchObject({
			...{ site_id: one.id, site_title: one.title, site_url: one.url },
			...{ site_ids: [one.id], site_titles: one.title },
		});
		expect(found(both)).toMatchObject({
			...{ site_id: null, site_title: null, site_url: null },
			...{ site_ids: [one.id, two.id], site_titles: `${one.title}, ${two.title}` },
		});
		expect(fleet.routes()).toEqual(['GET /tasks', `GET /sites/${one.id}`, `GET /sites/${two.id}`]);
	});

	it('of more sites are named by the list of sites, once an hour', async () => {
		await start(30);
		for (const { id } of sites.slice(0, 11)) startOn([id]);
		const named = (json: IDataObject[]) => json.filter(({ site_title: title }) => title).length;
		expect(named(await tasks())).toBe(11);
		expect(fleet.routes()).toEqual(['GET /tasks', 'GET /sites']);
		for (const { id } of sites) startOn([id]);
		expect(named(await tasks())).toBe(41);
		expect(fleet.routes()).toEqual(['GET /tasks']);
		fleet.clock.advance(HOUR_MS);
		await tasks();
		expect(fleet.routes()).toEqual(['GET /tasks', 'GET /sites']);
	});

	it('that failed name the site, also one of many', async () => {
		await start(30);
		const ids = sites.map((site) => site.id);
		const id = startOn(ids, { outcome: 'failed' });
		fleet.clock.advance(HOUR_MS);
		const [task] = await run('task/task/get', { taskId: locator(id) });
		const { failing_site: failing } = fleet.world.store.tasks.get(id)!.internal;
		expect(failing).toBeGreaterThan(3);
		expect(task!.error).toContain(` on site ${sites[failing!]!.url}: `);
	});

	it('of many items, each of one site, are named by ten requests and the list of sites', async () => {
		await start(30);
		const items = sites.map(({ id }) => ({ id: startOn([id]) }));
		fleet.forget();
		const get = operationRun('task', 'get', { taskId: locator('={{ $json.id }}') }, { items });
		const { json } = await runNode(fleet, get);
		expect(json.map(({ site_title: title }) => title)).toEqual(sites.map(({ title }) => title));
		const ofSites = fleet.routes().filter((route) => route.startsWith('GET /sites'));
		expect(ofSites).toHaveLength(11);
		expect(ofSites).toContain('GET /sites');
	});

	it.each([1, 11])('a deleted site has an ID and no title, among %i', async (count) => {
		await start(30);
		const gone = sites[0]!.id;
		for (const { id } of sites.slice(0, count)) startOn([id]);
		fleet.world.store.sites.delete(gone);
		const json = await tasks();
		const task = json.find(({ site_id: id }) => id === gone);
		expect(task).toMatchObject({ site_title: null, site_titles: null, site_ids: [gone] });
		expect(json.filter(({ site_title: title }) => title)).toHaveLength(count - 1);
	});

	it('a site that cannot be read does not lose them', async () => {
		await start(5);
		startOn([sites[0]!.id]);
		await fleet.admin.post('/faults', { server_errors: { path: `/sites/${sites[0]!.id}` } });
		expect(await tasks()).toMatchObject([{ site_id: sites[0]!.id, site_title: null }]);
	});

	it.each<[what: string, set: INodeParameters, task: object, isNamed: boolean, requests: number]>([
		['Raw', { output: 'raw' }, {}, false, 1],
		['other fields', { output: 'selected', outputFields: ['id', 'site_ids'] }, {}, false, 1],
		['a chosen name', { output: 'selected', outputFields: ['site_titles'] }, {}, true, 2],
		['what the task itself says', {}, { type: 'staging' }, true, 1],
	])('only a name that is missing costs a request: %s', async (_, set, task, isNamed, requests) => {
		await start(5);
		startOn([sites[0]!.id], task);
		const [json] = await tasks(set);
		expect(json!.site_titles).toBe(isNamed ? sites[0]!.title : undefined);
		expect(fleet.routes()).toHaveLength(requests);
	});

	it('the trigger names their sites, and a quiet poll costs one request', async () => {
		await start(5);
		const { poll } = await activate(fleet, {
			node: 'taskTrigger',
			parameters: { events: ['completed'] },
		});
		await poll();
		startOn([sites[0]!.id]);
		fleet.clock.advance(120_000);
		fleet.forget();
		expect(await poll()).toMatchObject([
			{ event: 'completed', site_title: sites[0]!.title, site_titles: sites[0]!.title },
		]);
		expect(fleet.routes()).toEqual(['GET /tasks', `GET /sites/${sites[0]!.id}`]);
		fleet.clock.advance(120_000);
		fleet.forget();
		expect(await poll()).toBeNull();
		expect(fleet.routes()).toEqual(['GET /tasks']);
	});
});

describe('changes of sites', () => {
	const enable = async ({ id }: SiteRow, more: INodeParameters = {}) =>
		await run('backup/backup/enable', { siteId: locator(id), ...more });

	it('are named by one request for each site, once an hour', async () => {
		await start(3);
		const [one, two] = sites as [SiteRow, SiteRow];
		const named = { site_id: one.id, site_title: one.title, site_url: one.url };
		expect(await enable(one)).toEqual([{ ...named, backups_enabled: true }]);
		expect(fleet.routes()).toEqual([
			`POST /sites/${one.id}/backups/enable`,
			`GET /sites/${one.id}`,
		]);
		const tagId = locator(fleet.world.store.tags.all()[0]!.id);
		const both = { tagId, siteIds: [one.id, two.id].join() };
		const json = await run('tag/tag/assign', both);
		expect(json.map(({ site_title: title }) => title)).toEqual([one.title, two.title]);
		expect(fleet.routes().slice(1)).toEqual([`GET /sites/${two.id}`]);
	});

	it('that delete the site name it as well', async () => {
		await start(3);
		const { id, title, url } = sites[0]!;
		const json = await run('site/site/delete', { siteId: locator(id) });
		expect(json).toEqual([{ deleted: true, id, title, url }]);
	});
});

describe('runs of automatic updates', () => {
	const addRun = (ids: string[]) => {
		const { world } = fleet;
		world.store.autoUpdateHistory.insert({
			id: world.random.hex(24),
			auto_update_schedule: { id: 'daily', name: 'Daily' },
			performed_on: world.timestamp(),
			task_id: startOn(ids, { type: 'wp_site_update' }),
			sites: ids.map((id) => ({ id, wp: { plugins: [], themes: [] } })),
		});
	};

	it('have the titles of their sites', async () => {
		await start(5);
		const [one, two] = sites as [SiteRow, SiteRow];
		addRun([one.id, two.id]);
		const [json] = await run('autoUpdate/history/getAll');
		expect(json).toMatchObject({
			...{ site_ids: [one.id, two.id], site_titles: [one.title, two.title], site_count: 2 },
		});
		await run('autoUpdate/history/getAll', { output: 'raw' });
		expect(fleet.routes()).toEqual(['GET /auto-update-history']);
	});

	it.each([
		['run', (site: SiteRow) => ({ site_titles: [site.title] })],
		['site', (site: SiteRow) => ({ site_title: site.title, site_url: site.url })],
	])('the trigger has them in an item for each %s', async (itemsPer, expected) => {
		await start(5);
		const { poll } = await activate(fleet, {
			node: 'autoUpdateTrigger',
			parameters: { events: ['completed'], itemsPer },
		});
		await poll();
		addRun([sites[0]!.id]);
		fleet.clock.advance(120_000);
		expect(await poll()).toMatchObject([expected(sites[0]!)]);
	});
});

it('a staging site names its live site', async () => {
	await start(40);
	const json = await run('stagingSite/stagingSite/getAll', { returnAll: true });
	expect(json.length).toBeGreaterThan(0);
	for (const { site_id: id, site_title: title, site_url: url } of json) {
		const site = sites.find((each) => each.id === id);
		expect({ title, url }).toEqual({ title: site?.title ?? null, url: site?.url ?? null });
	}
	const stagingSiteId = locator(json[0]!.id);
	const [single] = await run('stagingSite/stagingSite/get', { stagingSiteId });
	expect(single).toMatchObject({ site_id: json[0]!.site_id, site_title: json[0]!.site_title });
	await run('stagingSite/stagingSite/get', { stagingSiteId, output: 'raw' });
	expect(fleet.routes()).toHaveLength(1);
});

it('the client of a report is its company, as in a site, and the person is its contact', async () => {
	await start(40);
	const { clients, reports } = fleet.world.store;
	const json = await run('report/report/getAll', { returnAll: true });
	const withClient = json.filter(({ client_id: id }) => id !== null);
	expect(withClient.length).toBeGreaterThan(0);
	for (const { id, client_id, client_name: name, client_contact: contact } of withClient) {
		expect(name).toBe(clients.get(String(client_id))?.company_name || contact);
		expect(contact).toBe(reports.get(String(id))!.client!.name);
	}
});

it('a schedule for all sites says so, with a count of none', async () => {
	await start(5);
	const scope = { sites: { selection: 'all' }, updates: { cms_core: true } };
	const when = { schedule: 'daily', started_at: '2027-01-01T00:00:00Z' };
	await fleet.api.post('/auto-update-schedules', {
		auto_update_schedule: { name: 'All', ...when, options: {}, scope },
	});
	const json = await run('autoUpdate/schedule/getAll');
	expect(json).toMatchObject([{ sites: 'all', site_count: null }]);
});

describe('the last good backup of a site', () => {
	const backUp = (site: SiteRow, status: SnapshotRow['status']) => {
		fleet.clock.advance(HOUR_MS);
		return addBackup(fleet, site, status).created_at;
	};

	const prepare = async () => {
		await start(4);
		const { store } = fleet.world;
		for (const { id } of store.snapshots.all()) store.snapshots.delete(id);
		for (const site of sites) {
			site.sync.paused = true;
			Object.assign(site.backups, { enabled: true, latest_snapshot: null, available_snapshots: 0 });
			Object.assign(site.security.scanner, { status: 'clean', malware_detected_at: null });
		}
		const [good, failing, never, hopeless] = sites as [SiteRow, SiteRow, SiteRow, SiteRow];
		return { good, failing, never, hopeless };
	};

	it.each(['getAll', 'get'])(
		'is next to the state of the newest attempt: %s',
		async (operation) => {
			const { good, failing, never, hopeless } = await prepare();
			const times = { good: backUp(good, 'succeeded'), failing: backUp(failing, 'succeeded') };
			const failedAt = backUp(failing, 'failed');
			backUp(hopeless, 'failed');
			const read = async ({ id }: SiteRow) => {
				const json = await run(`site/site/${operation}`, {
					...(operation === 'get' && { siteId: locator(id) }),
				});
				const site = json.find((each) => each.id === id)!;
				return [site.last_backup_at, site.snapshot_status];
			};
			expect(await read(good)).toEqual([times.good, 'succeeded']);
			expect(await read(failing)).toEqual([times.failing, 'failed']);
			expect(times.failing).not.toBe(failedAt);
			expect(await read(never)).toEqual([null, null]);
			expect(await read(hopeless)).toEqual([null, 'failed']);
		},
	);

	it('costs a request for each site whose newest attempt is not good, and none for others', async () => {
		const { good, failing, hopeless } = await prepare();
		backUp(good, 'succeeded');
		for (const site of [failing, hopeless]) backUp(site, 'failed');
		await run('site/site/getAll');
		const snapshotsOf = ({ id }: SiteRow) => `GET /sites/${id}/snapshots`;
		expect(fleet.routes().sort()).toEqual(
			['GET /sites', snapshotsOf(failing), snapshotsOf(hopeless)].sort(),
		);
		for (const more of [{ output: 'raw' }, { output: 'selected', outputFields: ['title'] }]) {
			await run('site/site/getAll', more);
			expect(fleet.routes()).toEqual(['GET /sites']);
		}
	});

	it('is not what was made since the site is hacked', async () => {
		const { good } = await prepare();
		const at = backUp(good, 'succeeded');
		const { scanner } = good.security;
		Object.assign(scanner, { status: 'hacked', malware_detected_at: fleet.world.timestamp() });
		scanner.detections = { files: 3, scripts: 1, cron_jobs: 0 };
		backUp(good, 'succeeded');
		const [json] = await run('site/site/get', { siteId: locator(good.id) });
		expect(json).toMatchObject({ detections: 4, last_backup_at: at });
	});

	it('is not known where the snapshots cannot be listed', async () => {
		const { failing } = await prepare();
		backUp(failing, 'failed');
		failing.backups.enabled = false;
		const [json] = await run('site/site/get', { siteId: locator(failing.id) });
		expect(json).toMatchObject({ last_backup_at: null, snapshot_status: 'failed' });
	});
});
