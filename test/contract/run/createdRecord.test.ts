import type { IDataObject } from 'n8n-workflow';
import { addReport } from '../../../sandbox/service/domain/reports/rules';
import { addStagingSite } from '../../../sandbox/service/domain/stagingSites/rules';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import {
	description,
	mustSucceed,
	type NodeRun,
	operationRun,
	runNode,
} from '../../support/engine';
import { inStep, fleetEach } from '../../support/fleet';
import { startGate } from '../../support/gate';
import { locator } from '../../support/locator';

/** What comes out of waiting: what was made, found where the task does not name it. */

const fleet = fleetEach({ sites: 20 });
let site: { id: string; title: string; url: string };
let snapshot: { id: string; created_at: string };
let day: string;

beforeEach(() => {
	inStep(fleet);
	const { sites, snapshots } = fleet.world.store;
	snapshot = snapshots.all().find(({ status, site_id: id }) => {
		const of = sites.get(id)!;
		return status === 'succeeded' && of.connection.status === 'connected' && of.backups.enabled;
	})!;
	site = sites.get((snapshot as unknown as { site_id: string }).site_id)!;
	day = snapshot.created_at.slice(0, 10);
});

const of = (resource: string, operation: string, more: object = {}) =>
	operationRun(resource, operation, { waitForCompletion: true, ...more });
const report = (more = {}) =>
	of('report', 'create', { siteId: locator(site.id), startDate: day, endDate: day, ...more });
const ofSnapshot = (resource: string, operation: string, more = {}) => {
	const ids = { siteId: locator(site.id), snapshotId: locator(snapshot.id) };
	return of(resource, operation, { ...ids, ...more });
};
const staging = (more = {}) => ofSnapshot('stagingSite', 'create', more);
const wait = (id: unknown, more = {}) =>
	operationRun('task', 'wait', { taskId: locator(id), ...more });

const outOf = async (run: NodeRun) => mustSucceed(await runNode(fleet, run)).json;
const one = (fields: object) => [expect.objectContaining(fields)];
const taskNow = () => fleet.world.store.tasks.all().at(-1)!;
const ofTask = () => {
	const { id, status, created_at: started, updated_at: ended } = taskNow();
	const times = { task_started_at: started, task_ended_at: ended };
	return { task_id: id, task_status: status, ...times };
};

/** Does something while the task runs. */
const meanwhile = (make: () => void) => {
	let left = 1;
	inStep(fleet, () => {
		if (left-- === 1) make();
	});
};

const anotherReport = (on = day) => {
	const { data } = fleet.world.store.reports.peek()[0]!.internal;
	const days = { start_date: on, end_date: on };
	const fields = { site_id: site.id, type: 'one_time' as const, timezone: 'UTC', ...days, data };
	addReport(fleet.world, fields, fleet.world.timestamp(fleet.clock.now()));
};
const OTHER = '0123456789abcdef01234567';
const anotherStaging = (id = snapshot.id) => {
	const from = { id, created_at: snapshot.created_at };
	const fields = { site_id: site.id, php_version: '8.2', snapshot: from };
	return addStagingSite(fleet.world, fields, fleet.clock.now());
};

describe('a report', () => {
	it('comes out in the chosen Output, with its task', async () => {
		const json = await outOf(report());
		const made = fleet.world.store.reports.all().at(-1)!;
		const ids = { report_id: made.id, site_id: site.id };
		expect(json).toEqual(one({ ...ids, title: made.title, site_url: site.url, ...ofTask() }));
		expect(json[0]).not.toHaveProperty('email');
		const raw = await outOf(report({ output: 'raw' }));
		expect(raw).toEqual(one({ email: expect.any(Object), id: expect.any(String), ...ofTask() }));
		const [selected] = await outOf(report({ output: 'selected', outputFields: ['title'] }));
		expect(selected).toEqual({ site_id: site.id, title: expect.any(String), ...ofTask() });
	});

	it('of two on the site is the one for the requested days', async () => {
		meanwhile(() => anotherReport('2026-02-01'));
		expect(await outOf(report())).toEqual(one({ start_date: day }));
	});

	it('that two can be is neither: an error names both, and nothing is created again', async () => {
		meanwhile(anotherReport);
		const { json, error } = await runNode(fleet, report());
		const made = fleet.world.store.reports.all().slice(-2);
		const { id } = taskNow();
		expect(json).toEqual([]);
		expect(error!.message).toContain(`The task ${id} has ended, but 2 reports match it: `);
		for (const each of made) expect(error!.message).toContain(each.id);
		expect(error!.description).not.toContain('Nothing was');
		expect(error!.context!.details).toMatchObject({ outcome: 'started', taskId: id });
		expect(fleet.changes()).toHaveLength(1);
	});

	it('that cannot be read is an error, and is not created again', async () => {
		const gate = await startGate(fleet, async (route, forward) => {
			if (route === 'GET /reports') throw new Error('no answer');
			await forward();
		});
		const { error } = await runNode(gate, report());
		expect(error!.message).toContain(`${taskNow().id} has ended, but its result cannot be read: `);
		expect(error!.description).toContain('The work was not started again. Use Task: Wait');
		expect(fleet.changes()).toHaveLength(1);
	});

	it('that is nowhere is an error that names the task', async () => {
		const { reports } = fleet.world.store;
		const before = reports.peek().length;
		inStep(fleet, () => {
			fleet.world.settle();
			for (const { id } of reports.all().slice(before)) reports.delete(id);
		});
		const { error } = await runNode(fleet, report());
		expect(error!.message).toBe(
			`The task ${taskNow().id} has ended, but the report that it created was not found`,
		);
		expect(error!.description).toContain('Report: Get Many');
		expect(fleet.changes()).toHaveLength(1);
	});

	it('whose task failed is an error, or the task with its error; Raw returns it unchanged', async () => {
		const fail = (id: string) =>
			fleet.world.store.taskFailures.insert({ id, type: 'report' } as never);
		const returned = { waitOptions: { onFailure: 'return' } };
		fail('f1');
		const json = await outOf(report(returned));
		const why = expect.stringContaining(`step report on site ${site.id}: `);
		const ofSite = { site_id: site.id, site_title: site.title, site_url: site.url };
		expect(json).toEqual([{ error: why, ...ofSite, ...ofTask(), task_status: 'failed' }]);
		fail('f2');
		const raw = await outOf(report({ ...returned, output: 'raw' }));
		expect(raw).toEqual(one({ id: taskNow().id, status: 'failed', details: expect.any(Object) }));
		fail('f3');
		const { error } = await runNode(fleet, report());
		expect(error!.message).toContain(`The task ${taskNow().id} ended as failed: step report`);
	});
});

describe('a staging site', () => {
	it('comes out with its URL and its task, without its passwords', async () => {
		const json = await outOf(staging());
		const { id, url, credentials } = fleet.world.store.stagingSites.all().at(-1)!;
		const ids = { staging_site_id: id, site_id: site.id, snapshot_id: snapshot.id };
		expect(json).toEqual(one({ ...ids, url, task_id: taskNow().id }));
		expect(JSON.stringify(json)).not.toContain(credentials.http_auth.password);
	});

	it('has its sign-in URL and its passwords declared as sensitive', async () => {
		const { sensitiveOutputFields } = await description('stagingSite');
		const of = ['http_auth', 'server', 'database'].map((each) => `${each}.password`);
		expect(sensitiveOutputFields).toEqual([
			...of.map((each) => `credentials.${each}`),
			...of.map((each) => `credentials_${each.replace('.', '_')}`),
			'sso_login_url',
		]);
	});

	it('of two is the one of the requested snapshot', async () => {
		meanwhile(() => anotherStaging(OTHER));
		expect(await outOf(staging())).toEqual(one({ snapshot_id: snapshot.id }));
	});

	it.each<[string, object, object]>([
		['updatePhpVersion', { phpVersion: '8.3' }, { php_version: '8.3' }],
		['download', {}, { task_type: 'download_staging', task_status: 'completed' }],
	])('after %s comes out as it is then, with the task', async (operation, more, fields) => {
		const { id } = anotherStaging();
		const json = await outOf(of('stagingSite', operation, { stagingSiteId: locator(id), ...more }));
		expect(json).toEqual(one({ staging_site_id: id, task_id: taskNow().id, ...fields }));
	});
});

describe('work on a snapshot', () => {
	it.each<[string, IDataObject]>([
		['download', {}],
		['upload', { provider: 'cloudstore_a' }],
		['restore', {}],
	])('%s gives the site, the snapshot and the task', async (operation, fields) => {
		const of = operation !== 'download' && {
			snapshot_created_at: snapshot.created_at,
			snapshot_scanner_status: expect.any(String),
		};
		const more = operation === 'upload' ? fields : {};
		expect(await outOf(ofSnapshot('backup', operation, more))).toEqual([
			{
				...{ task_type: operation, task_type_name: expect.any(String), ...ofTask() },
				...{ task_status: 'completed', duration_seconds: expect.any(Number) },
				...{ site_id: site.id, site_title: site.title, site_url: site.url },
				...{ snapshot_id: snapshot.id },
				...{ files: 'all', tables: 'all', scope_check: null, ...of, ...fields },
			},
		]);
	});

	it('migrate names the destination', async () => {
		const others = fleet.world.store.sites.all().filter(({ id }) => id !== site.id);
		const destinationUrl = others.find(({ connection }) => connection.status === 'connected')!.url;
		const json = await outOf(ofSnapshot('backup', 'migrate', { destinationUrl }));
		expect(json).toEqual(one({ site_id: site.id, destination_url: destinationUrl }));
	});

	it('Raw returns the whole task with the IDs', async () => {
		const json = await outOf(ofSnapshot('backup', 'download', { output: 'raw' }));
		const { id } = taskNow();
		const whole = { id, task_id: id, snapshot_id: snapshot.id, details: expect.any(Object) };
		expect(json).toEqual(one(whole));
	});

	it('a sync gives its snapshot in the chosen Output, with the site', async () => {
		const sync = (more = {}) => of('backup', 'sync', { siteId: locator(site.id), ...more });
		const json = await outOf(sync());
		const { id } = fleet.world.store.snapshots.all().at(-1)!;
		const ids = { snapshot_id: id, site_id: site.id };
		expect(json).toEqual(one({ ...ids, status: 'succeeded', files_bytes: expect.any(Number) }));
		const raw = await outOf(sync({ output: 'raw' }));
		expect(raw).toEqual(one({ site_id: site.id, backups: expect.any(Object) }));
	});
});

describe('Task: Wait Until Finished', () => {
	const begun = async (run: NodeRun) => {
		const json = await outOf({
			...run,
			parameters: { ...run.parameters, waitForCompletion: false },
		});
		return json[0]!.task_id;
	};

	it('names the report that the task has made, and no later one', async () => {
		const task = await begun(report());
		fleet.clock.advance(600_000);
		fleet.world.catchUp();
		const { id, title } = fleet.world.store.reports.all().at(-1)!;
		anotherReport();
		const none = { staging_site_id: null };
		expect(await outOf(wait(task))).toEqual(one({ report_id: id, report_title: title, ...none }));
	});

	it('names the staging site, by the snapshot in the request details of the task', async () => {
		const task = await begun(staging());
		meanwhile(() => anotherStaging(OTHER));
		const json = await outOf(wait(task, { output: 'raw' }));
		const { stagingSites } = fleet.world.store;
		const { id, url } = stagingSites.all().find((each) => each.snapshot.id === snapshot.id)!;
		expect(json).toEqual(one({ staging_site_id: id, staging_site_url: url }));
	});

	it('refuses two matches', async () => {
		const task = await begun(staging());
		meanwhile(() => anotherStaging());
		const { error } = await runNode(fleet, wait(task));
		expect(error!.message).toContain('but 2 staging sites match it: ');
	});

	it.each([
		['makes no record', 'restore', []],
		['is old, and whose record is gone', 'report', ['GET /reports']],
	] as const)('leaves the ID blank of a task that %s', async (_, type, looks) => {
		const { id } = startTaskNow(fleet.world, { type, siteIds: [site.id] });
		fleet.clock.advance(600_000);
		expect(await outOf(wait(id))).toEqual(one({ id, report_id: null }));
		expect(fleet.routes()).toEqual([`GET /tasks/${id}`, ...looks, `GET /sites/${site.id}`]);
	});
});
