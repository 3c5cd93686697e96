import type { Fleet } from '../../support/fleet';
import {
	byId,
	list,
	operationCases,
	request,
	type OperationCases,
} from '../../support/operationCases';

interface Ids {
	site: string;
	otherSite: string;
	tag: string;
	task: string;
}

const cases: OperationCases<Ids> = {
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
	'tag/tag/create': {
		parameters: () => ({ name: 'Seasonal', additionalFields: { color: '#ff8800' } }),
		sent: () => request('POST /tags', { tag: { name: 'Seasonal', color: '#ff8800' } }),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({ name: 'Seasonal', color: '#ff8800', site_ids: [] }),
			]),
	},
	'tag/tag/get': {
		parameters: ({ tag }) => ({ tagId: byId(tag) }),
		sent: ({ tag }) => request(`GET /tags/${tag}`),
		output: ({ json }, { tag }) => expect(json).toEqual([expect.objectContaining({ id: tag })]),
	},
	'tag/tag/update': {
		parameters: ({ tag }) => ({ tagId: byId(tag), updateFields: { name: 'Renamed' } }),
		sent: ({ tag }) => request(`POST /tags/${tag}/update`, { tag: { name: 'Renamed' } }),
		output: ({ json }, { tag }) =>
			expect(json).toEqual([expect.objectContaining({ id: tag, name: 'Renamed' })]),
	},
	'tag/tag/assign': {
		parameters: ({ tag, site, otherSite }) => ({
			tagId: byId(tag),
			siteIds: ` ${site}, unknown\n${otherSite},,${site} `,
		}),
		sent: ({ tag, site, otherSite }) =>
			request(`POST /tags/${tag}/assign`, { site_ids: [site, 'unknown', otherSite] }),
		output: ({ json }, { site, otherSite }) =>
			expect(json).toEqual([
				{ id: site, success: true },
				{ id: otherSite, success: true },
				{ id: 'unknown', success: false, code: 'not_found', message: expect.any(String) },
			]),
	},
	'tag/tag/remove': {
		parameters: ({ tag, site }) => ({ tagId: byId(tag), siteIds: `={{ ["${site}"] }}` }),
		sent: ({ tag, site }) => request(`POST /tags/${tag}/remove`, { site_ids: [site] }),
		output: ({ json }, { site }) => expect(json).toEqual([{ id: site, success: true }]),
	},
	'tag/tag/delete': {
		parameters: ({ tag }) => ({ tagId: byId(tag) }),
		sent: ({ tag }) => request(`DELETE /tags/${tag}`),
		output: ({ json }, { tag }) => expect(json).toEqual([{ deleted: true, id: tag }]),
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
	'task/task/get': {
		parameters: ({ task }) => ({ taskId: byId(task) }),
		sent: ({ task }) => request(`GET /tasks/${task}`),
		output: ({ json }, { task, site }) =>
			expect(json).toEqual([
				expect.objectContaining({
					id: task,
					details: { sites: [expect.objectContaining({ id: site })] },
				}),
			]),
	},
	'task/task/cancel': {
		parameters: ({ task }) => ({ taskId: byId(task) }),
		sent: ({ task }) => request(`POST /tasks/${task}/cancel`),
		output: ({ json }, { task }) =>
			expect(json).toEqual([expect.objectContaining({ id: task, status: 'cancelled' })]),
	},
	'site/site/getAll': {
		parameters: ({ site, tag }) => ({
			output: 'raw',
			filters: {
				siteId: site,
				urlContains: '',
				paused: false,
				tagIds: [tag, tag],
				phpVersionAbove: '5.6',
				lastSyncAfter: '2020-01-01T00:00:00',
			},
			sort: { by: { field: 'last_sync_at', direction: 'asc' } },
		}),
		sent: ({ site, tag }) =>
			list('GET /sites', {
				'filters[id:eq]': site,
				'filters[paused:eq]': 'false',
				'filters[tags:in][]': [tag],
				'filters[php_version:gt]': '5.6',
				'filters[last_sync_at:gte]': '2020-01-01T00:00:00Z',
				sort: 'last_sync_at,asc',
			}),
		output: ({ json }, { site }) =>
			expect(json).toEqual([expect.objectContaining({ id: site, wp: expect.any(Object) })]),
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
					connection: { status: 'disconnected' },
				}),
			]),
	},
	'site/site/get': {
		parameters: ({ site }) => ({ siteId: byId(site) }),
		sent: ({ site }) => request(`GET /sites/${site}`),
		output: ({ json }, { site }) => {
			expect(Object.keys(json[0]!)).toHaveLength(10);
			expect(json).toEqual([
				expect.objectContaining({ id: site, core_version: expect.any(String) }),
			]);
		},
	},
	'site/site/update': {
		parameters: ({ site }) => ({
			siteId: byId(site),
			updateFields: { dailySyncTime: '04:15:00Z', clear: ['connection.sticky_ip'] },
		}),
		sent: ({ site }) =>
			request(`POST /sites/${site}/update`, {
				site: { sync: { daily_sync_time: '04:15:00Z' }, connection: { sticky_ip: null } },
			}),
		output: ({ json }, { site }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: site, sync: { daily_sync_time: '04:15:00Z' } }),
			]),
	},
	'site/site/sync': {
		parameters: ({ site }) => ({
			siteId: byId(site),
			additionalFields: { message: 'Before the redesign' },
		}),
		sent: ({ site }) =>
			request(`POST /sites/${site}/sync`, { sync: { message: 'Before the redesign' } }),
		output: ({ json }) =>
			expect(json).toEqual([{ snapshot_id: expect.any(String), in_progress: true }]),
	},
	'site/site/delete': {
		parameters: ({ site }) => ({ siteId: byId(site) }),
		sent: ({ site }) => request(`DELETE /sites/${site}`),
		output: ({ json }, { site }) => expect(json).toEqual([{ deleted: true, id: site }]),
	},
};

async function prepare(fleet: Fleet): Promise<Ids> {
	const sites = await fleet.sites(20);
	const free = sites.filter(({ sync, locked, tags, connection }) => {
		const usable = connection.status === 'connected' && !sync.in_progress && !sync.paused;
		return usable && !locked && tags.length < 9;
	});
	const { data } = await fleet.api.post('/tags', { tag: { name: 'Own', color: '#112233' } });
	await fleet.api.post(`/tags/${data.tag.id}/assign`, { site_ids: [free[0]!.id] });
	const task = fleet.service.world.startTask({ type: 'restore', siteIds: [free[0]!.id] });
	fleet.clock.advance(60_000);
	return { site: free[0]!.id, otherSite: free[1]!.id, tag: data.tag.id, task: task.id };
}

operationCases(['tag', 'task', 'site/site'], prepare, cases);
