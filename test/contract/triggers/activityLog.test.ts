import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ActivityLogRow } from '../../../sandbox/service/domain/activityLogs/rows';
import { activate, everyEventHasExample } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

let fleet: Fleet;
let site: Record<string, any>;
let other: Record<string, any>;

beforeEach(async () => {
	useClock({ now: () => fleet.clock.now(), sleep: () => {} });
	fleet = await startFleet({ sites: 5 });
	inStep(fleet);
	[site, other] = (await fleet.sites(2)) as [typeof site, typeof other];
	for (const { id } of [site, other]) {
		fleet.world.store.sites.get(id)!.activity_logs.enabled = true;
	}
});
afterEach(async () => await fleet.close());

const trigger = async (
	filters: INodeParameters = {},
	siteId: INodeParameters[string] = locator(site.id),
) => await activate(fleet, { node: 'activityLogTrigger', parameters: { siteId, filters } });

let entries = 0;
beforeEach(() => (entries = 0));

/** Writes an entry, now by the service's time. */
const log = (more: Partial<ActivityLogRow> = {}) => {
	const { world } = fleet;
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
const queries = () => fleet.sent().map(({ query }) => query);

it('entries before the activation are not reported; each later entry is reported once', async () => {
	log();
	const { poll } = await trigger();
	expect(await poll()).toBeNull();
	expect(await poll()).toBeNull();
	fleet.clock.advance(1_000);
	const id = log();
	log({ site_id: other.id });
	expect(await poll()).toEqual([
		{
			id,
			site_id: site.id,
			username: 'editor',
			ip_address: '203.0.113.7',
			country_code: 'DE',
			object_type: 'plugin',
			event_type: 'updated',
			event_text: 'name: Contact Forms',
			timestamp: expect.any(String),
		},
	]);
	expect(await poll()).toBeNull();
	fleet.clock.advance(3_600_000);
	expect(await poll()).toBeNull();
});

describe('filters', () => {
	it('single values go into the query', async () => {
		const { poll } = await trigger({
			objectTypes: ['user'],
			eventTypes: ['login'],
			username: 'editor',
			ipAddress: '203.0.113.7',
			search: 'forms',
		});
		await poll();
		fleet.clock.advance(1_000);
		const login = { object_type: 'user', event_type: 'login' } as const;
		log();
		log({ ...login, username: 'admin' });
		log({ ...login, ip_address: '203.0.113.8' });
		log({ ...login, event_details: {} });
		log({ ...login, event_type: 'logout' });
		const id = log(login);
		fleet.forget();
		expect(ids(await poll())).toEqual([id]);
		expect(queries()).toEqual([
			expect.objectContaining({
				'filters[object_type:eq]': 'user',
				'filters[event_type:eq]': 'login',
				'filters[username:eq]': 'editor',
				'filters[ip_address:eq]': '203.0.113.7',
				'filters[search:contains]': 'forms',
				sort: 'timestamp,asc',
			}),
		]);
	});

	it('the trigger filters by several values; blank texts are not sent', async () => {
		const { poll } = await trigger({
			objectTypes: ['plugin', 'theme'],
			eventTypes: ['activated', 'deactivated'],
			username: '',
			search: ' ',
		});
		await poll();
		fleet.clock.advance(1_000);
		const activated = log({ event_type: 'activated' });
		const off = log({ object_type: 'theme', event_type: 'deactivated' });
		log({ object_type: 'user', event_type: 'activated' });
		log();
		fleet.forget();
		expect(ids(await poll())).toEqual([activated, off]);
		expect(Object.keys(queries()[0]!).filter((key) => /type|user|search/.test(key))).toEqual([]);
	});
});

it('the site can be chosen by URL; it is looked up again after an error', async () => {
	const { poll } = await trigger({}, locator(site.url, 'url'));
	await poll();
	fleet.clock.advance(1_000);
	const id = log();
	fleet.forget();
	expect(ids(await poll())).toEqual([id]);
	expect(fleet.sent()).toHaveLength(1);
	fleet.world.account.active = false;
	await expect(poll()).rejects.toThrow('The account is inactive');
	fleet.world.account.active = true;
	fleet.forget();
	await poll();
	expect(fleet.sent().map(({ route }) => route)).toEqual([
		'GET /sites',
		`GET /sites/${site.id}/activity-logs`,
	]);
});

describe('a site whose log is off', () => {
	const off = {
		message: 'The activity log of this site is not enabled',
		description: expect.stringContaining('node "Site Management Activity Log", operation Enable'),
	};

	it('is an error that says how to enable it', async () => {
		fleet.world.store.sites.get(site.id)!.activity_logs.enabled = false;
		const { poll, test } = await trigger();
		await expect(poll()).rejects.toThrow(expect.objectContaining(off));
		await expect(test()).rejects.toThrow(expect.objectContaining(off));
	});

	it('continues from the last entry when the log is on again', async () => {
		const { poll } = await trigger();
		await poll();
		fleet.clock.advance(1_000);
		const id = log();
		const row = fleet.world.store.sites.get(site.id)!;
		row.activity_logs.enabled = false;
		await expect(poll()).rejects.toThrow(expect.objectContaining(off));
		row.activity_logs.enabled = true;
		expect(ids(await poll())).toEqual([id]);
	});
});

it('a site that is not known gives the error of the service', async () => {
	const gone = 'f0f0f0f0f0f0f0f0f0f0f0f0';
	const { poll } = await trigger({}, locator(gone));
	await expect(poll()).rejects.toThrow(/The service found no record at/);
	expect(fleet.sent()[0]!.route).toBe(`GET /sites/${gone}/activity-logs`);
});

it('a value that is not an ID is not a site', async () => {
	const { poll } = await trigger({}, locator('no/site'));
	await expect(poll()).rejects.toThrow('No site has the ID "no/site" (parameter "Site")');
});

describe('a test run', () => {
	it('shows the newest matching entries', async () => {
		fleet.clock.advance(1_000);
		const wanted = log({ event_type: 'deleted' });
		log({ event_type: 'added' });
		const { test } = await trigger({ eventTypes: ['deleted', 'hacked'] });
		const items = (await test())!;
		expect(items[0]).toMatchObject({ id: wanted, event_type: 'deleted' });
		expect(items.length).toBeLessThanOrEqual(5);
	});
});

everyEventHasExample('activityLogTrigger');
