import type { ActivityLogRow } from '../../../sandbox/service/domain/activityLogs/rows';
import { addSite, expectError, minute, start, startSite } from './support';

const entry = {
	username: 'admin',
	ip_address: '192.0.2.1',
	country_code: 'DE',
	object_type: 'plugin',
	event_type: 'activated',
	event_details: {},
	timestamp: '2025-03-10T12:00:00.000Z',
} as const;

async function startWithLogs(...entries: Array<Partial<ActivityLogRow>>) {
	const service = await startSite({
		activity_logs: { enabled: true },
		created_at: '2025-01-01T00:00:00.000Z',
	});
	entries.forEach((fields, index) => {
		const row = { ...entry, ...fields, id: String(index), site_id: service.site.id };
		service.world.store.activityLogs.insert(row);
	});
	return { ...service, url: `${service.path}/activity-logs` };
}

describe('activity logs', () => {
	it('have the fields of the reference', async () => {
		const { api, url } = await startWithLogs({});
		expect((await api.get(url)).data.activity_logs).toEqual([{ id: '0', ...entry }]);
	});

	const entries: Array<Partial<ActivityLogRow>> = [
		{ timestamp: '2025-03-01T00:00:00.000Z', event_details: { name: 'Page Cache' } },
		{ timestamp: '2025-03-02T00:00:00.000Z', username: 'Administrator', object_type: 'user' },
		{ timestamp: '2025-03-03T00:00:00.000Z', ip_address: '192.0.2.15', event_type: 'login' },
		{ timestamp: '2024-12-31T23:59:59.000Z', username: 'before' },
		{ timestamp: '2025-03-10T12:00:01.000Z', username: 'after' },
	];

	it.each([
		[{}, ['2', '1', '0']],
		[{ sort: 'username,asc' }, ['1', '0', '2']],
		[{ sort: 'object_type,desc' }, ['1', '0', '2']],
		[{ sort: 'event_type,desc' }, ['2', '0', '1']],
		[{ sort: 'ip_address,desc' }, ['2', '0', '1']],
		[{ 'filters[username:eq]': 'admin' }, ['2', '0']],
		[{ 'filters[username:contains]': 'ADMIN' }, ['2', '1', '0']],
		[{ 'filters[ip_address:eq]': '192.0.2.1' }, ['1', '0']],
		[{ 'filters[ip_address:contains]': '2.15' }, ['2']],
		[{ 'filters[object_type:eq]': 'user' }, ['1']],
		[{ 'filters[event_type:eq]': 'login' }, ['2']],
		[{ 'filters[search:contains]': 'page cache' }, ['0']],
		[{ 'filters[search:contains]': 'istrator' }, ['1']],
		[{ 'filters[search:contains]': 'login' }, ['2']],
		[{ 'filters[timestamp:gte]': '2025-03-02T00:00:00Z' }, ['2', '1']],
		[{ 'filters[timestamp:lte]': '2025-03-02T00:00:00Z' }, ['1', '0']],
		[{ 'filters[timestamp:lte]': '2025-03-11' }, ['4', '2', '1', '0']],
		[{ 'filters[timestamp:gte]': '2024-12-01' }, ['2', '1', '0', '3']],
	])('are listed with %j', async (params, expected) => {
		const { api, url } = await startWithLogs(...entries);
		const { data } = await api.get(url, { params });
		expect(data.activity_logs.map(({ id }: { id: string }) => id)).toEqual(expected);
	});

	it.each([
		{ 'filters[event_type:eq]': 'opened' },
		{ 'filters[object_type:eq]': 'page' },
		{ 'filters[country_code:eq]': 'DE' },
		{ timezone: 'Europe/Berlin' },
	])('refuse %j', async (params) => {
		const { api, url } = await startWithLogs();
		expectError(await api.get(url, { params }), 400);
	});
});

describe('activity logging', () => {
	it('is enabled and disabled', async () => {
		const { api, clock, path, site } = await startSite();
		const enabled = await api.post(`${path}/activity-logs/enable`);
		expect([enabled.status, enabled.data]).toEqual([200, { activity_logs: { enabled: true } }]);
		expect(site.activity_logs.enabled).toBe(true);
		clock.advance(1000);
		const disabled = await api.post(`${path}/activity-logs/disable`);
		expect([disabled.status, disabled.data]).toEqual([200, { activity_logs: { enabled: false } }]);
		expect(site.activity_logs.enabled).toBe(false);
	});

	it('is a conflict while the configuration of the site changes', async () => {
		const service = await startSite();
		const { api, clock, path } = service;
		const other = await addSite(service, 'https://two.example.com');
		await api.post(`${path}/activity-logs/enable`);
		clock.advance(999);
		expectError(await api.post(`${path}/activity-logs/disable`), 409);
		expectError(await api.post(`${path}/activity-logs/enable`), 409);
		expect((await api.post(`/sites/${other.id}/activity-logs/enable`)).status).toBe(200);
		clock.advance(1);
		expect((await api.post(`${path}/activity-logs/disable`)).status).toBe(200);
	});

	it('is a conflict while the settings of the site change', async () => {
		const { api, path } = await startSite();
		const settings = { wp_auto_updates: { enabled: true } };
		await api.post(`${path}/settings/update`, { settings });
		expectError(await api.post(`${path}/activity-logs/enable`), 409);
	});

	it('continues by itself in a living fleet, only where it is enabled', async () => {
		const { clock, world } = await start({ living: true });
		const logging = new Set(
			world.store.sites.all().flatMap((site) => (site.activity_logs.enabled ? site.id : [])),
		);
		const before = world.store.activityLogs.all().length;
		clock.advance(60 * minute);
		world.settle();
		const logs = world.store.activityLogs.all();
		expect(logs.length - before).toBeGreaterThanOrEqual(10);
		expect(logs.length - before).toBeLessThanOrEqual(200);
		expect(logs.filter(({ site_id: id }) => !logging.has(id))).toEqual([]);
	});

	it('does not change in a fleet that does not live', async () => {
		const { clock, world } = await start();
		const before = world.store.activityLogs.all().length;
		clock.advance(60 * minute);
		world.settle();
		expect(world.store.activityLogs.all()).toHaveLength(before);
	});
});
