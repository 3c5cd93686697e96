import type { IDataObject } from 'n8n-workflow';
import type {
	AutoUpdateHistoryRow,
	SiteUpdates,
} from '../../../sandbox/service/domain/autoUpdates/rows';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { takeViolations } from '../../support/checkAnswers';
import { everyEventHasExample } from '../../support/engine';
import { isFlat } from '../../support/operationCases';
import { MINUTE, watching } from '../../support/watching';

/** What the auto-update trigger adds to the shared polling; see also its histories. */

let siteIds: string[];
const { fleet, trigger, begun } = watching('autoUpdateTrigger', 5, ({ world: { store } }) => {
	siteIds = store.sites.peek().map(({ id }) => id);
	// Only what a test does happens.
	for (const { id } of store.autoUpdateSchedules.all()) store.autoUpdateSchedules.delete(id);
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
	const isIdle = outcome === 'nothing';
	const order = { type: 'wp_site_update', siteIds, durationMs: MINUTE } as const;
	return world.store.autoUpdateHistory.insert({
		id: world.random.hex(24),
		auto_update_schedule: { id: schedule, name: `The ${schedule} one` },
		performed_on: world.timestamp(),
		task_id: isIdle ? null : startTaskNow(world, { ...order, outcome }).id,
		sites: isIdle ? [] : sites,
	});
}

const told = (items: IDataObject[] | null) =>
	(items ?? []).map(({ event, auto_update_schedule: schedule, status }) =>
		[event, (schedule as IDataObject).id, status].join(' '),
	);

it.each([
	['null', null, null],
	['without ids', { id: null, name: 'One' }, { id: null, name: 'Other' }],
	['without anything', {}, {}],
])('runs at one time of schedules that were deleted are all told (%s)', async (_, one, other) => {
	const { poll } = await begun(['started', 'completed']);
	for (const schedule of [one, other]) Object.assign(run(), { auto_update_schedule: schedule });
	run();
	fleet.clock.advance(30_000);
	expect(await poll()).toHaveLength(3);
	fleet.clock.advance(MINUTE);
	expect((await poll())!.map(({ event }) => event)).toEqual(Array(3).fill('completed'));
	expect(await poll()).toBeNull();
	takeViolations();
});

it('failed, cancelled, idle and unknown runs are events of their own', async () => {
	const { poll } = await begun(['cancelled', 'failed', 'noUpdates', 'otherStatus']);
	run('bad', 'failed');
	run('good');
	const stopped = run('stopped');
	run('idle', 'nothing');
	const odd = run('odd');
	fleet.clock.advance(30_000);
	Object.assign(fleet.world.store.tasks.get(odd.task_id!)!, { status: 'paused' });
	await fleet.api.post(`/tasks/${stopped.task_id}/cancel`);
	fleet.clock.advance(MINUTE);
	const all = ['cancelled stopped cancelled', 'failed bad failed', 'noUpdates idle no_updates'];
	expect(told(await poll()).sort()).toEqual([...all, 'otherStatus odd paused']);
	expect(await poll()).toBeNull();
	takeViolations();
});

describe('One Item For', () => {
	const of = async (itemsPer: string, sites?: SiteUpdates[], output = 'raw') => {
		const { poll } = await begun(['completed'], { itemsPer, output });
		const entry = run('daily', 'completed', sites);
		fleet.clock.advance(2 * MINUTE);
		const items = await poll();
		const { auto_update_schedule, performed_on, task_id } = entry;
		const fields = { auto_update_schedule, performed_on, task_id, status: 'completed' };
		return { items, whole: { event: 'completed', ...fields } };
	};

	it('gives the entry, an item for each site, or one for each core, plugin and theme', async () => {
		const ofRun = await of('run');
		expect(ofRun.items).toEqual([{ ...ofRun.whole, sites: twoSites() }]);
		const ofSite = await of('site');
		expect(ofSite.items).toEqual(twoSites().map((site) => ({ ...ofSite.whole, site })));
		const ofComponent = await of('component');
		const [first, second] = siteIds.map((id) => ({ ...ofComponent.whole, site: { id } }));
		expect(ofComponent.items).toEqual([
			{ ...first, component: { type: 'core', ...versions('6.4', '6.5') } },
			{ ...first, component: { type: 'plugin', ...plugin('cache') } },
			{ ...second, component: { type: 'plugin', ...plugin('forms') } },
			{ ...second, component: { type: 'theme', ...theme('plain') } },
		]);
	});

	it.each(['site', 'component'])('each %s: one item without details', async (itemsPer) => {
		const { items, whole } = await of(itemsPer, []);
		expect(items).toEqual([whole]);
	});

	it.each<[string, object[]]>([
		['run', [{ site_count: 2, site_ids: [...Array(2)].map(() => expect.any(String)) }]],
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
		const { event, performed_on, status, task_id } = whole;
		const schedule = { schedule_id: 'daily', schedule_name: 'The daily one' };
		const common = { event, ...schedule, performed_on, status, task_id };
		expect(items).toMatchObject(wanted.map((each) => ({ ...common, ...each })));
		for (const item of items!) {
			expect(Object.values(item).filter((value) => !isFlat(value))).toEqual([]);
			expect('site_id' in item).toBe(itemsPer !== 'run');
			if (itemsPer === 'run') expect(item.update_count).toBe(4);
		}
	});

	it('a test run shows one item in the chosen form', async () => {
		const { test } = await trigger(['failed'], { itemsPer: 'site' });
		run('daily', 'failed', twoSites());
		fleet.clock.advance(2 * MINUTE);
		expect(await test()).toMatchObject([{ event: 'failed', site: { id: siteIds[0] } }]);
	});
});

everyEventHasExample('autoUpdateTrigger');
