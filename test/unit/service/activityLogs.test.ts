import { day, startSite } from './support';

it('the activity log of a site is that of its last days, up to now, unless times are set', async () => {
	const { api, path, site, world } = await startSite({
		activity_logs: { enabled: true },
		created_at: '2025-01-01T00:00:00.000Z',
	});
	for (const age of [-1, 1, 9, 70]) {
		world.store.activityLogs.insert({
			id: String(age),
			site_id: site.id,
			username: 'admin',
			ip_address: '192.0.2.1',
			country_code: 'DE',
			object_type: 'plugin',
			event_type: 'activated',
			event_details: {},
			timestamp: world.timestamp(world.now - age * day),
		});
	}
	const ages = async (params: object = {}) => {
		const { data } = await api.get(`${path}/activity-logs`, { params });
		return data.activity_logs.map(({ id }: { id: string }) => Number(id));
	};
	expect(await ages()).toEqual([1, 9]);
	expect(await ages({ 'filters[timestamp:lte]': '2025-03-12' })).toEqual([-1, 1, 9]);
	expect(await ages({ 'filters[timestamp:gte]': '2024-12-01' })).toEqual([1, 9, 70]);
});
