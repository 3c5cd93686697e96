import {
	addSite,
	day,
	expectError,
	hour,
	pass,
	restore,
	start,
	startSite,
	startSnapshot,
} from './support';

/** What the examples reach beside the API: a chat, a help desk, the pages of the sites, and their shops. */

it.each([
	['/chat', 'messages', ''],
	['/tickets', 'tickets', 'T-'],
])(
	'%s accepts any object and keeps the newest 200, with increasing IDs',
	async (path, name, id) => {
		const { admin } = await start({ sites: 0 });
		expectError(await admin.post(path, ['x']), 400);
		expectError(await admin.post(path), 400);
		expect((await admin.get(path)).data).toEqual({ [name]: [] });
		for (let number = 1; number <= 203; number++) await admin.post(path, { a: [{ number }] });
		const kept = (await admin.get(path)).data[name];
		expect(kept).toHaveLength(200);
		expect(kept[0]).toMatchObject({ id: `${id}4`, body: { a: [{ number: 4 }] } });
		expect(kept.at(-1).id).toBe(`${id}203`);
	},
);

describe('the pages of the sites', () => {
	const look = async ({ admin }: Awaited<ReturnType<typeof start>>, url: string) =>
		await admin.get('/web', { params: { url } });

	it('show the title, however the address is written', async () => {
		const fleet = await startSite({ title: 'Tom & <Jerry>' });
		const { url } = fleet.site;
		for (const each of [url, `${url}/`, url.replace('https', 'http').toUpperCase()]) {
			const { status, data, headers } = await look(fleet, each);
			expect([status, headers['content-type']]).toEqual([200, expect.stringMatching('text/html')]);
			expect(data).toContain('Tom &#38; &#60;Jerry&#62;');
		}
		for (const each of ['https://nowhere.example.com', ''])
			expect((await look(fleet, each)).status).toBe(404);
	});

	it('are unavailable while a site is down, or a staging site is not active', async () => {
		const fleet = await start({ sites: 8 });
		const [staging] = fleet.world.store.stagingSites.all();
		const [site] = fleet.world.store.sites.all();
		Object.assign(staging!, { status: 'active' });
		expect((await look(fleet, staging!.url)).data).toContain('Staging site of');
		Object.assign(staging!, { status: 'paused' });
		site!.uptime.status = 'down';
		for (const { url } of [staging!, site!]) expect((await look(fleet, url)).status).toBe(503);
	});

	it('can be broken until the site is restored, or they are repaired', async () => {
		const fleet = await startSite();
		const { admin, site, clock } = fleet;
		const other = await addSite(fleet, 'https://two.example.com');
		const broken = async () => (await admin.get(`/web/${site.id}`)).data;
		const fine = { site_id: site.id, status: 200, staging_status: 200 };
		const restore = async (outcome: string, { id }: { id: string }) => {
			const task = { type: 'restore', site_ids: [id], outcome, duration_ms: 1_000 };
			await admin.post('/tasks', task);
			clock.advance(2_000);
			return (await look(fleet, site.url)).status;
		};
		expectError(await admin.post('/web', { site_id: 'nobody', status: 500 }), 422);
		expectError(await admin.post('/web', { site_id: site.id, status: 302 }), 400);
		expect(await broken()).toEqual(fine);
		await admin.post('/web', { site_id: site.id, status: 502 });
		expect(await restore('failed', site)).toBe(502);
		expect(await restore('completed', other)).toBe(502);
		expect(await restore('completed', site)).toBe(200);
		await admin.post('/web', { site_id: site.id, status: 500 });
		await admin.post('/web', { site_id: site.id, status: 502, staging: true });
		expect(await broken()).toEqual({ ...fine, status: 500, staging_status: 502 });
		await admin.post('/web', { site_id: site.id, status: 200 });
		expect(await broken()).toEqual({ ...fine, staging_status: 502 });
	});
});

describe('the orders of a shop since a time', () => {
	async function startShop() {
		const service = await startSnapshot();
		const { admin, site, path, snapshotId } = service;
		const ask = async (since: string, url = site.url) =>
			await admin.get('/orders', { params: { url, since } });
		return {
			...{ ...service, ask },
			settle: (ms: number) => pass(service, ms),
			since: async (time: number) => (await ask(new Date(time).toISOString())).data,
			total: async () => (await admin.get(`${path}/flaws`)).data,
			restore: async (scope: object) => await restore(service, snapshotId, scope),
		};
	}

	it('are those that came after it, also while the site is broken and down', async () => {
		const { since, total, settle, clock, admin, site } = await startShop();
		const start = clock.now();
		const before = await total();
		expect(await since(start)).toEqual({ orders: 0, comments: 0 });
		await admin.post('/web', { site_id: site.id, status: 500 });
		site.uptime.status = 'down';
		settle(day);
		const { orders, comments } = await total();
		const came = orders.came - before.orders.came;
		expect(came).toBeGreaterThan(15);
		const newComments = comments.came - before.comments.came;
		expect(await since(start)).toEqual({ orders: came, comments: newComments });
		expect(await since(0)).toEqual({ orders: orders.came, comments: comments.came });
		const { orders: halfway } = await since(start + 12 * hour);
		expect(halfway > 0 && halfway < came).toBe(true);
	});

	it('omit those that a restore of the database removed', async () => {
		const { since, total, settle, clock, restore } = await startShop();
		const start = clock.now();
		settle(day);
		const before = await since(start);
		await restore({ include_files: true });
		expect((await since(start)).orders).toBeGreaterThanOrEqual(before.orders);
		await restore({ include_database: true });
		expect((await total()).orders.lost).toBeGreaterThanOrEqual(before.orders);
		// Those that came during the restore and after it.
		expect((await since(start)).orders).toBeLessThan(3);
		const after = clock.now();
		settle(day);
		expect((await since(after)).orders).toBeGreaterThan(15);
		const { orders } = await total();
		expect((await since(0)).orders).toBe(orders.came - orders.lost);
	});

	it('are those of a site with this URL, however it is written, and since a time', async () => {
		const { ask, site } = await startShop();
		const time = '2020-01-01T00:00:00Z';
		const { data } = await ask(time);
		const upper = site.url.replace('https', 'http').toUpperCase();
		for (const url of [`${site.url}/`, upper]) expect((await ask(time, url)).data).toEqual(data);
		expectError(await ask(time, 'https://nowhere.example.com'), 404);
		// A time without a zone is one in UTC.
		for (const same of ['2020-01-01', '2020-01-01T02:00:00+02:00'])
			expect((await ask(same)).data).toEqual(data);
		for (const wrong of ['', 'yesterday', '12:00', '2026-02-31T00:00:00Z'])
			expect(expectError(await ask(wrong), 422)).toEqual(['since']);
	});
});
