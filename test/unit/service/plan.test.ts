import { planFeatures } from '../../../sandbox/service/domain/account/rows';
import { expectError, list, start, startSite } from './support';

const note = { note: { content: 'Call first' } };

it('the plan has every feature by default', async () => {
	const { admin } = await start({ sites: 0 });
	const limits = {
		tags_per_site: 10,
		staging_days: 30,
		syncs_per_day: 24,
		important_pages_per_site: 10,
	};
	const account = { features: planFeatures, without: [], limits };
	expect((await admin.get('/plan')).data).toEqual({ account, sites: [] });
});

it('the plan of the account can lack features, which refuses changes, and have them again', async () => {
	const { admin, api, path } = await startSite();
	const { data } = await admin.post('/plan', { without: ['tags', 'notes'] });
	expect(data.account.without).toEqual(['notes', 'tags']);
	const refused = await api.post('/tags', { tag: { name: 'Shop' } });
	expect(expectError(refused, 422)).toEqual(['tags']);
	expect(refused.data.error.details[0].code).toBe('plan');
	expect(expectError(await api.post(`${path}/notes`, note), 422)).toEqual(['site_id']);
	for (const url of ['/tags', `${path}/notes`]) expect((await api.get(url)).status).toBe(200);
	await admin.post('/plan', { without: [] });
	expect((await api.post(`${path}/notes`, note)).status).toBe(201);
});

it('the plan has limits, which can be set each', async () => {
	const { admin, api, path } = await startSite();
	const { data } = await admin.post('/plan', { limits: { syncs_per_day: 0 } });
	expect(data.account.limits).toMatchObject({ syncs_per_day: 0, staging_days: 30 });
	expectError(await api.post(`${path}/sync`), 422);
});

it('the plan of a site can lack features that the account has, and goes with the site', async () => {
	const { admin, api, path, site } = await startSite();
	const sites = async () => (await admin.get('/plan')).data.sites;
	await admin.post(`${path}/plan`, { without: ['notes'] });
	expect(await sites()).toEqual([{ site_id: site.id, without: ['notes'] }]);
	expect(expectError(await api.post(`${path}/notes`, note), 422)).toEqual(['site_id']);
	await admin.post(`${path}/plan`, { without: [] });
	expect(await sites()).toEqual([]);
	await admin.post(`${path}/plan`, { without: ['notes'] });
	await api.delete(path);
	expect(await sites()).toEqual([]);
});

it.each([
	[{ without: ['magic'] }, 400],
	[{ limits: { sites: 3 } }, 400],
	[{ limits: { syncs_per_day: -1 } }, 400],
	[{ without: ['tags'] }, 400, '/sites/:id/plan'],
	[{ without: [] }, 404, '/sites/unknown/plan'],
])('a plan cannot be %j: %d', async (body, status, path = '/plan') => {
	const { admin, site } = await startSite();
	expectError(await admin.post(path.replace(':id', site.id), body), status);
});

it('the plans of a few sites of the demo fleet lack what these do not use', async () => {
	const service = await start({ sites: 250 });
	const { sites } = (await service.admin.get('/plan')).data;
	expect(sites.length).toBeGreaterThan(10);
	expect(sites.length).toBeLessThan(40);
	const pages = [1, 2, 3].map((page) => list(service, '/sites', { page, perPage: 100 }));
	const byId = new Map((await Promise.all(pages)).flat().map((site) => [site.id, site]));
	const features = new Set<string>();
	for (const { site_id: id, without } of sites) {
		for (const feature of without) {
			features.add(feature);
			expect(byId.get(id)[feature].enabled).toBe(false);
		}
	}
	expect(features).toEqual(new Set(['backups', 'performance', 'activity_logs']));
});
