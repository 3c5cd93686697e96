import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import type { TaskType } from '../../../sandbox/service/engine/taskRows';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../../sandbox/service/domain/snapshots/rows';
import { beginSnapshot, nameLatest } from '../../../sandbox/service/domain/snapshots/rules';
import { activate, everyEventHasExample } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { isFlat } from '../../support/operationCases';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

const HOUR_MS = 3_600_000;

let fleet: Fleet;
let rows: SiteRow[];

/** A fleet in which each site has a good backup, and no task runs. */
beforeEach(async () => {
	fleet = await startFleet({ sites: 6 });
	inStep(fleet);
	useClock({ now: () => fleet.clock.now(), sleep: () => {} });
	const { sites } = fleet.world.store;
	rows = sites.all().map(({ id }) => sites.get(id)!);
	for (const site of rows) {
		site.backups.enabled = true;
		for (const { id } of fleet.world.store.snapshots.ofSite(site.id)) {
			fleet.world.store.snapshots.delete(id);
		}
		backUp(site, 'succeeded');
	}
	fleet.clock.advance(HOUR_MS);
	fleet.world.settle();
});
afterEach(async () => await fleet.close());

function endSync(site: SiteRow, status: string): void {
	site.sync.last_sync_at = fleet.world.timestamp();
	site.sync.last_sync_status = status;
}

/** A sync that has made a snapshot, which is shown as the newest one. */
function backUp(site: SiteRow, status: SnapshotRow['status']): SnapshotRow {
	fleet.world.catchUp();
	const snapshot = beginSnapshot(fleet.world, site, {
		id: fleet.world.random.hex(24),
		status,
		note: null,
	});
	nameLatest(site, snapshot);
	site.backups.available_snapshots += status === 'succeeded' ? 1 : 0;
	endSync(site, status);
	return snapshot;
}

const trigger = async (events: string[], parameters: INodeParameters = {}) =>
	await activate(fleet, {
		node: 'backupTrigger',
		parameters: { events, output: 'raw', ...parameters },
	});

/** What came out, as `backupFailed s1`: by the site as Simplified, by the record as Raw. */
const told = (items: IDataObject[] | null) =>
	(items ?? []).map(({ event, site_id, id }) => `${String(event)} ${String(site_id ?? id)}`).sort();

describe('backups', () => {
	it('finished and failed ones are reported once each, from one request', async () => {
		const [good, bad] = rows as [SiteRow, SiteRow];
		const { poll } = await trigger(['backupFinished', 'backupFailed']);
		expect(await poll()).toBeNull();
		endSync(good, 'succeeded');
		endSync(bad, 'failed');
		fleet.clock.advance(1_000);
		expect(told(await poll())).toEqual(
			[`backupFinished ${good.id}`, `backupFailed ${bad.id}`].sort(),
		);
		expect(await poll()).toBeNull();
		endSync(good, 'cancelled');
		fleet.forget();
		expect(told(await poll())).toEqual([`backupFailed ${good.id}`]);
		expect(fleet.sent().map(({ route, query }) => [route, query.sort])).toEqual([
			['GET /sites', 'last_sync_at,asc'],
		]);
	});

	it('a sync is reported after its end', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await trigger(['backupFinished']);
		await poll();
		await fleet.api.post(`/sites/${site.id}/sync`);
		expect(await poll()).toBeNull();
		fleet.clock.advance(HOUR_MS);
		const [item, ...others] = (await poll())!;
		expect(item).toMatchObject({ event: 'backupFinished', id: site.id });
		expect(others).toEqual([]);
		expect(await poll()).toBeNull();
	});

	it.each(['running', 'timed_out', 'queued'])(
		'a sync that is %s is neither finished nor failed, until it has ended',
		async (status) => {
			const [site] = rows as [SiteRow];
			const { poll } = await trigger(['backupFinished', 'backupFailed', 'otherStatus']);
			await poll();
			endSync(site, status);
			expect(told(await poll())).toEqual([`otherStatus ${site.id}`]);
			fleet.clock.advance(3 * HOUR_MS);
			expect(await poll()).toBeNull();
			site.sync.last_sync_status = 'Succeeded';
			expect(told(await poll())).toEqual([`backupFinished ${site.id}`]);
			expect(await poll()).toBeNull();
		},
	);

	it.each(['succeeded', 'failed'] as const)(
		'an item names the snapshot of a sync that %s',
		async (status) => {
			const [site] = rows as [SiteRow];
			const { poll } = await trigger(['backupFinished', 'backupFailed'], { output: 'simplified' });
			await poll();
			const { id, created_at } = backUp(site, status);
			fleet.clock.advance(60_000);
			const [item] = (await poll())!;
			expect(item).toMatchObject({
				site_title: site.title,
				snapshot_id: id,
				snapshot_created_at: created_at,
				last_backup_at: status === 'succeeded' ? created_at : null,
				status,
			});
		},
	);

	it('a real sync that fails names its own snapshot', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await trigger(['backupFailed'], { output: 'simplified' });
		await poll();
		await fleet.admin.post(`/sites/${site.id}/state`, { syncs: 'failing' });
		fleet.clock.advance(HOUR_MS);
		const [item] = (await poll())!;
		const { data } = await fleet.api.get(`/sites/${site.id}/snapshots`);
		expect(item!.snapshot_id).toBe(data.snapshots[0].id);
	});

	it.each<[string, SnapshotRow['status'], number, string]>([
		['a good one, when the sync failed', 'succeeded', 0, 'failed'],
		['one that failed long before', 'failed', 2, 'failed'],
		['one that failed, when the sync succeeded', 'failed', 0, 'succeeded'],
		['a good one of yesterday', 'succeeded', 24, 'succeeded'],
	])('an item does not name %s', async (_what, status, hoursAgo, ended) => {
		const [site] = rows as [SiteRow];
		backUp(site, status);
		fleet.clock.advance(hoursAgo * HOUR_MS + 1_000);
		const { poll } = await trigger(['backupFinished', 'backupFailed'], { output: 'simplified' });
		await poll();
		fleet.clock.advance(60_000);
		endSync(site, ended);
		fleet.clock.advance(60_000);
		const [item] = (await poll())!;
		expect(item).toMatchObject({ site_id: site.id, snapshot_id: null, snapshot_created_at: null });
	});
});

describe('overdue backups', () => {
	const OVERDUE = ['backupOverdue'];
	/** Every poll may look. */
	const often = { overdueHours: 4, checkEveryMinutes: 1 };
	const backUpAll = (sites: SiteRow[]) => sites.forEach((each) => backUp(each, 'succeeded'));
	const pass = (hours: number) => fleet.clock.advance(hours * HOUR_MS);

	it('are reported once until there is a good one, with its time and age', async () => {
		const [site, ...others] = rows as [SiteRow, ...SiteRow[]];
		const { poll } = await trigger(OVERDUE, { ...often, output: 'simplified' });
		await poll();
		const { created_at: last } = backUp(site, 'succeeded');
		pass(3);
		backUpAll(others);
		expect(await poll()).toBeNull();
		pass(1);
		const [item, ...rest] = (await poll())!;
		expect(rest).toEqual([]);
		expect(item).toMatchObject({
			event: 'backupOverdue',
			site_id: site.id,
			site_title: site.title,
			site_url: site.url,
			last_backup_at: last,
			hours_since: 4,
		});
		backUpAll(others);
		pass(2);
		expect(await poll()).toBeNull();
		backUpAll(rows);
		pass(3);
		expect(await poll()).toBeNull();
		backUpAll(others);
		pass(1);
		expect(told(await poll())).toEqual([`backupOverdue ${site.id}`]);
	});

	it('a site whose syncs fail every day is overdue, by its newest good one', async () => {
		const [site, ...others] = rows as [SiteRow, ...SiteRow[]];
		const { poll } = await trigger(OVERDUE, { checkEveryMinutes: 1 });
		const { created_at: last } = backUp(site, 'succeeded');
		await poll();
		const found: IDataObject[] = [];
		for (let hour = 4; hour <= 24 * 10; hour += 4) {
			pass(4);
			if (hour % 24 === 0) backUp(site, 'failed');
			if (hour % 24 === 12) backUpAll(others);
			found.push(...((await poll()) ?? []));
		}
		expect(found).toEqual([
			expect.objectContaining({ id: site.id, last_backup_at: last, hours_since: 36 }),
		]);
	});

	it('asks a site that fails for its good one only now and then', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await trigger(OVERDUE);
		await poll();
		backUp(site, 'failed');
		fleet.forget();
		for (let hour = 1; hour <= 48; hour++) {
			pass(1);
			await poll();
		}
		const asked = fleet.sent().filter(({ route }) => route.endsWith('/snapshots'));
		expect(asked[0]!.query).toMatchObject({
			'filters[status:eq]': 'succeeded',
			'filters[created_at:gte]': '2000-01-01T00:00:00Z',
			sort: 'created_at,desc',
			perPage: '1',
		});
		expect(asked.length).toBeLessThanOrEqual(4);
	});

	it('sites that never had one count from when they were added, unless they are left out', async () => {
		const both = await trigger(OVERDUE, often);
		const fewer = await trigger(OVERDUE, {
			...often,
			options: { includeSitesWithoutBackups: false },
		});
		await both.poll();
		await fewer.poll();
		const { data } = await fleet.api.post('/sites', { site: { url: 'https://new.example.com' } });
		const never = `backupOverdue ${data.site.id}`;
		expect(await both.poll()).toBeNull();
		pass(3);
		backUpAll(rows);
		expect(await both.poll()).toBeNull();
		pass(1);
		expect(await both.poll()).toEqual([
			expect.objectContaining({ id: data.site.id, last_backup_at: null, hours_since: null }),
		]);
		// One that has only failed ones never had a good one, either.
		backUp(fleet.world.store.sites.get(data.site.id)!, 'failed');
		backUpAll(rows);
		pass(1);
		expect(await both.poll()).toBeNull();
		expect(told(await fewer.poll())).not.toContain(never);
	});

	it('a site whose good ones were all discarded is not told again', async () => {
		const [site, ...others] = rows as [SiteRow, ...SiteRow[]];
		const { poll } = await trigger(OVERDUE, often);
		await poll();
		pass(1);
		backUp(site, 'failed');
		backUpAll(others);
		pass(3);
		backUpAll(others);
		expect(told(await poll())).toEqual([`backupOverdue ${site.id}`]);
		for (const { id, status } of fleet.world.store.snapshots.ofSite(site.id)) {
			if (status === 'succeeded') fleet.world.store.snapshots.delete(id);
		}
		for (let hour = 0; hour < 12; hour++) {
			pass(1);
			backUpAll(others);
			expect(await poll()).toBeNull();
		}
	});

	it.each([
		['back, and forward again', [-48, 48, 0]],
		['forward, and back again', [48, -48, 0]],
	])('reports it once after a step of the clocks: %s', async (_what, steps) => {
		const [site, ...others] = rows as [SiteRow, ...SiteRow[]];
		const { poll, restart } = await trigger(OVERDUE, often);
		await poll();
		pass(4);
		backUpAll(others);
		const found = [...((await poll()) ?? [])];
		let local = 0;
		useClock({ now: () => fleet.clock.now() + local, sleep: () => {} });
		for (const step of steps) {
			local = step * HOUR_MS;
			fleet.clock.advance(120_000);
			found.push(...((await poll()) ?? []));
			await restart();
			fleet.clock.advance(120_000);
			found.push(...((await poll()) ?? []));
		}
		for (const step of steps) {
			fleet.clock.advance(step * HOUR_MS);
			if (step > 0) backUpAll(others);
			fleet.clock.advance(120_000);
			found.push(...((await poll()) ?? []));
		}
		expect(told(found).filter((one) => one.endsWith(site.id))).toEqual([
			`backupOverdue ${site.id}`,
		]);
	});

	it('reads the list of sites as often as the setting says', async () => {
		const { poll } = await trigger(OVERDUE, { overdueHours: 4, checkEveryMinutes: 30 });
		await poll();
		fleet.forget();
		for (let minute = 0; minute < 60; minute++) {
			fleet.clock.advance(60_000);
			await poll();
		}
		expect(fleet.sent()).toEqual(
			Array(2).fill({
				route: 'GET /sites',
				query: {
					'filters[created_at:gte]': '1970-01-01T00:00:00.000Z',
					sort: 'created_at,asc',
					page: '1',
					perPage: '100',
				},
				body: undefined,
			}),
		);
	});

	it('one site whose snapshots cannot be read holds up no others', async () => {
		const [site, other] = rows as [SiteRow, SiteRow];
		const { poll } = await trigger(OVERDUE, often);
		await poll();
		pass(1);
		backUp(site, 'failed');
		await fleet.admin.post('/faults', { server_errors: { path: `/sites/${site.id}` } });
		pass(3.5);
		const first = told(await poll());
		expect(first).toContain(`backupOverdue ${other.id}`);
		expect(first).not.toContain(`backupOverdue ${site.id}`);
		// It is overdue in any case once the one that failed is as old.
		pass(0.5);
		expect(await poll()).toEqual([
			expect.objectContaining({ id: site.id, last_backup_at: null, hours_since: null }),
		]);
		await fleet.admin.delete('/faults');
		pass(6);
		expect(await poll()).toBeNull();
	});

	it('a test run shows overdue sites, also those whose newest backup failed', async () => {
		const [failing, ...others] = rows as [SiteRow, ...SiteRow[]];
		pass(48);
		backUp(failing, 'failed');
		backUpAll(others.slice(1));
		const { test } = await trigger(OVERDUE);
		expect(told(await test())).toEqual(
			[`backupOverdue ${failing.id}`, `backupOverdue ${others[0]!.id}`].sort(),
		);
	});
});

describe.each<[TaskType, finished: string, failed: string]>([
	['restore', 'restoreFinished', 'restoreFailed'],
	['migrate', 'migrationFinished', 'migrationFailed'],
])('tasks of the type %s', (type, finished, failed) => {
	const simplified = { output: 'simplified' };
	const start = (site: SiteRow, outcome: 'completed' | 'failed' = 'completed', of = type) =>
		startTaskNow(fleet.world, { type: of, siteIds: [site.id], outcome, durationMs: 60_000 });
	/** All that runs comes to its end. */
	const end = () => {
		fleet.clock.advance(120_000);
		fleet.world.settle();
	};
	const routes = () => fleet.sent().map(({ route }) => route);

	it('are reported once after their end, with the site', async () => {
		const [good, bad, other] = rows as [SiteRow, SiteRow, SiteRow];
		start(other);
		end();
		const { poll } = await trigger([finished, failed], simplified);
		expect(await poll()).toBeNull();
		const tasks = [start(good), start(bad, 'failed')];
		start(other, 'failed', 'test_restore');
		expect(await poll()).toBeNull();
		end();
		const items = (await poll())!;
		expect(items).toHaveLength(2);
		for (const [index, site] of [good, bad].entries()) {
			const { id, status, updated_at, input } = fleet.world.store.tasks.get(tasks[index]!.id)!;
			expect(items.find(({ task_id }) => task_id === id)).toEqual({
				event: index === 0 ? finished : failed,
				scanner_status: 'clean',
				site_title: site.title,
				site_url: site.url,
				status,
				error:
					index === 0 ? null : expect.stringMatching(new RegExp(`^step .* on site ${site.id}: `)),
				hours_since: null,
				ended_at: updated_at,
				last_backup_at: site.backups.latest_snapshot!.created_at,
				snapshot_created_at: null,
				site_id: site.id,
				snapshot_id: (input as any).sites[0].snapshot_id ?? null,
				task_id: id,
				client_id: site.internal.client_id,
				client_name: site.internal.client_id === null ? null : expect.any(String),
				tag_ids: site.internal.tag_ids,
				tag_names: expect.any(Array),
			});
		}
		for (const item of items) expect(Object.values(item).every(isFlat)).toBe(true);
		expect(await poll()).toBeNull();
	});

	it('one that was running at the activation is reported, also on a separate page', async () => {
		const [site] = rows as [SiteRow];
		const { id } = startTaskNow(fleet.world, {
			type,
			siteIds: [site.id],
			durationMs: 2 * HOUR_MS,
		});
		fleet.clock.advance(HOUR_MS);
		fleet.forget();
		const { poll } = await trigger([finished]);
		await poll();
		expect(
			fleet.sent().map(({ query }) => [query['filters[type:eq]'], query['filters[status:eq]']]),
		).toEqual([
			[type, undefined],
			[type, 'initializing'],
			[type, 'running'],
		]);
		fleet.clock.advance(2 * HOUR_MS);
		expect(told(await poll())).toEqual([`${finished} ${id}`]);
	});

	it('cost one request a poll, one for the site of an event, and one for the steps of a failure', async () => {
		const [good, bad] = rows as [SiteRow, SiteRow];
		const { poll } = await trigger([finished, failed]);
		await poll();
		fleet.clock.advance(60_000);
		fleet.forget();
		expect(await poll()).toBeNull();
		expect(fleet.sent().map(({ route, query }) => [route, query['filters[type:eq]']])).toEqual([
			['GET /tasks', type],
		]);
		start(good);
		end();
		fleet.forget();
		await poll();
		expect(routes()).toEqual(['GET /tasks', `GET /sites/${good.id}`]);
		const { id } = start(bad, 'failed');
		end();
		fleet.forget();
		await poll();
		expect(routes()).toEqual(['GET /tasks', `GET /sites/${bad.id}`, `GET /tasks/${id}`]);
	});

	describe('the sites', () => {
		/** What is told once all sites have had one of either outcome. */
		async function endAll(parameters: INodeParameters) {
			const { poll } = await trigger([finished, failed], { ...simplified, ...parameters });
			await poll();
			for (const [index, site] of rows.entries()) start(site, index % 2 ? 'failed' : 'completed');
			end();
			fleet.forget();
			const items = await poll();
			expect(await poll()).toBeNull();
			return (items ?? []).map(({ site_id }) => site_id).sort();
		}
		const idsOf = (...sites: SiteRow[]) => sites.map(({ id }) => id).sort();

		it('by tag, by client and chosen', async () => {
			const [one, other, third] = rows as [SiteRow, SiteRow, SiteRow];
			const { data } = await fleet.api.post('/tags', { tag: { name: 'Care plan' } });
			const tagId = data.tag.id as string;
			const [client, elsewhere] = fleet.world.store.clients.all();
			for (const site of rows) site.internal.client_id = elsewhere!.id;
			one.internal.tag_ids = [tagId];
			other.internal.client_id = third.internal.client_id = client!.id;
			expect(await endAll({ scope: 'tag', tagId: locator(tagId, 'list') })).toEqual(idsOf(one));
			expect(await endAll({ scope: 'client', clientId: locator(client!.id) })).toEqual(
				idsOf(other, third),
			);
			expect(await endAll({ scope: 'sites', siteIds: [one.id, third.id] })).toEqual(
				idsOf(one, third),
			);
			// Those that are not chosen are not looked at.
			expect(routes().filter((route) => route.startsWith('GET /sites/'))).toHaveLength(2);
			expect(await endAll({ options: { exceptTagIds: [tagId] } })).toEqual(
				idsOf(...rows.filter((site) => site !== one)),
			);
		});

		it('a site that cannot be read: the event waits, and comes without its names, whatever the scope', async () => {
			const [site] = rows as [SiteRow];
			const { data } = await fleet.api.post('/tags', { tag: { name: 'Care plan' } });
			const tag = { scope: 'tag', tagId: locator(data.tag.id, 'list') };
			const { poll } = await trigger([finished], { ...simplified, ...tag });
			await poll();
			const { id } = start(site);
			end();
			await fleet.admin.post('/faults', { server_errors: { path: `/sites/${site.id}` } });
			for (let minute = 0; minute < 5; minute++) {
				expect(await poll()).toBeNull();
				fleet.clock.advance(60_000);
			}
			expect(await poll()).toEqual([
				expect.objectContaining({
					event: finished,
					site_title: null,
					site_url: null,
					site_id: site.id,
					task_id: id,
					status: 'completed',
				}),
			]);
			expect(await poll()).toBeNull();
		});

		it('one that can be read again in time is reported or left out by its tags', async () => {
			const [inside, outside] = rows as [SiteRow, SiteRow];
			const { data } = await fleet.api.post('/tags', { tag: { name: 'Care plan' } });
			inside.internal.tag_ids = [data.tag.id];
			const tag = { scope: 'tag', tagId: locator(data.tag.id, 'list') };
			const { poll } = await trigger([finished], { ...simplified, ...tag });
			await poll();
			start(inside);
			start(outside);
			end();
			await fleet.admin.post('/faults', { server_errors: { path: '/sites/' } });
			expect(await poll()).toBeNull();
			await fleet.admin.delete('/faults');
			fleet.clock.advance(60_000);
			expect((await poll())!.map(({ site_title }) => site_title)).toEqual([inside.title]);
			for (let minute = 0; minute < 6; minute++) {
				fleet.clock.advance(60_000);
				expect(await poll()).toBeNull();
			}
		});

		it('a task that names no site is reported without names', async () => {
			const [site] = rows as [SiteRow];
			const { poll } = await trigger([finished], {
				...simplified,
				scope: 'sites',
				siteIds: [site.id],
			});
			await poll();
			startTaskNow(fleet.world, { type, siteIds: [], durationMs: 60_000, input: {} });
			end();
			expect(await poll()).toEqual([
				expect.objectContaining({ event: finished, site_id: null, site_title: null }),
			]);
		});
	});

	it('a failure whose steps cannot be read comes at once, with the site', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await trigger([failed], simplified);
		await poll();
		const { id } = start(site, 'failed');
		end();
		await fleet.admin.post('/faults', { server_errors: { path: `/tasks/${id}` } });
		expect(await poll()).toEqual([
			expect.objectContaining({ event: failed, site_title: site.title, error: null }),
		]);
	});

	it('Raw has the task, with its site and the steps of a failure, without the password of the site', async () => {
		const [site] = rows as [SiteRow];
		site.connection.http_auth = { username: 'deploy', password: 'not-for-chats' };
		const { poll } = await trigger([failed]);
		await poll();
		const { id } = start(site, 'failed');
		end();
		const [item] = (await poll())!;
		expect(item).toMatchObject({
			event: failed,
			id,
			type,
			site: { id: site.id, sync: site.sync },
			details: { sites: [{ id: site.id }] },
		});
		expect(JSON.stringify(item)).not.toContain('not-for-chats');
	});

	it('a test run shows those of the scope only', async () => {
		const [first, ...others] = rows as [SiteRow, ...SiteRow[]];
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Care plan' } });
		first.internal.tag_ids = [data.tag.id];
		start(first);
		end();
		for (const site of [...others, ...others]) {
			start(site);
			end();
		}
		const tag = { scope: 'tag', tagId: locator(data.tag.id, 'list') };
		const { test } = await trigger([finished], { ...simplified, ...tag });
		expect([...new Set((await test())!.map(({ site_id }) => site_id))]).toEqual([first.id]);
		first.internal.tag_ids = [];
		await expect(test()).rejects.toThrow('No backup to show yet');
	});
});

it('many backups that end at once do not wait for restores', async () => {
	fleet = await startFleet({ sites: 250 });
	inStep(fleet);
	const { sites } = fleet.world.store;
	rows = sites.all().map(({ id }) => sites.get(id)!);
	const { poll } = await trigger(['backupFailed', 'restoreFinished']);
	await poll();
	for (const site of rows) {
		site.backups.enabled = true;
		endSync(site, 'failed');
	}
	const [site] = rows as [SiteRow];
	startTaskNow(fleet.world, { type: 'restore', siteIds: [site.id], durationMs: 1_000 });
	fleet.clock.advance(60_000);
	fleet.forget();
	const items = (await poll())!;
	expect(items.filter(({ event }) => event === 'backupFailed')).toHaveLength(250);
	expect(items.filter(({ event }) => event === 'restoreFinished')).toHaveLength(1);
	expect(fleet.sent().filter(({ route }) => route !== 'GET /sites')).toHaveLength(2);
});

it.each([
	[['backupFailed'], ['GET /sites']],
	[['backupFinished', 'backupFailed'], ['GET /sites']],
	[['restoreFailed'], ['GET /tasks']],
	[
		['restoreFinished', 'migrationFailed'],
		['GET /tasks', 'GET /tasks'],
	],
	[['otherStatus'], ['GET /sites', 'GET /tasks', 'GET /tasks']],
	[['backupOverdue'], []],
])('a quiet poll for %j costs a request for each list', async (events, lists) => {
	const { poll } = await trigger(events);
	await poll();
	await poll();
	fleet.clock.advance(60_000);
	fleet.forget();
	expect(await poll()).toBeNull();
	expect(fleet.sent().map(({ route }) => route)).toEqual(lists);
});

describe('the sites', () => {
	/** What a poll tells and which IDs it asks for once all backups failed. */
	async function pollOf(siteIds: string | string[]) {
		const { poll } = await trigger(['backupFailed'], { scope: 'sites', siteIds });
		await poll();
		for (const site of rows) endSync(site, 'failed');
		fleet.forget();
		const items = await poll();
		return { told: told(items), asked: fleet.sent().map(({ query }) => query['filters[id:eq]']) };
	}

	it('chosen: a single one is asked for by its ID', async () => {
		const [one] = rows as [SiteRow];
		expect(await pollOf([one.id])).toEqual({ told: [`backupFailed ${one.id}`], asked: [one.id] });
	});

	it('chosen: the trigger filters by several', async () => {
		const [one, other] = rows as [SiteRow, SiteRow];
		expect(await pollOf(`${one.id}, ${other.id}`)).toEqual({
			told: [one, other].map(({ id }) => `backupFailed ${id}`).sort(),
			asked: [undefined],
		});
	});
});

describe('sites with an excepted tag', () => {
	const MUTED = { options: { exceptTagIds: ['muted'] } };
	const mute = (site: SiteRow, isMuted: boolean) =>
		(site.internal.tag_ids = isMuted ? ['muted'] : []);

	beforeEach(() => {
		const at = fleet.world.timestamp();
		const tag = { id: 'muted', name: 'Muted', color: null, created_at: at, updated_at: at };
		fleet.world.store.tags.insert(tag);
	});

	const restore = (outcome: 'completed' | 'failed') => (site: SiteRow) =>
		void startTaskNow(fleet.world, {
			type: 'restore',
			siteIds: [site.id],
			outcome,
			durationMs: 1_000,
		});

	it.each<[event: string, happen: (site: SiteRow) => void]>([
		['backupFailed', (site) => backUp(site, 'failed')],
		['backupFinished', (site) => backUp(site, 'succeeded')],
		['restoreFailed', restore('failed')],
		['restoreFinished', restore('completed')],
	])('do not start the workflow with %s, nor later without the tag', async (event, happen) => {
		const [muted, other] = rows as [SiteRow, SiteRow];
		mute(muted, true);
		const { poll } = await trigger([event], { ...MUTED, output: 'simplified' });
		await poll();
		fleet.clock.advance(60_000);
		happen(muted);
		happen(other);
		fleet.clock.advance(60_000);
		expect((await poll())!.map((item) => [item.event, item.site_id])).toEqual([[event, other.id]]);
		mute(muted, false);
		for (let round = 0; round < 3; round++) {
			fleet.clock.advance(HOUR_MS);
			expect(await poll()).toBeNull();
		}
	});

	it('do not start the workflow with Backup Overdue, nor later without the tag, until there was a good one', async () => {
		const [muted, ...others] = rows as [SiteRow, ...SiteRow[]];
		mute(muted, true);
		const { poll } = await trigger(['backupOverdue'], { ...MUTED, checkEveryMinutes: 1 });
		await poll();
		fleet.clock.advance(40 * HOUR_MS);
		others.slice(1).forEach((each) => backUp(each, 'succeeded'));
		expect(told(await poll())).toEqual([`backupOverdue ${others[0]!.id}`]);
		mute(muted, false);
		fleet.clock.advance(60_000);
		expect(await poll()).toBeNull();
		rows.forEach((each) => backUp(each, 'succeeded'));
		fleet.clock.advance(60_000);
		expect(await poll()).toBeNull();
		fleet.clock.advance(40 * HOUR_MS);
		expect(told(await poll())).toContain(`backupOverdue ${muted.id}`);
	});
});

describe('the output of a backup', () => {
	async function outOf(parameters: INodeParameters) {
		const [site] = rows as [SiteRow];
		const { poll } = await activate(fleet, { node: 'backupTrigger', parameters });
		await poll();
		fleet.clock.advance(60_000);
		endSync(site, 'failed');
		site.sync.last_sync_error = 'The disk of the host is full';
		fleet.clock.advance(60_000);
		const [item] = (await poll())!;
		return { item: item!, site };
	}

	it('is of failed backups, simplified, by default', async () => {
		const { item, site } = await outOf({});
		expect(Object.values(item).filter((value) => !isFlat(value))).toEqual([]);
		expect(item).toMatchObject({
			event: 'backupFailed',
			site_title: site.title,
			site_url: site.url,
			status: 'failed',
			error: 'The disk of the host is full',
			hours_since: null,
			ended_at: site.sync.last_sync_at,
			last_backup_at: site.backups.latest_snapshot!.created_at,
			snapshot_id: null,
			site_id: site.id,
			task_id: null,
		});
		expect(item).not.toHaveProperty('id');
	});

	it('is the record of the site as Raw', async () => {
		const { item, site } = await outOf({ output: 'raw' });
		expect(item).toMatchObject({ event: 'backupFailed', id: site.id, sync: site.sync });
		expect(item).not.toHaveProperty('site');
	});

	it('has the selected fields', async () => {
		const { item, site } = await outOf({
			output: 'selected',
			outputFields: ['site_title', 'error', 'sync.last_sync_at', 'details'],
		});
		expect(item).toEqual({
			event: 'backupFailed',
			site_title: site.title,
			error: 'The disk of the host is full',
			sync_last_sync_at: site.sync.last_sync_at,
			details: null,
		});
	});
});

everyEventHasExample('backupTrigger');
