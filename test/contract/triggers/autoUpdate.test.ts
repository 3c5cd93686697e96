import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type {
	AutoUpdateHistoryRow,
	SiteUpdates,
} from '../../../sandbox/service/domain/autoUpdates/rows';
import { takeViolations } from '../../support/checkAnswers';
import { activate, everyEventHasExample } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { useClock } from '../../support/transportClock';
import { isFlat } from '../../support/operationCases';
import { locator } from '../../support/locator';

const HOUR = 3_600_000;
/** An ID as the service makes them: no look is taken at it. */
const OTHER = 'b0b0b0b0b0b0b0b0b0b0b0b0';

let fleet: Fleet;
let siteIds: string[];

beforeEach(async () => {
	useClock({ now: Date.now, sleep: () => {} });
	fleet = await startFleet({ sites: 5 });
	inStep(fleet);
	siteIds = (await fleet.sites(5)).map(({ id }) => id as string);
	const { autoUpdateSchedules } = fleet.world.store;
	// Only what a test does happens.
	for (const { id } of autoUpdateSchedules.all()) autoUpdateSchedules.delete(id);
});
afterEach(async () => await fleet.close());

const trigger = async (events: string[], more: INodeParameters = {}) =>
	await activate(fleet, {
		node: 'autoUpdateTrigger',
		parameters: { events, output: 'raw', ...more },
	});

const versions = (from: string, to: string) => ({ current_version: from, target_version: to });
const plugin = (name: string) => ({
	name,
	slug: name,
	filename: `${name}/${name}.php`,
	...versions('1.0', '1.1'),
});
const theme = (name: string) => ({ name, slug: name, filename: name, ...versions('2.0', '2.2') });

const twoSites = (): SiteUpdates[] => [
	{ id: siteIds[0]!, wp: { core: versions('6.4', '6.5'), plugins: [plugin('cache')], themes: [] } },
	{ id: siteIds[1]!, wp: { plugins: [plugin('forms')], themes: [theme('plain')] } },
];

/** Starts a run of a schedule, as the service does when its time has come: it runs for a minute. */
function run(
	schedule = 'daily',
	outcome: 'completed' | 'failed' | 'nothing' = 'completed',
	sites = twoSites(),
): AutoUpdateHistoryRow {
	const { world } = fleet;
	const id = world.random.hex(24);
	const task =
		outcome === 'nothing'
			? undefined
			: startTaskNow(world, { type: 'wp_site_update', siteIds, outcome, durationMs: 60_000 });
	return world.store.autoUpdateHistory.insert({
		id,
		auto_update_schedule: { id: schedule, name: `The ${schedule} one` },
		performed_on: world.timestamp(),
		task_id: task?.id ?? null,
		sites: task ? sites : [],
	});
}

const told = (items: IDataObject[] | null) =>
	items?.map(({ event, auto_update_schedule: schedule, status }) => [
		event,
		(schedule as IDataObject).id,
		status,
	]) ?? null;

it('a run is emitted when it starts and when it ends, once each', async () => {
	const { poll } = await trigger(['started', 'completed', 'failed']);
	await poll();
	run();
	fleet.clock.advance(30_000);
	expect(told(await poll())).toEqual([['started', 'daily', 'running']]);
	expect(await poll()).toBeNull();
	fleet.clock.advance(60_000);
	expect(told(await poll())).toEqual([['completed', 'daily', 'completed']]);
	fleet.clock.advance(HOUR);
	expect(await poll()).toBeNull();
});

describe('runs of schedules that were deleted', () => {
	const gone = (change: object) => Object.assign(run(), change as AutoUpdateHistoryRow);

	it.each([
		['null', null, null],
		['without ids', { id: null, name: 'One' }, { id: null, name: 'Other' }],
		['without anything', {}, {}],
	])('at one time are all told (%s)', async (_, one, other) => {
		const { poll } = await trigger(['started', 'completed']);
		await poll();
		gone({ auto_update_schedule: one });
		gone({ auto_update_schedule: other });
		run('daily');
		fleet.clock.advance(30_000);
		expect(await poll()).toHaveLength(3);
		fleet.clock.advance(60_000);
		expect((await poll())!.map(({ event }) => event)).toEqual(Array(3).fill('completed'));
		expect(await poll()).toBeNull();
		takeViolations();
	});
});

it('a run that was under way at activation is emitted when it ends', async () => {
	const { world } = fleet;
	const long = startTaskNow(world, { type: 'wp_site_update', siteIds, durationMs: 20 * HOUR });
	run().task_id = long.id;
	fleet.clock.advance(HOUR);
	const { poll } = await trigger(['started', 'completed']);
	await poll();
	fleet.clock.advance(10 * HOUR);
	run('weekly', 'nothing');
	// At the activation it was about to begin.
	expect(told(await poll())).toEqual([['started', 'daily', 'running']]);
	fleet.clock.advance(10 * HOUR);
	expect(told(await poll())).toEqual([['completed', 'daily', 'completed']]);
});

it('a status that nobody knows is an event of its own, once, and no end', async () => {
	const { poll } = await trigger(['started', 'completed', 'failed', 'otherStatus']);
	await poll();
	const { task_id: id } = run();
	const setStatus = (status: string) =>
		Object.assign(fleet.world.store.tasks.get(id!)!, { status });
	fleet.clock.advance(30_000);
	setStatus('paused');
	expect(told(await poll())).toEqual([['otherStatus', 'daily', 'paused']]);
	expect(await poll()).toBeNull();
	setStatus('Running');
	expect(told(await poll())).toEqual([['started', 'daily', 'Running']]);
	setStatus('paused');
	expect(await poll()).toBeNull();
	fleet.clock.advance(10 * HOUR);
	setStatus('completed');
	expect(told(await poll())).toEqual([['completed', 'daily', 'completed']]);
	// The service of the sandbox never says these.
	expect(takeViolations()).not.toEqual([]);
});

it('failed, cancelled and idle runs are events of their own', async () => {
	const { poll } = await trigger(['cancelled', 'failed', 'noUpdates']);
	await poll();
	run('bad', 'failed');
	run('good', 'completed');
	const stopped = run('stopped');
	run('idle', 'nothing');
	fleet.clock.advance(30_000);
	await fleet.api.post(`/tasks/${stopped.task_id}/cancel`);
	fleet.clock.advance(60_000);
	expect(told(await poll())!.sort()).toEqual([
		['cancelled', 'stopped', 'cancelled'],
		['failed', 'bad', 'failed'],
		['noUpdates', 'idle', 'no_updates'],
	]);
	expect(await poll()).toBeNull();
});

it('only runs of the chosen schedule are read', async () => {
	const { poll } = await trigger(['noUpdates'], {
		options: { scheduleId: locator(OTHER, 'list') },
	});
	await poll();
	const ofSchedule = { 'filters[auto_update_schedule_id:eq]': OTHER, page: '1', perPage: '100' };
	expect(fleet.sent().map(({ route, query }) => [route, query])).toEqual([
		['GET /auto-update-history', { ...ofSchedule, sort: 'performed_on,desc' }],
		[
			'GET /auto-update-history',
			{
				...ofSchedule,
				'filters[performed_on:gte]': '1970-01-01T00:00:00.000Z',
				'filters[status:in][]': ['initializing', 'running'],
				sort: 'performed_on,asc',
			},
		],
	]);
	run('a', 'nothing');
	run(OTHER, 'nothing');
	expect(told(await poll())).toEqual([['noUpdates', OTHER, 'no_updates']]);
});

describe('One Item For', () => {
	const of = async (itemsPer: string, sites?: SiteUpdates[], output = 'raw') => {
		const { poll } = await trigger(['completed'], { itemsPer, output });
		await poll();
		const entry = run('daily', 'completed', sites);
		fleet.clock.advance(120_000);
		const items = await poll();
		expect(await poll()).toBeNull();
		const { auto_update_schedule, performed_on, task_id } = entry;
		const fields = { auto_update_schedule, performed_on, task_id, status: 'completed' };
		return { items, whole: { event: 'completed', ...fields } };
	};

	it('Each Run gives the entry', async () => {
		const { items, whole } = await of('run');
		expect(items).toEqual([{ ...whole, sites: twoSites() }]);
	});

	it('Each Site gives an item for each site', async () => {
		const { items, whole } = await of('site');
		expect(items).toEqual(twoSites().map((site) => ({ ...whole, site })));
	});

	it('Each Component gives an item for each core, plugin and theme', async () => {
		const { items, whole } = await of('component');
		const [first, second] = siteIds.map((id) => ({ ...whole, site: { id } }));
		expect(items).toEqual([
			{ ...first, component: { type: 'core', ...versions('6.4', '6.5') } },
			{ ...first, component: { type: 'plugin', ...plugin('cache') } },
			{ ...second, component: { type: 'plugin', ...plugin('forms') } },
			{ ...second, component: { type: 'theme', ...theme('plain') } },
		]);
	});

	it.each(['site', 'component'])(
		'each %s: a run without details gives one item',
		async (itemsPer) => {
			const { items, whole } = await of(itemsPer, []);
			expect(items).toEqual([whole]);
		},
	);

	const flat = (task: unknown, performedOn: unknown) => ({
		event: 'completed',
		schedule_id: 'daily',
		schedule_name: 'The daily one',
		performed_on: performedOn,
		status: 'completed',
		task_id: task,
	});

	it.each<[string, object[]]>([
		[
			'run',
			[{ site_count: 2, site_ids: [expect.any(String), expect.any(String)], update_count: 4 }],
		],
		['site', [{ update_count: 2 }, { update_count: 2 }]],
		[
			'component',
			[
				{ component_type: 'core', component_name: null, ...versions('6.4', '6.5') },
				{ component_type: 'plugin', component_name: 'cache' },
				{ component_type: 'plugin', component_name: 'forms' },
				{ component_type: 'theme', component_name: 'plain' },
			],
		],
	])('each %s, simplified', async (itemsPer, wanted) => {
		const { items, whole } = await of(itemsPer, undefined, 'simplified');
		expect(items).toHaveLength(wanted.length);
		for (const [index, item] of items!.entries()) {
			expect(item).toMatchObject({ ...flat(whole.task_id, whole.performed_on), ...wanted[index] });
			expect(Object.values(item).filter((value) => !isFlat(value))).toEqual([]);
			expect('site_id' in item).toBe(itemsPer !== 'run');
		}
	});
});

describe('a test run in the editor', () => {
	it('shows the newest matching runs in the chosen form, and not too many of them', async () => {
		const { test } = await trigger(['failed'], { itemsPer: 'site' });
		const sites = Array.from({ length: 30 }, (_, index) => ({
			...twoSites()[0]!,
			id: siteIds[index % siteIds.length]!,
		}));
		run('daily', 'failed', sites);
		fleet.clock.advance(120_000);
		const samples = (await test())!;
		expect(samples).toHaveLength(20);
		expect(samples[0]).toMatchObject({ event: 'failed', site: { id: siteIds[0] } });
	});
});

everyEventHasExample('autoUpdateTrigger');
