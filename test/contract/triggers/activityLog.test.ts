import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ActivityLogRow } from '../../../sandbox/service/domain/activityLogs/rows';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { activate, everyEventHasExample } from '../../support/engine';
import { locator } from '../../support/locator';
import { watching } from '../../support/watching';

/** What the activity-log trigger adds to the shared polling; see also its histories. */

let site: SiteRow;
let entries = 0;

const { fleet } = watching('activityLogTrigger', 5, ({ world: { store } }) => {
	entries = 0;
	site = store.sites.get(store.sites.peek()[0]!.id)!;
	site.activity_logs.enabled = true;
});

const trigger = async (
	filters: INodeParameters = {},
	siteId: INodeParameters[string] = locator(site.id),
) => await activate(fleet, { node: 'activityLogTrigger', parameters: { siteId, filters } });

/** Writes an entry, a second later by the service's time. */
const log = (more: Partial<ActivityLogRow> = {}) => {
	const { world, clock } = fleet;
	clock.advance(1_000);
	world.settle();
	return world.store.activityLogs.insert({
		id: `entry-${String(++entries).padStart(4, '0')}`,
		site_id: site.id,
		username: 'editor',
		ip_address: '203.0.113.7',
		country_code: 'DE',
		object_type: 'plugin',
		event_type: 'updated',
		event_details: { name: 'Contact Forms' },
		timestamp: world.timestamp(),
		...more,
	}).id;
};

const ids = (items: IDataObject[] | null) => items?.map(({ id }) => id) ?? null;

describe('filters', () => {
	it('single values go into the query', async () => {
		const { poll } = await trigger({ objectTypes: ['user'], eventTypes: ['login'] });
		fleet.forget();
		await poll();
		const query = { 'filters[object_type:eq]': 'user', 'filters[event_type:eq]': 'login' };
		expect(fleet.sent()).toMatchObject([{ query }]);
	});

	it('the trigger filters by several values; blank texts are not sent', async () => {
		const objectTypes = ['plugin', 'theme'];
		const eventTypes = ['activated', 'deactivated'];
		const { poll } = await trigger({ objectTypes, eventTypes, username: '', search: ' ' });
		await poll();
		const activated = log({ event_type: 'activated' });
		const off = log({ object_type: 'theme', event_type: 'deactivated' });
		log({ object_type: 'user', event_type: 'activated' });
		log();
		fleet.forget();
		expect(ids(await poll())).toEqual([activated, off]);
		const keys = Object.keys(fleet.sent()[0]!.query);
		expect(keys.filter((key) => /type|user|search/.test(key))).toEqual([]);
	});
});

it('the site can be chosen by URL; it is looked up again after an error', async () => {
	const { poll } = await trigger({}, locator(site.url, 'url'));
	await poll();
	const id = log();
	fleet.forget();
	expect(ids(await poll())).toEqual([id]);
	expect(fleet.sent()).toHaveLength(1);
	fleet.world.account.active = false;
	await expect(poll()).rejects.toThrow('The account is inactive');
	fleet.world.account.active = true;
	fleet.forget();
	await poll();
	expect(fleet.routes()).toEqual(['GET /sites', `GET /sites/${site.id}/activity-logs`]);
});

it('a site whose log is off is an error that says how to enable it, and the trigger continues later', async () => {
	const off = expect.objectContaining({
		message: 'The activity log of this site is not enabled',
		description: expect.stringContaining('node "Site Management Activity", operation Enable'),
	});
	const { poll, test } = await trigger();
	await poll();
	const id = log();
	site.activity_logs.enabled = false;
	await expect(poll()).rejects.toThrow(off);
	await expect(test()).rejects.toThrow(off);
	site.activity_logs.enabled = true;
	expect(ids(await poll())).toEqual([id]);
});

it.each([
	['f0f0f0f0f0f0f0f0f0f0f0f0', /The service found no such record/],
	['no/site', 'No site has the ID "no/site" (parameter "Site")'],
])('the site %s does not exist', async (id, message) => {
	const { poll } = await trigger({}, locator(id));
	await expect(poll()).rejects.toThrow(message);
});

it('a test run shows the newest matching entries', async () => {
	const wanted = log({ event_type: 'deleted' });
	log({ event_type: 'added' });
	const { test } = await trigger({ eventTypes: ['deleted', 'hacked'] });
	const items = (await test())!;
	expect(items[0]).toMatchObject({ id: wanted, event_type: 'deleted' });
	expect(items.length).toBeLessThanOrEqual(5);
});

everyEventHasExample('activityLogTrigger');
