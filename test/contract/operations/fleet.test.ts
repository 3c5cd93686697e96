import { between, changeCases, GONE, listCases, outcomes } from '../../support/caseKinds';
import type { Fleet } from '../../support/fleet';
import {
	having,
	idCases,
	list,
	operationCases,
	request,
	type Called,
	type OperationCases,
} from '../../support/operationCases';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { locator } from '../../support/locator';

interface Ids {
	site: string;
	otherSite: string;
	tag: string;
	task: string;
	endedTask: string;
	/** The client of `site` alone. */
	client: string;
}

const called: Called<Ids> = {};

/** All bounds of both timestamps. */
const times = between({ created: 'created_at', updated: 'updated_at' });
const timezone = { timezone: ['timezone', 'Europe/Berlin'] as [string, string] };

const lists = listCases<Ids>(called, {
	'tag/tag/getAll': {
		filters: ({ site, otherSite }) => ({
			name: ['name:eq', 'Own'],
			nameContains: ['name:contains', 'w'],
			color: ['color:eq', '#112233'],
			siteIds: ['site_id:in', [site, otherSite]],
			...times,
		}),
		sort: 'name,asc',
		options: timezone,
	},
	'task/task/getAll': {
		filters: { status: ['status:eq', 'running'], type: ['type:eq', 'restore'], ...times },
		sort: 'updated_at,desc',
		options: timezone,
	},
	'site/site/getAll': {
		before: () => [list('GET /tags', { perPage: '100' })],
		filters: ({ site, tag, client }) => ({
			siteId: ['id:eq', locator(site)],
			clientId: ['client_id:eq', locator(client)],
			urlContains: ['url:contains', 'example'],
			connectionStatus: ['connection_status:eq', 'connected'],
			scannerStatus: ['scanner_status:eq', 'clean'],
			uptime: ['uptime:eq', 'up'],
			tagIds: ['tags:in', [tag, tag], [tag]],
			paused: ['paused:eq', false],
			backups: ['backups:eq', true],
			security: ['security:eq', true],
			performance: ['performance:eq', false],
			locked: ['locked:eq', false],
			phpVersion: ['php_version:eq', '8.2'],
			phpVersionAbove: ['php_version:gt', '7.4'],
			phpVersionBelow: ['php_version:lt', '9'],
			...between({ created: 'created_at', updated: 'updated_at', lastSync: 'last_sync_at' }),
		}),
		sort: 'last_sync_at,asc',
		options: timezone,
	},
});

const auth = { username: 'guard', password: 'secret' };

const changes = changeCases<Ids>(called, {
	'tag/tag/create': {
		wrapper: 'tag',
		set: { name: 'Seasonal', additionalFields: { color: '#ff8800' } },
	},
	'tag/tag/update': { wrapper: 'tag', set: { updateFields: { name: 'Renamed' } } },
	'tag/tag/update without-its-color': {
		wrapper: 'tag',
		set: { updateFields: { clear: ['color'] } },
		as: { color: null },
	},
	'tag/tag/assign': {
		set: ({ site, otherSite }) => ({
			siteIds: ` ${site}, ${GONE}\n${otherSite},,${site} `,
		}),
		as: ({ site, otherSite }) => ({ site_ids: [site, GONE, otherSite] }),
		output: ({ json }, { tag, site, otherSite }) =>
			expect(json).toEqual(
				outcomes({ tag_id: tag }, 'site_id', 'assigned', [site], [GONE, 'not_found'], [otherSite]),
			),
	},
	'tag/tag/remove': {
		set: ({ site }) => ({ siteIds: `={{ ["${site}"] }}` }),
		as: ({ site }) => ({ site_ids: [site] }),
		output: ({ json }, { tag, site }) =>
			expect(json).toEqual(outcomes({ tag_id: tag }, 'site_id', 'removed', [site])),
	},
	'site/site/create': {
		wrapper: 'site',
		set: {
			url: 'https://new.example.com',
			additionalFields: { stickyIp: '203.0.113.7', httpAuth: { credentials: auth } },
		},
		sent: {
			url: 'https://new.example.com',
			connection: { sticky_ip: '203.0.113.7', http_auth: auth },
		},
	},
	'site/site/update': {
		wrapper: 'site',
		set: { updateFields: { dailySyncTime: '04:15:00Z', clear: ['connection.sticky_ip'] } },
		sent: { sync: { daily_sync_time: '04:15:00Z' }, connection: { sticky_ip: null } },
		output: ({ json }, { site }) =>
			expect(json).toEqual([having({ id: site, daily_sync_time: '04:15:00Z' })]),
	},
});

/** Operations that take nothing but ids, on other records than the first of their kind. */
const onIds = idCases<Ids>(called, { 'task/task/wait': { on: ['endedTask'] } });

const cases: OperationCases<Ids> = {
	'tag/tag/upsert': {
		parameters: () => ({ name: 'Own', additionalFields: { color: '#445566' } }),
		sent: ({ tag }) => [
			list('GET /tags', { perPage: '100' }),
			request(`POST /tags/${tag}/update`, { tag: { color: '#445566' } }),
		],
		output: ({ json }, { tag }) =>
			expect(json).toEqual([having({ id: tag, color: '#445566', created: false })]),
	},
	'tag/tag/upsert new': {
		parameters: () => ({ name: 'Quite new' }),
		sent: () => {
			const look = list('GET /tags', { perPage: '100', 'filters[name:eq]': 'Quite new' });
			const all = list('GET /tags', { perPage: '100' });
			return [all, request('POST /tags', { tag: { name: 'Quite new' } }), look];
		},
		output: ({ json }) => expect(json).toEqual([having({ name: 'Quite new', created: true })]),
	},
};

async function prepare(fleet: Fleet): Promise<Ids> {
	const sites = await fleet.sites(20);
	const free = sites.filter(({ sync, locked, tags, connection, client }) => {
		const usable = connection.status === 'connected' && !sync.in_progress && !sync.paused;
		return usable && !locked && tags.length < 9 && client === null;
	});
	const { world } = fleet;
	const now = world.timestamp();
	const times = { created_at: now, updated_at: now };
	// Its id can be told from other numbers in what is saved.
	const tag = world.store.tags.insert({ id: '900001', name: 'Own', color: '#112233', ...times }).id;
	await fleet.api.post(`/tags/${tag}/assign`, { site_ids: [free[0]!.id] });
	const [site, otherSite] = free.map(({ id }) => id as string) as [string, string];
	const row = world.store.sites.get(site)!;
	row.performance.enabled = false;
	row.uptime.status = 'up';
	row.server.php_version = '8.2';
	for (const each of [row.security, row.backups]) each.enabled = true;
	row.security.scanner.status = 'clean';
	const { data: added } = await fleet.api.post('/clients', {
		client: { email: 'client@example.com', site_ids: [site] },
	});
	// It makes no record that would be looked for.
	const endedTask = startTaskNow(world, { type: 'speed', siteIds: [otherSite] }).id;
	fleet.clock.advance(3_600_000);
	const task = startTaskNow(world, { type: 'restore', siteIds: [site] }).id;
	fleet.clock.advance(60_000);
	return { site, otherSite, tag, client: added.client.id, task, endedTask };
}

operationCases('fleet', prepare, { ...onIds, ...lists, ...changes, ...cases });
