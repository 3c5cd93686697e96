import type { IDataObject } from 'n8n-workflow';
import { activate, operationRun, runNode, runOf, runOn } from '../../support/engine';
import { fleetEach, inStep } from '../../support/fleet';
import { locator } from '../../support/locator';

/** What operations do not show of a service with words of its own: triggers, lists, limits, refusals. */

jest.mock('../../support/noWords.json', () => jest.requireActual('../../support/filledWords.json'));

const fleet = fleetEach({ sites: 5 });
beforeEach(() => inStep(fleet));

const log = (site: IDataObject, object_type: 'shop_order' | 'shop_tax_rate' | 'plugin') => {
	const { world } = fleet;
	world.settle();
	return world.store.activityLogs.insert({
		id: `entry-${object_type}`,
		site_id: site.id as string,
		...{ username: 'cartly_order', ip_address: '203.0.113.7', country_code: 'DE' },
		...{ object_type, event_type: 'updated', event_details: { name: 'boxfall' } },
		timestamp: world.timestamp(),
	}).id;
};

const logged = async () => {
	const [site] = (await fleet.sites(1)) as [IDataObject];
	fleet.world.store.sites.get(site.id as string)!.activity_logs.enabled = true;
	return site;
};

it('a filter has the neutral word, and texts that people write stay', async () => {
	const site = await logged();
	log(site, 'shop_tax_rate');
	log(site, 'plugin');
	const filters = { objectType: 'shop_tax_rate' };
	const set = { siteId: locator(String(site.id)), filters, output: 'raw' };
	const { json } = await runNode(fleet, operationRun('activityLog', 'getAll', set));
	expect(json).toMatchObject([
		{ object_type: 'shop_tax_rate', username: 'cartly_order', event_details: { name: 'boxfall' } },
	]);
	expect(fleet.sent()[0]!.query['filters[object_type:eq]']).toBe('shop_tax_rate');
});

it('a trigger uses the same translation', async () => {
	const site = await logged();
	const trigger = await activate(fleet, {
		node: 'activityLogTrigger',
		parameters: {
			siteId: locator(site.id as string),
			filters: { objectTypes: ['shop_order', 'shop_tax_rate'] },
		},
	});
	expect(await trigger.poll()).toBeNull();
	fleet.clock.advance(1_000);
	log(site, 'shop_order');
	log(site, 'plugin');
	expect(await trigger.poll()).toMatchObject([{ object_type: 'shop_order' }]);
});

it('a refusal names the parameter as the panel does', async () => {
	const details = [{ code: 'invalid', param: 'settings.cartly_db_upgrade.enabled', message: 'no' }];
	const set = { siteId: locator('s1'), updateFields: { shopDatabaseUpgrade: true } };
	const { error } = await runOn(
		{ 'POST /sites/s1/settings/update': { status: 422, body: { error: { details } } } },
		runOf('site/setting/update', set),
	);
	expect(error?.message).toBe('The service rejected this: Shop Database Upgrade: no');
});

it('what an update drops is counted, although the service has another name for it', async () => {
	const { data } = await fleet.api.post('/auto-update-schedules', {
		auto_update_schedule: {
			...{ name: 'Weekly', schedule: 'daily', started_at: '2026-04-01T00:00:00Z' },
			scope: {
				sites: { selection: 'all' },
				updates: { cms_core: true, plugins: { selection: 'all' } },
			},
		},
	});
	fleet.forget();
	const { error } = await runNode(
		{ ...fleet, limits: { maxHarmful: 1 } },
		runOf('autoUpdate/schedule/update', {
			scheduleId: locator(data.auto_update_schedule.id),
			updateFields: {
				updates: { categories: { cmsCore: false, plugins: 'none', themes: 'none' } },
			},
		}),
	);
	expect(error?.message).toContain('Harmful Changes per Execution');
	expect(fleet.sent().map(({ route }) => route.split(' ')[0])).toEqual(['GET']);
});
