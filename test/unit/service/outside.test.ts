import { addSite, expectError, start, startSite } from './support';

describe.each([
	['/chat', 'messages', ['1', '2']],
	['/tickets', 'tickets', ['T-1', 'T-2']],
])('%s', (path, name, ids) => {
	it('accepts any JSON and lists received bodies, oldest first', async () => {
		const { admin } = await start({ sites: 0 });
		expect((await admin.get(path)).data).toEqual({ [name]: [] });
		const bodies = [{ text: 'One\n<b>two</b>' }, { title: 'A', blocks: [{ type: 'x' }] }];
		for (const body of bodies) expect((await admin.post(path, body)).data.body).toEqual(body);
		const kept = (await admin.get(path)).data[name];
		expect(kept.map(({ id, body }: { id: string; body: object }) => [id, body])).toEqual([
			[ids[0], bodies[0]],
			[ids[1], bodies[1]],
		]);
	});

	it('refuses a body that is not an object', async () => {
		const { admin } = await start({ sites: 0 });
		expectError(await admin.post(path, ['x']), 400);
		expectError(await admin.post(path), 400);
	});

	it('keeps the newest 200, with increasing IDs', async () => {
		const { admin } = await start({ sites: 0 });
		for (let number = 1; number <= 203; number++) await admin.post(path, { number });
		const kept = (await admin.get(path)).data[name];
		expect(kept).toHaveLength(200);
		expect(kept[0].body).toEqual({ number: 4 });
		expect(kept.at(-1).id).toBe(ids[0]!.replace('1', '203'));
	});
});

describe('the pages of the sites', () => {
	const look = async ({ admin }: Awaited<ReturnType<typeof start>>, url: string) =>
		await admin.get('/web', { params: { url } });

	it('show the title, however the address is written', async () => {
		const fleet = await startSite({ title: 'Tom & <Jerry>' });
		const { site } = fleet;
		for (const url of [site.url, `${site.url}/`, site.url.replace('https', 'http').toUpperCase()]) {
			const { status, data, headers } = await look(fleet, url);
			expect([status, headers['content-type']]).toEqual([200, expect.stringMatching('text/html')]);
			expect(data).toContain('Tom &#38; &#60;Jerry&#62;');
		}
		expect((await look(fleet, 'https://nowhere.example.com')).status).toBe(404);
		expect((await look(fleet, '')).status).toBe(404);
	});

	it('show a staging site while it is active', async () => {
		const fleet = await start({ sites: 8 });
		const [staging] = fleet.world.store.stagingSites.all();
		staging!.status = 'active';
		expect((await look(fleet, staging!.url)).data).toContain('Staging site of');
		staging!.status = 'paused';
		expect((await look(fleet, staging!.url)).status).toBe(503);
	});

	it('are unavailable while a site is down', async () => {
		const fleet = await startSite();
		fleet.site.uptime.status = 'down';
		expect((await look(fleet, fleet.site.url)).status).toBe(503);
	});

	it('can be broken until the site is restored', async () => {
		const fleet = await startSite();
		const { admin, site, clock } = fleet;
		expectError(await admin.post('/web', { site_id: 'nobody', status: 500 }), 422);
		expectError(await admin.post('/web', { site_id: site.id, status: 302 }), 400);
		await admin.post('/web', { site_id: site.id, status: 502 });
		expect((await look(fleet, site.url)).status).toBe(502);
		const restore = async (outcome: string, ids: string[]) => {
			const task = { type: 'restore', site_ids: ids, outcome, duration_ms: 1_000 };
			await admin.post('/tasks', task);
			clock.advance(2_000);
		};
		const other = await addSite(fleet, 'https://two.example.com');
		await restore('failed', [site.id]);
		await restore('completed', [other.id]);
		expect((await look(fleet, site.url)).status).toBe(502);
		await restore('completed', [site.id]);
		expect((await look(fleet, site.url)).status).toBe(200);
		await admin.post('/web', { site_id: site.id, status: 500 });
		expect((await look(fleet, site.url)).status).toBe(500);
	});

	it('can be repaired, and say whether they are broken', async () => {
		const fleet = await startSite();
		const { admin, site } = fleet;
		const broken = async () => (await admin.get(`/web/${site.id}`)).data;
		const fine = { site_id: site.id, status: 200, staging_status: 200 };
		expect(await broken()).toEqual(fine);
		await admin.post('/web', { site_id: site.id, status: 500 });
		await admin.post('/web', { site_id: site.id, status: 502, staging: true });
		expect(await broken()).toEqual({ ...fine, status: 500, staging_status: 502 });
		await admin.post('/web', { site_id: site.id, status: 200 });
		expect((await look(fleet, site.url)).status).toBe(200);
		expect(await broken()).toEqual({ ...fine, staging_status: 502 });
		expectError(await admin.get('/web/nobody'), 404);
	});
});
