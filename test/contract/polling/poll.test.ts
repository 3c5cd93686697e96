import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { addReport } from '../../../sandbox/service/domain/reports/rules';
import { dataFrom } from '../../../sandbox/service/domain/reportTemplates/rules';
import { addStagingSite } from '../../../sandbox/service/domain/stagingSites/rules';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { activate } from '../../support/engine';
import { inStep, START, startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward } from '../../support/wayward';

/** What all triggers have alike, and what a poll makes of lists that the service of the sandbox never gives. */

const MINUTE = 60_000;

let fleet: Fleet;
let ids: string[];

/** A fleet in which nothing has happened yet, and only what a test does happens. */
beforeEach(async () => {
	fleet = await startFleet({ sites: 8 });
	inStep(fleet);
	fleet.clock.advance(60 * MINUTE);
	fleet.world.settle();
	const { store } = fleet.world;
	const { activityLogs, autoUpdateHistory, autoUpdateSchedules, reports } = store;
	for (const rows of [activityLogs, autoUpdateHistory, autoUpdateSchedules, reports]) {
		for (const { id } of rows.peek()) rows.delete(id);
	}
	for (const { id, type } of store.tasks.peek())
		if (type === 'test_restore') store.tasks.delete(id);
	for (const { id } of store.scheduledReports.all()) store.scheduledReports.delete(id);
	for (const { id } of store.stagingSites.all()) store.stagingSites.delete(id);
	ids = store.sites.all().map(({ id }) => id);
	for (const id of ids) {
		const site = store.sites.get(id)!;
		site.connection.status = 'connected';
		site.backups.enabled = site.activity_logs.enabled = true;
		site.sync.last_sync_status = 'succeeded';
	}
	fleet.clock.advance(60 * MINUTE);
});
afterEach(async () => await fleet.close());

/** Each time the site is another one. */
let turn = 0;
const nextSite = () => fleet.world.store.sites.get(ids[turn++ % ids.length]!)!;

interface Example {
	node: string;
	parameters: () => INodeParameters;
	/** Has something happen, and gives what the item of it is known by. */
	happen: () => string;
	keyOf?: (item: IDataObject) => unknown;
	/** What it is called where there is none to show. */
	name: string;
}

const examples: Example[] = [
	{
		node: 'taskTrigger',
		parameters: () => ({ events: ['completed'], filters: { taskTypes: ['test_restore'] } }),
		happen: () => {
			const siteIds = [nextSite().id];
			const { id } = startTaskNow(fleet.world, {
				type: 'test_restore',
				siteIds,
				durationMs: 1_000,
			});
			fleet.clock.advance(2_000);
			return id;
		},
		name: 'task',
	},
	{
		node: 'autoUpdateTrigger',
		parameters: () => ({ events: ['noUpdates'] }),
		happen: () => {
			const { world } = fleet;
			const id = world.random.hex(24);
			const auto_update_schedule = { id, name: 'Nightly' };
			const performed_on = world.timestamp();
			const run = { id, auto_update_schedule, performed_on, task_id: null, sites: [] };
			return world.store.autoUpdateHistory.insert(run).id;
		},
		keyOf: ({ auto_update_schedule: schedule }) => (schedule as IDataObject).id,
		name: 'run of automatic updates',
	},
	{
		node: 'reportTrigger',
		parameters: () => ({ events: ['created'] }),
		happen: () => {
			const data = dataFrom(fleet.world, '', {});
			const dates = { start_date: '2026-02-01', end_date: '2026-02-28', timezone: 'UTC' };
			return addReport(fleet.world, { site_id: ids[0]!, type: 'one_time', ...dates, data })!.id;
		},
		name: 'report',
	},
	{
		node: 'backupTrigger',
		parameters: () => ({ events: ['backupFailed'] }),
		happen: () => {
			const { id, sync } = nextSite();
			Object.assign(sync, {
				last_sync_at: fleet.world.timestamp(),
				last_sync_status: 'failed',
			});
			return id;
		},
		name: 'backup',
	},
	{
		node: 'siteTrigger',
		parameters: () => ({ events: ['disconnected'] }),
		happen: () => {
			const site = nextSite();
			site.connection.status = 'disconnected';
			site.updated_at = fleet.world.timestamp();
			return site.id;
		},
		name: 'site',
	},
	{
		node: 'stagingSiteTrigger',
		parameters: () => ({ events: ['created'] }),
		happen: () => {
			const snapshot = { id: 'abc', created_at: fleet.world.timestamp() };
			const order = { site_id: ids[0]!, php_version: '8.2', snapshot };
			return addStagingSite(fleet.world, order).id;
		},
		name: 'staging site',
	},
	{
		node: 'activityLogTrigger',
		parameters: () => ({ siteId: locator(ids[0]) }),
		happen: () => {
			const entry = {
				id: `entry-${turn++}`,
				site_id: ids[0]!,
				username: 'editor',
				ip_address: '203.0.113.7',
				country_code: 'DE',
				object_type: 'plugin',
				event_type: 'updated',
				event_details: {},
				timestamp: fleet.world.timestamp(),
			} as const;
			return fleet.world.store.activityLogs.insert(entry).id;
		},
		name: 'log entry',
	},
];

describe.each(examples)('$node', ({ node, parameters, happen, name, ...of }) => {
	const keysOf = (items: IDataObject[] | null) => items?.map(of.keyOf ?? (({ id }) => id)) ?? null;
	const start = async () => {
		const run = { node, parameters: { output: 'raw', ...parameters() } };
		const trigger = await activate(fleet, run);
		return { ...trigger, poll: async () => keysOf(await trigger.poll()) };
	};
	/** Something that happens between two polls. */
	const happens = () => {
		fleet.clock.advance(MINUTE);
		fleet.world.settle();
		return happen();
	};

	it('starts with what happens after the activation, and reports each event once', async () => {
		happens();
		const { poll, restart, reactivate, forgetState } = await start();
		expect(await poll()).toBeNull();
		expect(await poll()).toBeNull();
		// As where n8n has not saved the state of the first poll.
		forgetState();
		const first = happens();
		expect(await poll()).toEqual([first]);
		expect(await poll()).toBeNull();
		const second = happens();
		await restart();
		expect(await poll()).toEqual([second]);
		const third = happens();
		fleet.world.account.active = false;
		await expect(poll()).rejects.toThrow('The account is inactive');
		fleet.world.account.active = true;
		expect(await poll()).toEqual([third]);
		fleet.clock.advance(60 * MINUTE);
		expect(await poll()).toBeNull();
		happens();
		reactivate();
		expect(await poll()).toBeNull();
		const last = happens();
		expect(await poll()).toEqual([last]);
	});

	it('shows an event in a test run, which leaves the state alone, or says that there is none', async () => {
		const { poll, test, state } = await start();
		await poll();
		const before = state();
		await expect(test()).rejects.toThrow(`No ${name} to show yet`);
		const key = happens();
		const shown = keysOf(await test())!;
		expect(shown[0]).toBe(key);
		expect(shown.length).toBeLessThanOrEqual(5);
		expect(state()).toEqual(before);
		expect(await poll()).toEqual([key]);
	});
});

const pageOf = (tasks: IDataObject[]) => ({
	headers: { Date: 'Sun, 01 Mar 2026 12:00:01 GMT' },
	body: { tasks, meta: { pagination: { totalPages: 1 } } },
});
const taskAt = (id: string, updated_at: string) => ({ id, status: 'completed', updated_at });

/** A trigger of completed tasks, and the list that it reads. */
async function over(tasks: IDataObject[]) {
	const list = { tasks };
	const service = await startWayward(() => pageOf(list.tasks));
	const parameters = { events: ['completed'] };
	const { poll, state } = await activate(service, { node: 'taskTrigger', parameters });
	await poll();
	const told = async () => (await poll())?.map(({ id }) => id) ?? null;
	return { list, told, state, close: service.close };
}

it('an account without tasks starts with the first one', async () => {
	const { list, told, close } = await over([]);
	list.tasks = [taskAt('first', new Date(START).toISOString())];
	expect(await told()).toEqual(['first']);
	expect(await told()).toBeNull();
	await close();
});

it('times are compared as times, not as texts', async () => {
	const { list, told, close } = await over([taskAt('a', '2026-03-01T12:00:00Z')]);
	const later = ['2026-03-01T12:00:00.500Z', '2026-03-01T13:00:01+01:00'];
	list.tasks = [...list.tasks, ...later.map((at, index) => taskAt('bc'[index]!, at))];
	expect(await told()).toEqual(['b', 'c']);
	expect(await told()).toBeNull();
	await close();
});

const SCRAMBLED = 'a list without the filter or the order that was asked for';

it.each<[string, IDataObject[], string]>([
	[
		'not in order',
		[taskAt('c', '2026-03-01T12:00:02Z'), taskAt('b', '2026-03-01T12:00:01Z')],
		SCRAMBLED,
	],
	[
		'with what is too early',
		[taskAt('b', '2026-03-01T11:00:00Z'), taskAt('c', '2026-03-01T12:00:01Z')],
		SCRAMBLED,
	],
	['without times', [taskAt('b', 'soon')], 'a list without times that can be read'],
])('a list %s is an error, after which nothing is lost', async (_, tasks, message) => {
	const { list, told, state, close } = await over([taskAt('a', '2026-03-01T12:00:00Z')]);
	const before = state();
	list.tasks = tasks;
	await expect(told()).rejects.toThrow(message);
	expect(state()).toEqual(before);
	list.tasks = [taskAt('d', '2026-03-01T12:00:01Z')];
	expect(await told()).toEqual(['d']);
	await close();
});
