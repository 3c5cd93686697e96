import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import type { TaskType } from '../../../sandbox/service/engine/taskRows';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../../sandbox/service/domain/snapshots/rows';
import { everyEventHasExample } from '../../support/engine';
import { locator } from '../../support/locator';
import { isFlat } from '../../support/operationCases';
import { addTag, backUp as addBackup, HOUR, MINUTE, told, watching } from '../../support/watching';

/** What the backup trigger adds to the shared polling; see also its histories. */

let rows: SiteRow[];

/** Each site has a good backup, and no task runs. */
const { fleet, trigger, begun } = watching('backupTrigger', 6, ({ clock, world }) => {
	const { sites, snapshots } = world.store;
	rows = sites.all().map(({ id }) => sites.get(id)!);
	for (const site of rows) {
		site.backups.enabled = true;
		for (const { id } of snapshots.ofSite(site.id)) snapshots.delete(id);
		backUp(site, 'succeeded');
	}
	clock.advance(HOUR);
	world.settle();
});

const simplified = { output: 'simplified' };
const routes = () => fleet.sent().map(({ route }) => route);
const pass = (hours: number) => fleet.clock.advance(hours * HOUR);
const tagOf = (id: string) => ({ tagId: locator(id, 'list') });

function endSync(site: SiteRow, status: string): void {
	site.sync.last_sync_at = fleet.world.timestamp();
	site.sync.last_sync_status = status;
}

/** A sync that has made a snapshot, which is shown as the newest one. */
function backUp(site: SiteRow, status: SnapshotRow['status']): SnapshotRow {
	const snapshot = addBackup(fleet, site, status);
	endSync(site, status);
	return snapshot;
}

const backUpAll = (sites: SiteRow[]) => sites.forEach((each) => backUp(each, 'succeeded'));

/** A task of a minute. */
const start = (
	type: TaskType,
	site: SiteRow,
	outcome: 'completed' | 'failed' = 'completed',
	more: object = {},
) =>
	startTaskNow(fleet.world, { type, siteIds: [site.id], outcome, durationMs: MINUTE, ...more }).id;

const end = () => {
	fleet.clock.advance(2 * MINUTE);
	fleet.world.settle();
};

describe('backups', () => {
	const BOTH = ['backupFinished', 'backupFailed'];

	it('a sync in another status is neither finished nor failed, until it has ended', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await begun([...BOTH, 'otherStatus']);
		endSync(site, 'timed_out');
		expect(told(await poll())).toEqual([`otherStatus ${site.id}`]);
		pass(3);
		expect(await poll()).toBeNull();
		site.sync.last_sync_status = 'Succeeded';
		expect(told(await poll())).toEqual([`backupFinished ${site.id}`]);
		endSync(site, 'cancelled');
		expect(told(await poll())).toEqual([`backupFailed ${site.id}`]);
	});

	it.each(['succeeded', 'failed'] as const)(
		'an item names the snapshot of a sync that %s',
		async (status) => {
			const [site] = rows as [SiteRow];
			const { poll } = await begun(BOTH, simplified);
			const { id, created_at } = backUp(site, status);
			fleet.clock.advance(MINUTE);
			const [item] = (await poll())!;
			const { site_title: title, snapshot_id: snapshot, snapshot_created_at: at } = item!;
			expect([title, snapshot, at, item!.status]).toEqual([site.title, id, created_at, status]);
			// What an event does not know, its item does not have.
			expect(item!.last_backup_at).toBe(status === 'succeeded' ? created_at : undefined);
			expect(item).not.toHaveProperty('hours_since');
			site.security.scanner.status = 'hacked';
			backUp(site, status);
			fleet.clock.advance(MINUTE);
			expect((await poll())![0]).not.toHaveProperty('last_backup_at');
		},
	);

	it.each<[string, SnapshotRow['status'], number, string]>([
		['a good one, when the sync failed', 'succeeded', 0, 'failed'],
		['one that failed long before', 'failed', 2, 'failed'],
		['one that failed, when the sync succeeded', 'failed', 0, 'succeeded'],
		['a good one of yesterday', 'succeeded', 24, 'succeeded'],
	])('an item does not name %s', async (_what, status, hoursAgo, ended) => {
		const [site] = rows as [SiteRow];
		backUp(site, status);
		fleet.clock.advance(hoursAgo * HOUR + 1_000);
		const { poll } = await begun(BOTH, simplified);
		fleet.clock.advance(MINUTE);
		endSync(site, ended);
		fleet.clock.advance(MINUTE);
		const [item] = (await poll())!;
		expect(item).toMatchObject({ site_id: site.id, snapshot_id: null, snapshot_created_at: null });
	});

	it('many that end at once do not wait for restores', async () => {
		const { poll } = await begun(['backupFailed', 'restoreFinished']);
		const { sites } = fleet.world.store;
		for (let index = 0; index < 240; index++) sites.insert({ ...rows[0]!, id: `many${index}` });
		for (const { id } of sites.peek()) {
			const site = sites.get(id)!;
			site.sync = { ...site.sync };
			endSync(site, 'failed');
		}
		start('restore', rows[0]!);
		end();
		fleet.forget();
		const items = told(await poll());
		expect(items.filter((each) => each.startsWith('backupFailed'))).toHaveLength(246);
		expect(items).toHaveLength(247);
		expect(routes().filter((route) => route !== 'GET /sites')).toHaveLength(2);
	});
});

describe('overdue backups', () => {
	const OVERDUE = ['backupOverdue'];
	/** Every poll may look. */
	const often = { overdueHours: 4, checkEveryMinutes: 1 };

	it('a site whose syncs fail every day is overdue once, by its newest good one', async () => {
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

	it('a hacked site whose backups are hacked is overdue by its last good one', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await trigger(OVERDUE, often);
		const { created_at: last } = backUp(site, 'succeeded');
		await poll();
		pass(3);
		const hacked = backUp(site, 'succeeded');
		site.security.scanner.status = hacked.security.scanner.status = 'hacked';
		// A scan ends after its backup was made.
		site.security.scanner.malware_detected_at = new Date(fleet.clock.now() + 60_000).toISOString();
		pass(1.5);
		const found = (await poll())!.find(({ id }) => id === site.id);
		expect(found).toMatchObject({ last_backup_at: last, hours_since: 4 });
		backUpAll(rows);
		site.security.scanner.status = 'clean';
		pass(1);
		expect(await poll()).toBeNull();
	});

	it('asks a site that fails for its good one only now and then', async () => {
		const { poll } = await begun(OVERDUE);
		backUp(rows[0]!, 'failed');
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
		const both = await begun(OVERDUE, often);
		const options = { includeSitesWithoutBackups: false };
		const fewer = await begun(OVERDUE, { ...often, options });
		const { data } = await fleet.api.post('/sites', { site: { url: 'https://new.example.com' } });
		expect(await both.poll()).toBeNull();
		pass(3);
		backUpAll(rows);
		expect(await both.poll()).toBeNull();
		pass(1);
		expect(await both.poll()).toEqual([
			expect.objectContaining({ id: data.site.id, last_backup_at: null, hours_since: null }),
		]);
		expect(told(await fewer.poll())).not.toContain(`backupOverdue ${data.site.id}`);
		// A site that has only failed ones is no new one.
		backUp(fleet.world.store.sites.get(data.site.id)!, 'failed');
		backUpAll(rows);
		pass(1);
		expect(await both.poll()).toBeNull();
		expect(told(await fewer.poll())).toEqual([`backupOverdue ${data.site.id}`]);
	});

	it('reads the list of sites as often as the setting says', async () => {
		const { poll } = await begun(OVERDUE, { overdueHours: 4, checkEveryMinutes: 30 });
		fleet.forget();
		for (let minute = 0; minute < 60; minute++) {
			fleet.clock.advance(MINUTE);
			await poll();
		}
		expect(routes()).toEqual(['GET /sites', 'GET /sites']);
	});

	it('one site whose snapshots cannot be read holds up no others', async () => {
		const [site, other] = rows as [SiteRow, SiteRow];
		const { poll } = await begun(OVERDUE, often);
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

	it.each([0, 1])(
		'a test run shows an overdue site, also one whose newest backup failed: %d',
		async (at) => {
			const [failing, late] = rows as [SiteRow, SiteRow];
			pass(48);
			const overdue = [failing, late][at]!;
			backUp(failing, 'failed');
			backUpAll(rows.filter((each) => each !== overdue));
			const { test } = await trigger(OVERDUE);
			expect(told(await test())).toEqual([`backupOverdue ${overdue.id}`]);
		},
	);
});

describe.each<[TaskType, finished: string, failed: string]>([
	['restore', 'restoreFinished', 'restoreFailed'],
	['migrate', 'migrationFinished', 'migrationFailed'],
])('tasks of the type %s', (type, finished, failed) => {
	it('are reported once after their end, with the site', async () => {
		const [good, bad, other] = rows as [SiteRow, SiteRow, SiteRow];
		start(type, other);
		end();
		const { poll } = await begun([finished, failed], simplified);
		const tasks = [start(type, good), start(type, bad, 'failed')];
		start('test_restore', other, 'failed');
		expect(await poll()).toBeNull();
		end();
		const items = (await poll())!;
		expect(items).toHaveLength(2);
		for (const [index, site] of [good, bad].entries()) {
			const { id, status, updated_at, input } = fleet.world.store.tasks.get(tasks[index]!)!;
			expect(items.find(({ task_id }) => task_id === id)).toEqual({
				event: index === 0 ? finished : failed,
				scanner_status: 'clean',
				site_title: site.title,
				site_url: site.url,
				status,
				error:
					index === 0 ? null : expect.stringMatching(new RegExp(`^step .* on site ${site.id}: `)),
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
		const id = start(type, rows[0]!, 'completed', { durationMs: 2 * HOUR });
		pass(1);
		fleet.forget();
		const { poll } = await begun([finished]);
		const asked = fleet.sent().map(({ query }) => query);
		expect(asked.map((query) => [query['filters[type:eq]'], query['filters[status:eq]']])).toEqual(
			[undefined, 'initializing', 'running'].map((status) => [type, status]),
		);
		pass(2);
		expect(told(await poll())).toEqual([`${finished} ${id}`]);
	});

	it('cost one request for the site of an event, and one for the steps of a failure', async () => {
		const [good, bad] = rows as [SiteRow, SiteRow];
		const { poll } = await begun([finished, failed]);
		start(type, good);
		end();
		fleet.forget();
		await poll();
		expect(routes()).toEqual(['GET /tasks', `GET /sites/${good.id}`]);
		const id = start(type, bad, 'failed');
		end();
		fleet.forget();
		await poll();
		const both = [`GET /sites/${bad.id}`, `GET /tasks/${id}`];
		expect(routes().sort()).toEqual(['GET /tasks', ...both].sort());
	});

	it('of sites by tag, by client, chosen, or except a tag', async () => {
		const [one, other, third] = rows as [SiteRow, SiteRow, SiteRow];
		const tag = addTag(fleet, 'care');
		const [client, elsewhere] = fleet.world.store.clients.all();
		for (const site of rows) site.internal.client_id = elsewhere!.id;
		one.internal.tag_ids = [tag];
		other.internal.client_id = third.internal.client_id = client!.id;
		const cases: Array<[INodeParameters, SiteRow[]]> = [
			[tagOf(tag), [one]],
			[{ clientId: locator(client!.id) }, [other, third]],
			[{ ...tagOf(tag), clientId: locator(elsewhere!.id) }, [one]],
			[{ siteIds: [one.id, third.id] }, [one, third]],
			[{ options: { exceptTagIds: [tag] } }, rows.slice(1)],
		];
		for (const [parameters, wanted] of cases) {
			const { poll } = await begun([finished, failed], { ...simplified, ...parameters });
			rows.forEach((site, index) => start(type, site, index % 2 ? 'failed' : 'completed'));
			end();
			fleet.forget();
			const items = (await poll())!.map(({ site_id }) => site_id).sort();
			expect(items).toEqual(wanted.map(({ id }) => id).sort());
			expect(await poll()).toBeNull();
			// Those that are not chosen are not looked at.
			if ('siteIds' in parameters)
				expect(routes().filter((route) => route.startsWith('GET /sites/'))).toHaveLength(2);
		}
	});

	it('with a site that cannot be read: the event waits, and comes without its names', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await begun([finished], { ...simplified, ...tagOf(addTag(fleet, 'care')) });
		const id = start(type, site);
		end();
		await fleet.admin.post('/faults', { server_errors: { path: `/sites/${site.id}` } });
		for (let minute = 0; minute < 4; minute++) {
			expect(await poll()).toBeNull();
			fleet.clock.advance(MINUTE);
		}
		fleet.clock.advance(MINUTE);
		expect(await poll()).toEqual([
			expect.objectContaining({ event: finished, site_title: null, site_id: site.id, task_id: id }),
		]);
		expect(await poll()).toBeNull();
	});

	it('that name no site are reported without names', async () => {
		const [site] = rows as [SiteRow];
		const parameters = { ...simplified, siteIds: [site.id] };
		const { poll } = await begun([finished], parameters);
		start(type, site, 'completed', { siteIds: [], input: {} });
		end();
		expect(await poll()).toEqual([
			expect.objectContaining({ event: finished, site_id: null, site_title: null }),
		]);
	});

	it('a failure whose steps cannot be read comes at once, with the site', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await begun([failed], simplified);
		const id = start(type, site, 'failed');
		end();
		await fleet.admin.post('/faults', { server_errors: { path: `/tasks/${id}` } });
		expect(await poll()).toEqual([
			expect.objectContaining({ event: failed, site_title: site.title, error: null }),
		]);
	});

	it('Raw has the task, with its site and the steps of a failure, without the password of the site', async () => {
		const [site] = rows as [SiteRow];
		site.connection.http_auth = { username: 'deploy', password: 'not-for-chats' };
		const { poll } = await begun([failed]);
		const id = start(type, site, 'failed');
		end();
		const [item] = (await poll())!;
		const details = { sites: [{ id: site.id }] };
		const shown = { id: site.id, sync: site.sync };
		expect(item).toMatchObject({ event: failed, id, type, site: shown, details });
		expect(JSON.stringify(item)).not.toContain('not-for-chats');
	});

	it('a test run shows those of the scope only', async () => {
		const [first, ...others] = rows as [SiteRow, ...SiteRow[]];
		const tag = addTag(fleet, 'care');
		first.internal.tag_ids = [tag];
		for (const site of [first, ...others, ...others]) {
			start(type, site);
			end();
		}
		const { test } = await trigger([finished], { ...simplified, ...tagOf(tag) });
		expect([...new Set((await test())!.map(({ site_id }) => site_id))]).toEqual([first.id]);
		first.internal.tag_ids = [];
		await expect(test()).rejects.toThrow('No backup to show yet');
	});
});

describe('sites with an excepted tag', () => {
	const MUTED = { options: { exceptTagIds: ['muted'] } };
	beforeEach(() => void (rows[0]!.internal.tag_ids = [addTag(fleet, 'muted')]));

	it.each<[event: string, happen: (site: SiteRow) => unknown]>([
		['backupFailed', (site) => backUp(site, 'failed')],
		['backupFinished', (site) => backUp(site, 'succeeded')],
		['restoreFailed', (site) => start('restore', site, 'failed', { durationMs: 1_000 })],
		['restoreFinished', (site) => start('restore', site, 'completed', { durationMs: 1_000 })],
	])('do not start the workflow with %s, nor later without the tag', async (event, happen) => {
		const [muted, other] = rows as [SiteRow, SiteRow];
		const { poll } = await begun([event], { ...MUTED, ...simplified });
		fleet.clock.advance(MINUTE);
		happen(muted);
		happen(other);
		fleet.clock.advance(MINUTE);
		expect(told(await poll())).toEqual([`${event} ${other.id}`]);
		muted.internal.tag_ids = [];
		for (let round = 0; round < 3; round++) {
			pass(1);
			expect(await poll()).toBeNull();
		}
	});

	it('do not start the workflow with Backup Overdue, nor later without the tag, until there was a good one', async () => {
		const [muted, late, ...others] = rows as [SiteRow, SiteRow, ...SiteRow[]];
		const { poll } = await begun(['backupOverdue'], { ...MUTED, checkEveryMinutes: 1 });
		pass(40);
		backUpAll(others);
		expect(told(await poll())).toEqual([`backupOverdue ${late.id}`]);
		muted.internal.tag_ids = [];
		fleet.clock.advance(MINUTE);
		expect(await poll()).toBeNull();
		backUpAll(rows);
		fleet.clock.advance(MINUTE);
		expect(await poll()).toBeNull();
		pass(40);
		expect(told(await poll())).toContain(`backupOverdue ${muted.id}`);
	});
});

it('an item of a failed backup has its error and no lists, simplified', async () => {
	const [site] = rows as [SiteRow];
	const { poll } = await begun(['backupFailed'], simplified);
	fleet.clock.advance(MINUTE);
	endSync(site, 'failed');
	site.sync.last_sync_error = 'The disk of the host is full';
	fleet.clock.advance(MINUTE);
	const [item] = (await poll())!;
	expect(Object.values(item!).filter((value) => !isFlat(value))).toEqual([]);
	expect(item).toMatchObject({
		event: 'backupFailed',
		site_title: site.title,
		site_url: site.url,
		status: 'failed',
		error: 'The disk of the host is full',
		ended_at: site.sync.last_sync_at,
		last_backup_at: site.backups.latest_snapshot!.created_at,
		snapshot_id: null,
		site_id: site.id,
		task_id: null,
	});
	expect(item).not.toHaveProperty('id');
});

everyEventHasExample('backupTrigger');
