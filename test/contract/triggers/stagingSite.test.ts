import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { StagingSiteRow } from '../../../sandbox/service/domain/stagingSites/rows';
import { addStagingSite } from '../../../sandbox/service/domain/stagingSites/rules';
import { activate, everyEventHasExample } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { useClock } from '../../support/transportClock';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BOTH = ['created', 'expiresSoon'];

let fleet: Fleet;

/** A fleet without staging sites. */
beforeEach(async () => {
	fleet = await startFleet({ sites: 4 });
	inStep(fleet);
	const { stagingSites } = fleet.world.store;
	for (const { id } of stagingSites.all()) stagingSites.delete(id);
});
afterEach(async () => await fleet.close());

/** A new staging site, which expires in seven days. */
function add(index = 0): StagingSiteRow {
	fleet.world.catchUp();
	const site = fleet.world.store.sites.all()[index]!;
	const snapshot = { id: 'abc', created_at: fleet.world.timestamp() };
	return addStagingSite(fleet.world, { site_id: site.id, php_version: '8.2', snapshot });
}

const siteOf = ({ site_id: id }: StagingSiteRow) => fleet.world.store.sites.get(id)!;

const extend = async ({ id }: StagingSiteRow, days: number) =>
	await fleet.api.post(`/staging-sites/${id}/extend-expiry`, { days });

const trigger = async (events: string[], parameters: INodeParameters = {}) =>
	await activate(fleet, {
		node: 'stagingSiteTrigger',
		parameters: { events, output: 'raw', ...parameters },
	});

/** What came out, as `created s1`. */
const told = (items: IDataObject[] | null) =>
	(items ?? []).map(({ event, id }) => `${String(event)} ${String(id)}`).sort();

it('one that is created is reported once, with its site and the remaining hours', async () => {
	add();
	const { poll } = await trigger(BOTH, { output: 'simplified' });
	expect(await poll()).toBeNull();
	const staging = add(1);
	fleet.clock.advance(60_000);
	expect(await poll()).toEqual([
		{
			event: 'created',
			id: staging.id,
			site_id: staging.site_id,
			site_title: siteOf(staging).title,
			site_url: siteOf(staging).url,
			status: 'active',
			url: staging.url,
			php_version: '8.2',
			created_at: staging.created_at,
			expires_at: staging.expires_at,
			hours_left: 167,
			user_name: staging.user.name,
			user_email: staging.user.email,
		},
	]);
	expect(await poll()).toBeNull();
});

it('one that is created through the API is reported', async () => {
	const site = fleet.world.store.sites.all().find(({ backups }) => backups.enabled)!;
	const { data } = await fleet.api.post(`/sites/${site.id}/sync`);
	fleet.clock.advance(HOUR_MS);
	const { poll } = await trigger(BOTH);
	await poll();
	const order = { site_id: site.id, snapshot_id: data.sync.snapshot_id };
	await fleet.api.post('/staging-sites', { staging_site: order });
	expect(await poll()).toBeNull();
	fleet.clock.advance(HOUR_MS);
	expect(await poll()).toEqual([expect.objectContaining({ event: 'created', site_id: site.id })]);
});

it('one that expires soon is reported once for each expiry', async () => {
	const staging = add();
	const { poll } = await trigger(BOTH);
	await poll();
	fleet.clock.advance(5 * DAY_MS - HOUR_MS);
	expect(await poll()).toBeNull();
	fleet.clock.advance(HOUR_MS);
	const [item, ...others] = (await poll())!;
	expect(item).toMatchObject({
		event: 'expiresSoon',
		id: staging.id,
		url: staging.url,
		expires_at: staging.expires_at,
		hours_left: 48,
		site_title: siteOf(staging).title,
	});
	expect(others).toEqual([]);
	fleet.clock.advance(60_000);
	expect(await poll()).toBeNull();

	await extend(staging, 4);
	expect(await poll()).toBeNull();
	fleet.clock.advance(4 * DAY_MS);
	expect(told(await poll())).toEqual([`expiresSoon ${staging.id}`]);
	fleet.clock.advance(3 * DAY_MS);
	expect(await poll()).toBeNull();
});

it('one that expires soon at the activation is reported only after its expiry was extended', async () => {
	const staging = add();
	fleet.clock.advance(6 * DAY_MS);
	const { poll } = await trigger(BOTH);
	expect(await poll()).toBeNull();
	expect(await poll()).toBeNull();
	await extend(staging, 7);
	expect(await poll()).toBeNull();
	fleet.clock.advance(6 * DAY_MS + HOUR_MS);
	expect(told(await poll())).toEqual([`expiresSoon ${staging.id}`]);
});

it('the hours are a parameter, and a change of them is not a new start', async () => {
	const staging = add();
	const { poll, change } = await trigger(BOTH, { hoursBefore: 24 });
	await poll();
	fleet.clock.advance(5 * DAY_MS + HOUR_MS);
	expect(await poll()).toBeNull();
	await change({ events: BOTH, hoursBefore: 72, output: 'raw' });
	expect(told(await poll())).toEqual([`expiresSoon ${staging.id}`]);
	await change({ events: BOTH, hoursBefore: 12, output: 'raw' });
	expect(await poll()).toBeNull();
	fleet.clock.advance(DAY_MS);
	expect(await poll()).toBeNull();
	fleet.clock.advance(12 * HOUR_MS);
	expect(told(await poll())).toEqual([`expiresSoon ${staging.id}`]);
});

it('one that expires within two days is reported when the event is added with fewer hours', async () => {
	const staging = add();
	const { poll, change } = await trigger(['created']);
	fleet.clock.advance(6 * DAY_MS);
	await poll();
	await change({ events: BOTH, hoursBefore: 12, output: 'raw' });
	expect(await poll()).toBeNull();
	fleet.clock.advance(13 * HOUR_MS);
	expect(told(await poll())).toEqual([`expiresSoon ${staging.id}`]);
});

it('only chosen events are reported, and an added event starts with the edit', async () => {
	const { poll, change } = await trigger(['expiresSoon']);
	await poll();
	add();
	expect(await poll()).toBeNull();
	await change({ events: BOTH, output: 'raw' });
	add(1);
	expect(await poll()).toBeNull();
	const later = add(2);
	expect(told(await poll())).toEqual([`created ${later.id}`]);
});

it('a poll costs one request when nothing has happened, and one for the site of each event', async () => {
	for (const index of [0, 1, 2]) add(index);
	const { poll } = await trigger(BOTH);
	await poll();
	fleet.forget();
	await poll();
	const list = { route: 'GET /staging-sites', body: undefined };
	const query = {
		'filters[created_at:gte]': '1970-01-01T00:00:00.000Z',
		sort: 'created_at,asc',
		page: '1',
		perPage: '100',
	};
	expect(fleet.sent()).toEqual([{ ...list, query }]);
	const staging = add(3);
	fleet.forget();
	await poll();
	const routes = fleet.sent().map(({ route }) => route);
	expect(routes).toEqual([list.route, `GET /sites/${staging.site_id}`]);
});

it('a restart of n8n, a poll that fails and steps of a clock lose and repeat nothing', async () => {
	const { poll, restart } = await trigger(BOTH);
	await poll();
	const staging = add();
	fleet.world.account.active = false;
	await expect(poll()).rejects.toThrow('The account is inactive');
	fleet.world.account.active = true;
	const found = told(await poll());
	for (const days of [-3, 6, -4, 6]) {
		useClock({ now: () => fleet.clock.now() + days * DAY_MS, sleep: () => {} });
		await restart();
		found.push(...told(await poll()));
	}
	expect(found).toEqual([`created ${staging.id}`]);
	for (const days of [6, -6, 6]) {
		fleet.clock.advance(days * DAY_MS);
		found.push(...told(await poll()));
		await restart();
		found.push(...told(await poll()));
	}
	expect(found).toEqual([`created ${staging.id}`, `expiresSoon ${staging.id}`]);
});

it('a list that lacks one once does not have it told again', async () => {
	const staging = add();
	const { poll } = await trigger(BOTH);
	await poll();
	const { stagingSites } = fleet.world.store;
	const row = stagingSites.get(staging.id)!;
	stagingSites.delete(staging.id);
	expect(await poll()).toBeNull();
	stagingSites.insert(row);
	expect(await poll()).toBeNull();
	expect(await poll()).toBeNull();
});

it.each(['simplified', 'raw'])('has no credentials in its output as %s', async (output) => {
	const { poll } = await trigger(BOTH, { output });
	await poll();
	const { credentials, id } = add();
	const [item] = (await poll())!;
	expect(item).toMatchObject({ id });
	const { http_auth: auth, server, database } = credentials;
	for (const { password } of [auth, server, database]) {
		expect(JSON.stringify(item)).not.toContain(password);
	}
});

everyEventHasExample('stagingSiteTrigger');
