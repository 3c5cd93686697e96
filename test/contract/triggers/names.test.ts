import type { INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { activate } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';
import { useClock } from '../../support/transportClock';

/** Records that the parameters of triggers name: looked up at the activation, and once an hour. */

const MINUTE_MS = 60_000;

let fleet: Fleet;
let ids: Record<'site' | 'other' | 'tag' | 'client' | 'schedule', string>;

beforeEach(async () => {
	fleet = await startFleet({ sites: 6 });
	inStep(fleet);
	useClock({ now: () => fleet.clock.now(), sleep: () => {} });
	const { sites, tags, clients, autoUpdateSchedules } = fleet.world.store;
	const [[site, other], [tag], [client], [schedule]] = [
		sites.peek(),
		tags.peek(),
		clients.peek(),
		autoUpdateSchedules.peek(),
	];
	ids = {
		site: site!.id,
		other: other!.id,
		tag: tag!.id,
		client: client!.id,
		schedule: schedule!.id,
	};
	Object.assign(sites.get(ids.site)!, {
		title: 'Harbour Bakery',
		url: 'https://harbour.example.com/shop',
	});
	tags.get(ids.tag)!.name = 'Gold plan';
	clients.get(ids.client)!.company_name = 'Harbour Ltd';
	autoUpdateSchedules.get(ids.schedule)!.name = 'Nightly';
	for (const { id } of sites.peek()) {
		const row = sites.get(id)!;
		row.connection.status = 'connected';
		row.internal.tag_ids = id === ids.site ? [ids.tag] : [];
		row.internal.client_id = id === ids.site ? ids.client : null;
	}
	fleet.clock.advance(60 * MINUTE_MS);
	fleet.forget();
});
afterEach(async () => await fleet.close());

const connected = (status: 'connected' | 'disconnected') => {
	for (const id of [ids.site, ids.other]) {
		const row = fleet.world.store.sites.get(id)!;
		row.connection.status = status;
		row.updated_at = fleet.world.timestamp();
	}
};

const siteTrigger = (parameters: INodeParameters) => ({
	node: 'siteTrigger',
	parameters: { events: ['disconnected'], output: 'raw', ...parameters },
});

const asked = () => {
	const routes = fleet.sent().map(({ route }) => route);
	fleet.forget();
	return routes;
};

describe('the scope of the Site Trigger', () => {
	it.each<[string, INodeParameters, string, 'site' | 'other']>([
		['a tag', { scope: 'tag', tagId: locator('Gold plan', 'name') }, 'GET /tags', 'site'],
		[
			'a client',
			{ scope: 'client', clientId: locator('Harbour Ltd', 'name') },
			'GET /clients',
			'site',
		],
		[
			'a site by title',
			{ scope: 'sites', siteIds: '={{ ["Harbour Bakery"] }}' },
			'GET /sites',
			'site',
		],
		[
			'a site by URL',
			{ scope: 'sites', siteIds: '={{ ["http://harbour.example.com/shop/"] }}' },
			'GET /sites',
			'site',
		],
		['all but a tag', { options: { exceptTagIds: '={{ ["Gold plan"] }}' } }, 'GET /tags', 'other'],
	])('%s', async (_, parameters, look, expected) => {
		const named = await activate(fleet, siteTrigger(parameters));
		expect(await named.poll()).toBeNull();
		expect(asked()[0]).toBe(look);
		fleet.clock.advance(MINUTE_MS);
		connected('disconnected');
		const items = await named.poll();
		expect(items?.map(({ id }) => id)).toEqual([ids[expected]]);
	});

	it('a quiet poll costs the same as with the ID, and after an hour the name is looked up again', async () => {
		const quiet = async (tagId: INodeParameters) => {
			const { poll } = await activate(fleet, siteTrigger({ scope: 'tag', tagId }));
			const costs: number[] = [];
			for (let minutes = 0; minutes <= 61; minutes++) {
				await poll();
				costs.push(asked().filter((route) => route === 'GET /tags').length);
				fleet.clock.advance(MINUTE_MS);
			}
			return costs;
		};
		const byId = await quiet(locator(ids.tag));
		const byName = await quiet(locator('Gold plan', 'name'));
		expect(byId.every((cost) => cost === 0)).toBe(true);
		expect([byName[0], byName.slice(1, 60).some(Boolean), byName[60]]).toEqual([1, false, 1]);
	});

	it('a change from the ID to the name is not a new start', async () => {
		const named = await activate(fleet, siteTrigger({ scope: 'tag', tagId: locator(ids.tag) }));
		await named.poll();
		fleet.clock.advance(MINUTE_MS);
		connected('disconnected');
		await named.change(
			siteTrigger({ scope: 'tag', tagId: locator('Gold plan', 'name') }).parameters,
		);
		expect(await named.poll()).toHaveLength(1);
	});

	it('a name that nobody has fails the activation, and one that is gone the poll after an hour', async () => {
		const gone = await activate(
			fleet,
			siteTrigger({ scope: 'tag', tagId: locator('Golden plan', 'name') }),
		);
		await expect(gone.poll()).rejects.toThrow(
			/^No tag is called "Golden plan" \(parameter "Tag"\); available: "Gold plan", /,
		);
		const { poll } = await activate(
			fleet,
			siteTrigger({ scope: 'tag', tagId: locator('Gold plan', 'name') }),
		);
		await poll();
		fleet.world.store.tags.get(ids.tag)!.name = 'Silver plan';
		fleet.clock.advance(59 * MINUTE_MS);
		await poll();
		fleet.clock.advance(2 * MINUTE_MS);
		await expect(poll()).rejects.toThrow('No tag is called "Gold plan"');
	});

	it('a name instead of an ID is refused, and an ID is sent without a lookup', async () => {
		const wrong = await activate(
			fleet,
			siteTrigger({ scope: 'client', clientId: locator('Harbour Ltd') }),
		);
		await expect(wrong.poll()).rejects.toThrow(
			`No client has the ID "Harbour Ltd" (parameter "Client"); it is the name of ${ids.client}`,
		);
		asked();
		const right = await activate(
			fleet,
			siteTrigger({ scope: 'client', clientId: locator(ids.client) }),
		);
		await right.poll();
		expect(asked()).not.toContain('GET /clients');
	});
});

it('the scope of the Backup Trigger: a site by its title, for backups and restores alike', async () => {
	const { poll } = await activate(fleet, {
		node: 'backupTrigger',
		parameters: {
			events: ['backupFailed', 'restoreFinished'],
			scope: 'sites',
			siteIds: '={{ ["Harbour Bakery"] }}',
		},
	});
	await poll();
	fleet.clock.advance(MINUTE_MS);
	for (const id of [ids.site, ids.other]) {
		const row = fleet.world.store.sites.get(id)!;
		row.backups.enabled = true;
		Object.assign(row.sync, {
			last_sync_at: fleet.world.timestamp(),
			last_sync_status: 'failed',
		});
		startTaskNow(fleet.world, { type: 'restore', siteIds: [id], durationMs: 1_000 });
	}
	fleet.clock.advance(MINUTE_MS);
	const items = await poll();
	expect(items?.map(({ event, site_id }) => [event, site_id])).toEqual([
		['backupFailed', ids.site],
		['restoreFinished', ids.site],
	]);
});

it.each<[string, INodeParameters, string, () => string]>([
	[
		'reportTrigger',
		{ filters: { clientId: locator('Harbour Ltd', 'name') } },
		'filters[client_id:eq]',
		() => ids.client,
	],
	[
		'reportTrigger',
		{ filters: { siteId: locator('Harbour Bakery', 'name') } },
		'filters[site_id:eq]',
		() => ids.site,
	],
	[
		'autoUpdateTrigger',
		{ options: { scheduleId: locator('Nightly', 'name') } },
		'filters[auto_update_schedule_id:eq]',
		() => ids.schedule,
	],
])('%s %j', async (node, parameters, filter, expected) => {
	const { poll } = await activate(fleet, {
		node,
		parameters: { events: node === 'reportTrigger' ? ['created'] : ['completed'], ...parameters },
	});
	await poll();
	expect(fleet.sent().at(-1)!.query).toMatchObject({ [filter]: expected() });
});

it('the site of the Task Trigger by its title', async () => {
	const { poll } = await activate(fleet, {
		node: 'taskTrigger',
		parameters: { events: ['started'], filters: { siteId: locator('Harbour Bakery', 'name') } },
	});
	expect(await poll()).toBeNull();
	expect(asked()[0]).toBe('GET /sites');
});

it('the site of the Activity Log Trigger by its title', async () => {
	fleet.world.store.sites.get(ids.site)!.activity_logs.enabled = true;
	const { poll } = await activate(fleet, {
		node: 'activityLogTrigger',
		parameters: { siteId: locator('Harbour Bakery', 'name') },
	});
	await poll();
	expect(asked().at(-1)).toBe(`GET /sites/${ids.site}/activity-logs`);
});
