import { planFeatures } from '../../../sandbox/service/domain/account/rows';
import { expectError, list, start, startSite } from './support';

const tag = { tag: { name: 'Shop' } };

describe('the plan of the account', () => {
	it('has every feature by default', async () => {
		const { admin } = await start({ sites: 0 });
		expect((await admin.get('/plan')).data).toEqual({
			account: {
				features: planFeatures,
				without: [],
				limits: {
					tags_per_site: 10,
					staging_days: 30,
					syncs_per_day: 24,
					important_pages_per_site: 10,
				},
			},
			sites: [],
		});
	});

	it('can lack features, and have them again', async () => {
		const { admin, api } = await start({ sites: 0 });
		const { data } = await admin.post('/plan', { without: ['tags', 'notes'] });
		expect(data.account.without).toEqual(['notes', 'tags']);
		expect((await admin.get('/plan')).data).toEqual(data);
		const refused = await api.post('/tags', tag);
		expect(expectError(refused, 422)).toEqual(['tags']);
		expect(refused.data.error.details[0].code).toBe('plan');
		expect((await admin.post('/plan', { without: [] })).data.account.without).toEqual([]);
		expect((await api.post('/tags', tag)).status).toBe(201);
	});

	it('does not change routes that cannot fail with 422', async () => {
		const { admin, api } = await start({ sites: 0 });
		await admin.post('/plan', { without: ['tags', 'plugin_branding', 'wp_login'] });
		for (const path of ['/tags', '/whitelabel/plugin-branding', '/whitelabel/wp-login']) {
			expect((await api.get(path)).status).toBe(200);
		}
	});

	it('applies to every site', async () => {
		const { admin, api, path } = await startSite();
		await admin.post('/plan', { without: ['notes'] });
		expect(expectError(await api.post(`${path}/notes`, { note: { content: 'x' } }), 422)).toEqual([
			'site_id',
		]);
		expect((await api.get(`${path}/notes`)).status).toBe(200);
	});

	it('has limits, which can be set each', async () => {
		const { admin, api, path } = await startSite();
		const { data } = await admin.post('/plan', { limits: { syncs_per_day: 0 } });
		expect(data.account.limits).toMatchObject({ syncs_per_day: 0, staging_days: 30 });
		expectError(await api.post(`${path}/sync`), 422);
		await admin.post('/plan', { limits: { syncs_per_day: 1 } });
		expect((await api.post(`${path}/sync`)).status).toBe(200);
	});

	it.each([
		[{ without: ['magic'] }],
		[{ without: 'tags' }],
		[{ limits: { sites: 3 } }],
		[{ limits: { syncs_per_day: -1 } }],
		[{ features: [] }],
	])('refuses %j', async (body) => {
		const { admin } = await start({ sites: 0 });
		expectError(await admin.post('/plan', body), 400);
	});
});

describe('the plan of a site', () => {
	const note = { note: { content: 'Call first' } };

	it('can lack features that the account has', async () => {
		const { admin, api, path, site } = await startSite();
		const { data } = await admin.post(`${path}/plan`, { without: ['notes'] });
		expect(data.sites).toEqual([{ site_id: site.id, without: ['notes'] }]);
		expect(expectError(await api.post(`${path}/notes`, note), 422)).toEqual(['site_id']);
		expect((await admin.post(`${path}/plan`, { without: [] })).data.sites).toEqual([]);
		expect((await api.post(`${path}/notes`, note)).status).toBe(201);
	});

	it('goes with the site', async () => {
		const { admin, api, path } = await startSite();
		await admin.post(`${path}/plan`, { without: ['notes'] });
		await api.delete(path);
		expect((await admin.get('/plan')).data.sites).toEqual([]);
	});

	it('belongs to an existing site, and lacks only features that a site can have', async () => {
		const { admin, path } = await startSite();
		expectError(await admin.post('/sites/unknown/plan', { without: [] }), 404);
		expectError(await admin.post(`${path}/plan`, { without: ['tags'] }), 400);
		expectError(await admin.post(`${path}/plan`, {}), 400);
	});

	it('lacks something at a few sites of the demo fleet, which do not use it', async () => {
		const service = await start({ sites: 250 });
		const { sites } = (await service.admin.get('/plan')).data;
		expect(sites.length).toBeGreaterThan(10);
		expect(sites.length).toBeLessThan(40);
		const shown = await Promise.all(
			[1, 2, 3].map((page) => list(service, '/sites', { page, perPage: 100 })),
		);
		const byId = new Map(shown.flat().map((site) => [site.id, site]));
		for (const { site_id: id, without } of sites) {
			for (const feature of without) expect(byId.get(id)[feature].enabled).toBe(false);
		}
		const features = sites.flatMap(({ without }: { without: string[] }) => without);
		expect(new Set(features)).toEqual(new Set(['backups', 'performance', 'activity_logs']));
	});
});

describe('a storage provider', () => {
	it('can be unavailable', async () => {
		const { admin, api } = await start({ sites: 0 });
		const test = () => api.post('/backup-destinations/cloudstore_a/test');
		await admin.post('/providers', { unavailable: ['cloudstore_a'] });
		expectError(await test(), 503);
		expect((await api.post('/backup-destinations/cloudstore_b/test')).status).toBe(200);
		await admin.post('/providers', { unavailable: [] });
		expect((await test()).status).toBe(200);
		expectError(await admin.post('/providers', { unavailable: ['other'] }), 400);
	});
});
