import type { INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { activate, eventsOf } from '../../support/engine';
import { locator } from '../../support/locator';
import { HOUR, MINUTE, told, watching } from '../../support/watching';

let ids: Record<'site' | 'other' | 'tag' | 'client' | 'schedule', string>;

const { fleet, trigger, begun } = watching('siteTrigger', 6, ({ clock, forget, world }) => {
	const { sites, tags, clients, autoUpdateSchedules } = world.store;
	const [site, other, ...more] = sites.peek().map(({ id }) => sites.get(id)!);
	const tag = tags.get(tags.peek()[0]!.id)!;
	const client = clients.get(clients.peek()[0]!.id)!;
	const schedule = autoUpdateSchedules.get(autoUpdateSchedules.peek()[0]!.id)!;
	const named = { site: site!, other: other!, tag, client, schedule };
	ids = Object.fromEntries(Object.entries(named).map(([of, { id }]) => [of, id])) as typeof ids;
	Object.assign(site!, { title: 'Harbour Bakery', url: 'https://harbour.example.com/shop' });
	tag.name = 'Gold plan';
	client.company_name = 'Harbour Ltd';
	schedule.name = 'Nightly';
	for (const each of [site!, other!, ...more]) {
		each.connection.status = 'connected';
		each.internal.tag_ids = each === site ? [tag.id] : [];
		each.internal.client_id = each === site ? client.id : null;
		each.activity_logs.enabled = each.backups.enabled = true;
	}
	clock.advance(HOUR);
	forget();
});

const both = () => [ids.site, ids.other].map((id) => fleet.world.store.sites.get(id)!);

const disconnect = () => {
	fleet.clock.advance(MINUTE);
	for (const row of both()) {
		row.connection.status = 'disconnected';
		row.updated_at = fleet.world.timestamp();
	}
};

const byTag = (name: string): INodeParameters => ({ tagId: locator(name, 'name') });
const sitesOf = (name: string): INodeParameters => ({
	siteIds: `={{ ["${name}"] }}`,
});

describe('the scope of the Site Trigger', () => {
	it.each<[string, INodeParameters, string, 'site' | 'other']>([
		['a tag', byTag('Gold plan'), 'GET /tags', 'site'],
		['a client', { clientId: locator('Harbour Ltd', 'name') }, 'GET /clients', 'site'],
		['a site by title', sitesOf('Harbour Bakery'), 'GET /sites', 'site'],
		['a site by URL', sitesOf('http://harbour.example.com/shop/'), 'GET /sites', 'site'],
		['all but a tag', { options: { exceptTagIds: '={{ ["Gold plan"] }}' } }, 'GET /tags', 'other'],
	])('%s', async (_, parameters, look, expected) => {
		const { poll } = await begun(['disconnected'], parameters);
		expect(fleet.routes()[0]).toBe(look);
		disconnect();
		expect(told(await poll())).toEqual([`disconnected ${ids[expected]}`]);
	});

	it('is looked up once an hour; by the ID, never', async () => {
		for (const [tagId, wanted] of [
			[locator(ids.tag), []],
			[locator('Gold plan', 'name'), [0, 60]],
		] as const) {
			const { poll } = await trigger(['disconnected'], { tagId });
			const lookups: number[] = [];
			for (let minute = 0; minute <= 61; minute++) {
				fleet.forget();
				await poll();
				if (fleet.routes().includes('GET /tags')) lookups.push(minute);
				fleet.clock.advance(MINUTE);
			}
			expect(lookups).toEqual(wanted);
		}
	});

	it('a change from the ID to the name is not a new start', async () => {
		const events = ['disconnected'];
		const { poll, change } = await begun(events, { tagId: locator(ids.tag) });
		disconnect();
		await change({ events, ...byTag('Gold plan') });
		expect(await poll()).toHaveLength(1);
	});

	it('a name that nobody has fails the activation, and one that is gone the poll after an hour', async () => {
		const gone = await trigger(['disconnected'], byTag('Golden plan'));
		await expect(gone.poll()).rejects.toThrow(
			/^No tag is called "Golden plan" \(parameter "Tag"\); available: "Gold plan", /,
		);
		const { poll } = await begun(['disconnected'], byTag('Gold plan'));
		fleet.world.store.tags.get(ids.tag)!.name = 'Silver plan';
		fleet.clock.advance(59 * MINUTE);
		await poll();
		fleet.clock.advance(2 * MINUTE);
		await expect(poll()).rejects.toThrow('No tag is called "Gold plan"');
	});

	it('a name instead of an ID is refused, and an ID is sent without a lookup', async () => {
		const client = (id: string) => ({ clientId: locator(id) });
		const wrong = await trigger(['disconnected'], client('Harbour Ltd'));
		await expect(wrong.poll()).rejects.toThrow(
			`No client has the ID "Harbour Ltd" (parameter "Client"); it is the name of ${ids.client}`,
		);
		fleet.forget();
		const right = await trigger(['disconnected'], client(ids.client));
		await right.poll();
		expect(fleet.routes()).not.toContain('GET /clients');
	});
});

it('the scope of the Backup Trigger: a site by its title, for backups and restores alike', async () => {
	const { poll } = await activate(fleet, {
		node: 'backupTrigger',
		parameters: { events: ['backupFailed', 'restoreFinished'], ...sitesOf('Harbour Bakery') },
	});
	await poll();
	fleet.clock.advance(MINUTE);
	for (const { id, sync } of both()) {
		Object.assign(sync, { last_sync_at: fleet.world.timestamp(), last_sync_status: 'failed' });
		startTaskNow(fleet.world, { type: 'restore', siteIds: [id], durationMs: 1_000 });
	}
	fleet.clock.advance(MINUTE);
	const items = ['backupFailed', 'restoreFinished'].map((event) => `${event} ${ids.site}`);
	expect(told(await poll())).toEqual(items);
});

const site = { siteId: locator('Harbour Bakery', 'name') };
const client = { clientId: locator('Harbour Ltd', 'name') };
const schedule = { scheduleId: locator('Nightly', 'name') };
const filter = (name: string, id: string) => ({ query: { [`filters[${name}:eq]`]: id } });

it.each<[string, INodeParameters, string, () => object]>([
	['reportTrigger', { filters: client }, 'clients', () => filter('client_id', ids.client)],
	['reportTrigger', { filters: site }, 'sites', () => filter('site_id', ids.site)],
	[
		'autoUpdateTrigger',
		{ options: schedule },
		'auto-update-schedules',
		() => filter('auto_update_schedule_id', ids.schedule),
	],
	['activityLogTrigger', site, 'sites', () => ({ route: `GET /sites/${ids.site}/activity-logs` })],
	['taskTrigger', { filters: site }, 'sites', () => ({ route: 'GET /tasks' })],
])('%s looks up the name in %j', async (node, parameters, list, next) => {
	const [event] = await eventsOf(node);
	const events = event && { events: [event] };
	const { poll } = await activate(fleet, { node, parameters: { ...events, ...parameters } });
	expect(await poll()).toBeNull();
	const [first, second] = fleet.sent();
	expect(first!.route).toBe(`GET /${list}`);
	expect(second).toMatchObject(next());
});
