import type { Fleet } from '../../support/fleet';
import {
	having,
	idCases,
	list,
	operationCases,
	request,
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

/** Operations that take nothing but ids. */
const onIds = idCases<Ids>(
	{},
	{
		'task/task/get': {
			record: ({ task, site }) => having({ id: task, details: { sites: [having({ id: site })] } }),
		},
		'task/task/wait': {
			on: ['endedTask'],
			record: ({ endedTask }) =>
				having({ id: endedTask, status: 'completed', details: { sites: expect.any(Array) } }),
		},
		'task/task/cancel': { record: ({ task }) => having({ id: task, status: 'cancelled' }) },
	},
);

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
	'tag/tag/getAll': {
		parameters: () => ({
			filters: {
				nameContains: 'o',
				name: '',
				siteIds: [],
				createdAfter: '2020-01-01T00:00:00',
			},
			sort: { by: { field: 'name', direction: 'asc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: () =>
			list('GET /tags', {
				'filters[name:contains]': 'o',
				'filters[created_at:gte]': '2020-01-01T00:00:00Z',
				sort: 'name,asc',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }) => {
			const names = json.map(({ name }) => String(name));
			expect(names.length).toBeGreaterThan(1);
			expect(names.every((name) => name.includes('o') || name.includes('O'))).toBe(true);
			expect(json[0]).toMatchObject({ id: expect.any(String), site_ids: expect.any(Array) });
		},
	},
	'tag/tag/getAll by-all-filters': {
		parameters: ({ site, otherSite }) => ({
			filters: {
				name: 'Own',
				nameContains: 'w',
				color: '#112233',
				siteIds: [site, otherSite],
				createdAfter: '2026-03-01T00:00:00',
				createdBefore: '2026-03-02T00:00:00',
				updatedAfter: '2026-03-01T01:00:00',
				updatedBefore: '2026-03-02T01:00:00',
			},
		}),
		sent: ({ site, otherSite }) =>
			list('GET /tags', {
				'filters[name:eq]': 'Own',
				'filters[name:contains]': 'w',
				'filters[color:eq]': '#112233',
				'filters[site_id:in][]': [site, otherSite],
				'filters[created_at:gte]': '2026-03-01T00:00:00Z',
				'filters[created_at:lte]': '2026-03-02T00:00:00Z',
				'filters[updated_at:gte]': '2026-03-01T01:00:00Z',
				'filters[updated_at:lte]': '2026-03-02T01:00:00Z',
			}),
		output: ({ json }, { tag }) => expect(json).toEqual([expect.objectContaining({ id: tag })]),
	},
	'tag/tag/create': {
		parameters: () => ({ name: 'Seasonal', additionalFields: { color: '#ff8800' } }),
		sent: () => request('POST /tags', { tag: { name: 'Seasonal', color: '#ff8800' } }),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({ name: 'Seasonal', color: '#ff8800', site_ids: [] }),
			]),
	},
	'tag/tag/update': {
		parameters: ({ tag }) => ({ tagId: locator(tag), updateFields: { name: 'Renamed' } }),
		sent: ({ tag }) => request(`POST /tags/${tag}/update`, { tag: { name: 'Renamed' } }),
		output: ({ json }, { tag }) =>
			expect(json).toEqual([expect.objectContaining({ id: tag, name: 'Renamed' })]),
	},
	'tag/tag/update without-its-color': {
		parameters: ({ tag }) => ({ tagId: locator(tag), updateFields: { clear: ['color'] } }),
		sent: ({ tag }) => request(`POST /tags/${tag}/update`, { tag: { color: null } }),
		output: ({ json }, { tag }) =>
			expect(json).toEqual([expect.objectContaining({ id: tag, color: null })]),
	},
	'tag/tag/assign': {
		parameters: ({ tag, site, otherSite }) => ({
			tagId: locator(tag),
			siteIds: ` ${site}, f0f0f0f0f0f0f0f0f0f0f0f0\n${otherSite},,${site} `,
		}),
		sent: ({ tag, site, otherSite }) =>
			request(`POST /tags/${tag}/assign`, {
				site_ids: [site, 'f0f0f0f0f0f0f0f0f0f0f0f0', otherSite],
			}),
		output: ({ json }, { tag, site, otherSite }) => {
			const outcome = (id: string, success: boolean) => ({
				tag_id: tag,
				site_id: id,
				assigned: success,
				success,
			});
			expect(json).toEqual([
				outcome(site, true),
				{
					...outcome('f0f0f0f0f0f0f0f0f0f0f0f0', false),
					code: 'not_found',
					message: expect.any(String),
				},
				outcome(otherSite, true),
			]);
		},
	},
	'tag/tag/remove': {
		parameters: ({ tag, site }) => ({ tagId: locator(tag), siteIds: `={{ ["${site}"] }}` }),
		sent: ({ tag, site }) => request(`POST /tags/${tag}/remove`, { site_ids: [site] }),
		output: ({ json }, { tag, site }) =>
			expect(json).toEqual([{ tag_id: tag, site_id: site, removed: true, success: true }]),
	},
	'task/task/getAll': {
		parameters: () => ({
			filters: { status: 'running', type: 'restore', updatedBefore: '2026-03-02T00:00:00' },
			sort: { by: { field: 'updated_at', direction: 'desc' } },
		}),
		sent: () =>
			list('GET /tasks', {
				'filters[status:eq]': 'running',
				'filters[type:eq]': 'restore',
				'filters[updated_at:lte]': '2026-03-02T00:00:00Z',
				sort: 'updated_at,desc',
			}),
		output: ({ json }, { task }) => {
			expect(json).toEqual([expect.objectContaining({ id: task, status: 'running' })]);
			expect(json[0]).not.toHaveProperty('details');
		},
	},
	'task/task/getAll by-time': {
		parameters: () => ({
			filters: {
				createdAfter: '2026-03-01T00:00:00',
				createdBefore: '2026-03-02T00:00:00',
				updatedAfter: '2026-03-01T01:00:00',
				updatedBefore: '2026-03-02T01:00:00',
			},
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: () =>
			list('GET /tasks', {
				'filters[created_at:gte]': '2026-03-01T00:00:00Z',
				'filters[created_at:lte]': '2026-03-02T00:00:00Z',
				'filters[updated_at:gte]': '2026-03-01T01:00:00Z',
				'filters[updated_at:lte]': '2026-03-02T01:00:00Z',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }, { task }) =>
			expect(json).toContainEqual(expect.objectContaining({ id: task })),
	},
	'site/site/getAll': {
		parameters: ({ site, tag }) => ({
			output: 'raw',
			filters: {
				siteId: locator(site),
				clientId: locator(''),
				urlContains: '',
				paused: false,
				tagIds: [tag, tag],
				phpVersionAbove: '5.6',
				lastSyncAfter: '2020-01-01T00:00:00',
			},
			sort: { by: { field: 'last_sync_at', direction: 'asc' } },
		}),
		sent: ({ site, tag }) => [
			list('GET /tags', { perPage: '100' }),
			list('GET /sites', {
				'filters[id:eq]': site,
				'filters[paused:eq]': 'false',
				'filters[tags:in][]': [tag],
				'filters[php_version:gt]': '5.6',
				'filters[last_sync_at:gte]': '2020-01-01T00:00:00Z',
				sort: 'last_sync_at,asc',
			}),
		],
		output: ({ json }, { site }) =>
			expect(json).toEqual([expect.objectContaining({ id: site, wp: expect.any(Object) })]),
	},
	'site/site/getAll by-all-filters': {
		parameters: ({ site, tag, client }) => ({
			filters: {
				siteId: locator(site),
				clientId: locator(client),
				urlContains: 'example.com',
				connectionStatus: 'connected',
				scannerStatus: 'clean',
				uptime: 'up',
				tagIds: [tag],
				paused: false,
				backups: true,
				security: false,
				performance: false,
				locked: true,
				phpVersion: '8.2',
				phpVersionAbove: '7.4',
				phpVersionBelow: '9',
				createdAfter: '2020-01-01T00:00:00',
				createdBefore: '2026-03-02T00:00:00',
				updatedAfter: '2020-01-01T01:00:00',
				updatedBefore: '2026-03-02T01:00:00',
				lastSyncAfter: '2020-01-01T02:00:00',
				lastSyncBefore: '2026-03-02T02:00:00',
			},
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: ({ site, tag, client }) => [
			list('GET /tags', { perPage: '100' }),
			list('GET /sites', {
				'filters[id:eq]': site,
				'filters[client_id:eq]': client,
				'filters[url:contains]': 'example.com',
				'filters[connection_status:eq]': 'connected',
				'filters[scanner_status:eq]': 'clean',
				'filters[uptime:eq]': 'up',
				'filters[tags:in][]': [tag],
				'filters[paused:eq]': 'false',
				'filters[backups:eq]': 'true',
				'filters[security:eq]': 'false',
				'filters[performance:eq]': 'false',
				'filters[locked:eq]': 'true',
				'filters[php_version:eq]': '8.2',
				'filters[php_version:gt]': '7.4',
				'filters[php_version:lt]': '9',
				'filters[created_at:gte]': '2020-01-01T00:00:00Z',
				'filters[created_at:lte]': '2026-03-02T00:00:00Z',
				'filters[updated_at:gte]': '2020-01-01T01:00:00Z',
				'filters[updated_at:lte]': '2026-03-02T01:00:00Z',
				'filters[last_sync_at:gte]': '2020-01-01T02:00:00Z',
				'filters[last_sync_at:lte]': '2026-03-02T02:00:00Z',
				timezone: 'Europe/Berlin',
			}),
		],
		// No site is locked and without security.
		output: ({ json }) => expect(json).toEqual([]),
	},
	'site/site/getAll of-a-client': {
		parameters: ({ client }) => ({ filters: { clientId: locator(client) } }),
		sent: ({ client }) => list('GET /sites', { 'filters[client_id:eq]': client }),
		output: ({ json }, { site }) => expect(json).toEqual([expect.objectContaining({ id: site })]),
	},
	'site/site/create': {
		parameters: () => ({
			url: 'https://new.example.com',
			additionalFields: {
				stickyIp: '203.0.113.7',
				httpAuth: { credentials: { username: 'guard', password: 'secret' } },
			},
		}),
		sent: () =>
			request('POST /sites', {
				site: {
					url: 'https://new.example.com',
					connection: {
						sticky_ip: '203.0.113.7',
						http_auth: { username: 'guard', password: 'secret' },
					},
				},
			}),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({
					url: 'https://new.example.com',
					connection_status: 'disconnected',
				}),
			]),
	},
	'site/site/get': {
		parameters: ({ site }) => ({ siteId: locator(site) }),
		sent: ({ site }) => request(`GET /sites/${site}`),
		output: ({ json }, { site }) => {
			expect(json).toEqual([expect.objectContaining({ id: site, connection: expect.any(Object) })]);
		},
	},
	'site/site/update': {
		parameters: ({ site }) => ({
			siteId: locator(site),
			updateFields: { dailySyncTime: '04:15:00Z', clear: ['connection.sticky_ip'] },
		}),
		sent: ({ site }) =>
			request(`POST /sites/${site}/update`, {
				site: { sync: { daily_sync_time: '04:15:00Z' }, connection: { sticky_ip: null } },
			}),
		output: ({ json }, { site }) =>
			expect(json).toEqual([expect.objectContaining({ id: site, daily_sync_time: '04:15:00Z' })]),
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

operationCases('fleet', prepare, { ...onIds, ...cases });
