import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { addReport } from '../../../sandbox/service/domain/reports/rules';
import { addStagingSite } from '../../../sandbox/service/domain/stagingSites/rules';
import { type NodeRun, runNode } from '../../support/engine';
import { inStep, fleetEach } from '../../support/fleet';
import { locator } from '../../support/locator';
import { useClock } from '../../support/transportClock';

/** What comes out of waiting: what was made, found where the task does not name it. */

const fleet = fleetEach({ sites: 20 });
let site: { id: string; title: string; url: string };
let snapshot: { id: string; created_at: string };

beforeEach(async () => {
	inStep(fleet);
	const { sites, snapshots } = fleet.world.store;
	const good = snapshots.all().find(({ status, site_id: id }) => {
		const of = sites.get(id)!;
		return status === 'succeeded' && of.connection.status === 'connected' && of.backups.enabled;
	})!;
	snapshot = good;
	site = sites.get(good.site_id)!;
});

const day = () => snapshot.created_at.slice(0, 10);

const of = (resource: string, operation: string, more: INodeParameters = {}) => ({
	node: resource,
	parameters: { resource, operation, waitForCompletion: true, ...more },
});

const report = (more: INodeParameters = {}) =>
	of('report', 'create', {
		...{ siteId: locator(site.id), startDate: day(), endDate: day() },
		...more,
	});

const ofSnapshot = (resource: string, operation: string, more: INodeParameters = {}) =>
	of(resource, operation, {
		...{ siteId: locator(site.id), snapshotId: locator(snapshot.id) },
		...more,
	});
const staging = (more: INodeParameters = {}) => ofSnapshot('stagingSite', 'create', more);
const backup = (operation: string, more: INodeParameters = {}) =>
	ofSnapshot('backup', operation, more);

/** What comes out of a run that does not fail. */
const outOf = async (run: NodeRun) => {
	const { json, error } = await runNode(fleet, run);
	expect(error).toBeUndefined();
	return json;
};
const one = (fields: object) => [expect.objectContaining(fields)];

const taskNow = () => fleet.world.store.tasks.all().at(-1)!;

/** Has another record of the kind made while the task runs. */
function meanwhile(make: () => void): void {
	let left = 1;
	useClock({
		now: () => fleet.clock.now(),
		sleep: (ms) => {
			fleet.clock.advance(ms);
			if (left-- === 1) make();
		},
	});
}

const another = {
	report: (on = day()) => {
		const [one] = fleet.world.store.reports.peek();
		addReport(
			fleet.world,
			{
				site_id: site.id,
				type: 'one_time',
				timezone: 'UTC',
				start_date: on,
				end_date: on,
				data: one!.internal.data,
			},
			fleet.world.timestamp(fleet.clock.now()),
		);
	},
	staging: (id = snapshot.id) =>
		addStagingSite(
			fleet.world,
			{ site_id: site.id, php_version: '8.2', snapshot: { id, created_at: snapshot.created_at } },
			fleet.clock.now(),
		),
};

describe('a report', () => {
	it('comes out as Simplified, with its task', async () => {
		const json = await outOf(report());
		const made = fleet.world.store.reports.all().at(-1)!;
		const task = taskNow();
		expect(json).toEqual(
			one({
				report_id: made.id,
				title: made.title,
				site_id: site.id,
				site_url: site.url,
				task_id: task.id,
				task_status: 'completed',
				task_started_at: task.created_at,
				task_ended_at: task.updated_at,
			}),
		);
		expect(json[0]).not.toHaveProperty('email');
	});

	it.each([
		['raw', { email: expect.any(Object), id: expect.any(String) }],
		['selected', { title: expect.any(String), report_id: expect.any(String) }],
	])('and as %s', async (output, fields) => {
		const json = await outOf(report({ output, outputFields: ['id', 'title'] }));
		expect(json).toEqual(one({ ...fields, task_id: taskNow().id }));
		expect(json[0]!.task_status).toBe('completed');
	});

	it('names both of two that match, returns neither, and creates nothing again', async () => {
		meanwhile(() => another.report());
		const { json, error } = await runNode(fleet, report());
		const made = fleet.world.store.reports.all().slice(-2);
		const task = taskNow();
		expect(json).toEqual([]);
		expect(error!.message).toContain(`The task ${task.id} has ended, but 2 reports match it: `);
		for (const { id } of made) expect(error!.message).toContain(id);
		expect(error!.description).not.toContain('Nothing was');
		const { details } = (error as unknown as { context: { details: object } }).context;
		expect(details).toMatchObject({ outcome: 'started', taskId: task.id });
		expect(fleet.routes().filter((route) => route.startsWith('POST '))).toHaveLength(1);
	});

	it('of two reports on the site, returns the one for the requested days', async () => {
		meanwhile(() => another.report('2026-02-01'));
		const json = await outOf(report());
		expect(json).toEqual(one({ start_date: day() }));
	});

	it('that is nowhere is an error that names the task', async () => {
		let before = Infinity;
		useClock({
			now: () => fleet.clock.now(),
			sleep: (ms) => {
				fleet.clock.advance(ms);
				fleet.world.settle();
				const { reports } = fleet.world.store;
				before = Math.min(before, reports.peek().length);
				for (const { id } of reports.all().slice(before)) reports.delete(id);
			},
		});
		const { error } = await runNode(fleet, report());
		expect(error!.message).toBe(
			`The task ${taskNow().id} has ended, but the report that it created was not found`,
		);
		expect(error!.description).toContain('Report: Get Many');
		expect(fleet.routes().filter((route) => route.startsWith('POST '))).toHaveLength(1);
	});

	it('without waiting the task comes at once', async () => {
		const json = await outOf(report({ waitForCompletion: false }));
		const { id, created_at: started } = taskNow();
		expect(json).toEqual([
			{ task_id: id, site_id: site.id, task_status: 'queued', task_started_at: started },
		]);
	});

	it('a failed task is an error, or the task with its error; Raw returns it unchanged', async () => {
		fleet.world.store.taskFailures.insert({ id: 'f1', type: 'report' } as never);
		const returned = { waitOptions: { onFailure: 'return' } };
		const json = await outOf(report(returned));
		const { id, created_at: started, updated_at: ended } = taskNow();
		expect(json).toEqual([
			{
				error: expect.stringContaining(`step report on site ${site.id}: `),
				task_id: id,
				site_id: site.id,
				task_status: 'failed',
				task_started_at: started,
				task_ended_at: ended,
			},
		]);
		fleet.world.store.taskFailures.insert({ id: 'f2', type: 'report' } as never);
		const raw = await outOf(report({ ...returned, output: 'raw' }));
		expect(raw).toEqual(one({ id: taskNow().id, status: 'failed', details: expect.any(Object) }));
		fleet.world.store.taskFailures.insert({ id: 'f3', type: 'report' } as never);
		const { error } = await runNode(fleet, report());
		expect(error!.message).toContain(`The task ${taskNow().id} ended as failed: step report`);
	});
});

describe('a staging site', () => {
	it('comes out with its URL and its task', async () => {
		const json = await outOf(staging());
		const made = fleet.world.store.stagingSites.all().at(-1)!;
		expect(json).toEqual(
			one({
				staging_site_id: made.id,
				url: made.url,
				site_id: site.id,
				snapshot_id: snapshot.id,
				task_id: taskNow().id,
			}),
		);
		expect(JSON.stringify(json)).not.toContain(made.credentials.http_auth.password);
	});

	it('of two, returns the one of the requested snapshot', async () => {
		meanwhile(() => another.staging('0123456789abcdef01234567'));
		const json = await outOf(staging());
		expect(json).toEqual(one({ snapshot_id: snapshot.id }));
	});

	it('of two of the same snapshot, returns neither', async () => {
		meanwhile(() => another.staging());
		const { error } = await runNode(fleet, staging());
		expect(error!.message).toContain('but 2 staging sites match it: ');
	});

	it('whose PHP version was changed comes out as it is then', async () => {
		const made = another.staging();
		const json = await outOf(
			of('stagingSite', 'updatePhpVersion', { stagingSiteId: locator(made.id), phpVersion: '8.3' }),
		);
		expect(json).toEqual(
			one({
				staging_site_id: made.id,
				php_version: '8.3',
				task_id: taskNow().id,
			}),
		);
	});

	it('that was packaged is named with the task', async () => {
		const made = another.staging();
		const json = await outOf(of('stagingSite', 'download', { stagingSiteId: locator(made.id) }));
		expect(json).toEqual(
			one({
				staging_site_id: made.id,
				task_id: taskNow().id,
				task_type: 'download_staging',
				task_status: 'completed',
			}),
		);
	});
});

describe('work on a snapshot', () => {
	it.each<[string, INodeParameters, IDataObject]>([
		['download', {}, {}],
		['upload', {}, { provider: 'cloudstore_a' }],
		['restore', {}, { site_title: expect.any(String), site_url: expect.any(String) }],
	])('%s gives the site, the snapshot and the task', async (operation, more, fields) => {
		const json = await outOf(backup(operation, more));
		const { id, created_at: started, updated_at: ended } = taskNow();
		expect(json).toEqual([
			{
				task_type: operation,
				task_type_name: expect.any(String),
				task_status: 'completed',
				task_started_at: started,
				task_ended_at: ended,
				duration_seconds: expect.any(Number),
				task_id: id,
				site_id: site.id,
				snapshot_id: snapshot.id,
				...{ files: 'all', tables: 'all', scope_check: null },
				...(operation !== 'download' && {
					snapshot_created_at: snapshot.created_at,
					snapshot_scanner_status: expect.any(String),
				}),
				...fields,
			},
		]);
	});

	it('migrate names the destination', async () => {
		const [other] = fleet.world.store.sites
			.all()
			.filter(({ id, connection }) => id !== site.id && connection.status === 'connected');
		const json = await outOf(backup('migrate', { destinationUrl: other!.url }));
		expect(json).toEqual(one({ site_id: site.id, destination_url: other!.url }));
	});

	it('Raw returns the whole task with the IDs', async () => {
		const json = await outOf(backup('download', { output: 'raw' }));
		expect(json).toEqual(
			one({
				id: taskNow().id,
				task_id: taskNow().id,
				snapshot_id: snapshot.id,
				details: expect.any(Object),
			}),
		);
	});
});

it('a sync gives its snapshot in the chosen Output, with the site', async () => {
	const sync = (more: INodeParameters) =>
		of('backup', 'sync', { siteId: locator(site.id), ...more });
	const json = await outOf(sync({}));
	expect(json).toEqual(
		one({
			snapshot_id: fleet.world.store.snapshots.all().at(-1)!.id,
			site_id: site.id,
			status: 'succeeded',
			files_bytes: expect.any(Number),
		}),
	);
	const raw = await outOf(sync({ output: 'raw' }));
	expect(raw).toEqual(one({ site_id: site.id, backups: expect.any(Object) }));
});

describe('Task: Wait Until Finished', () => {
	const wait = (id: string, more: INodeParameters = {}) => ({
		node: 'task',
		parameters: { resource: 'task', operation: 'wait', taskId: locator(id), ...more },
	});

	it('names the report that the task has made', async () => {
		const started = await outOf(report({ waitForCompletion: false }));
		const json = await outOf(wait(String(started[0]!.task_id)));
		const made = fleet.world.store.reports.all().at(-1)!;
		expect(json).toEqual(
			one({
				id: taskNow().id,
				report_id: made.id,
				report_title: made.title,
				staging_site_id: null,
			}),
		);
	});

	it('names the staging site, by the snapshot in the request details of the task', async () => {
		const started = await outOf(staging({ waitForCompletion: false }));
		meanwhile(() => another.staging('0123456789abcdef01234567'));
		const json = await outOf(wait(String(started[0]!.task_id), { output: 'raw' }));
		const made = fleet.world.store.stagingSites
			.all()
			.find((one) => one.snapshot.id === snapshot.id)!;
		expect(json).toEqual(one({ staging_site_id: made.id, staging_site_url: made.url }));
	});

	it('refuses two matches', async () => {
		const started = await outOf(staging({ waitForCompletion: false }));
		meanwhile(() => another.staging());
		const { error } = await runNode(fleet, wait(String(started[0]!.task_id)));
		expect(error!.message).toContain('but 2 staging sites match it: ');
	});

	it('asks for nothing more after a task that makes no record', async () => {
		const { id } = startTaskNow(fleet.world, { type: 'restore', siteIds: [site.id] });
		fleet.clock.advance(600_000);
		const json = await outOf(wait(id));
		expect(json).toEqual(one({ id, report_id: null }));
		// But for the name of its site.
		expect(fleet.routes()).toEqual([`GET /tasks/${id}`, `GET /sites/${site.id}`]);
	});

	it('ignores records created after the task ended', async () => {
		const started = await outOf(report({ waitForCompletion: false }));
		fleet.clock.advance(600_000);
		fleet.world.catchUp();
		const made = fleet.world.store.reports.all().at(-1)!;
		another.report();
		const json = await outOf(wait(String(started[0]!.task_id)));
		expect(json).toEqual(one({ report_id: made.id }));
	});

	it('leaves the ID blank where the record of an old task is gone, after one search', async () => {
		const { id } = startTaskNow(fleet.world, { type: 'report', siteIds: [site.id] });
		fleet.clock.advance(600_000);
		const json = await outOf(wait(id));
		expect(json).toEqual(one({ id, report_id: null }));
		expect(fleet.routes()).toEqual([`GET /tasks/${id}`, 'GET /reports', `GET /sites/${site.id}`]);
	});
});
