import { addSite, expectError, minute, startSnapshot } from './support';

/** The stand-in of a site's shop, which workflows ask what a restore of the database would take back. */

const hour = 60 * minute;

async function startShop() {
	const service = await startSnapshot();
	const { api, admin, clock, world, site, path } = service;
	const settle = (ms: number) => {
		clock.advance(ms);
		world.settle();
	};
	return {
		...service,
		settle,
		since: async (time: number | string, url = site.url) => {
			const since = typeof time === 'number' ? new Date(time).toISOString() : time;
			return await admin.get('/orders', { params: { url, since } });
		},
		total: async () => (await admin.get(`${path}/flaws`)).data,
		async restore(snapshotId: string, scope: object) {
			const { status } = await api.post(`${path}/backups/${snapshotId}/restore`, {
				restore: { scope },
			});
			expect(status).toBe(201);
			settle(5 * minute);
		},
	};
}

describe('the orders of a shop since a time', () => {
	it('are those that came after it', async () => {
		const { since, total, settle, clock } = await startShop();
		const start = clock.now();
		const before = await total();
		expect((await since(start)).data).toEqual({ orders: 0, comments: 0 });
		settle(24 * hour);
		const { orders, comments } = await total();
		const came = {
			orders: orders.came - before.orders.came,
			comments: comments.came - before.comments.came,
		};
		expect(came.orders).toBeGreaterThan(15);
		expect((await since(start)).data).toEqual(came);
		expect((await since(0)).data).toEqual({ orders: orders.came, comments: comments.came });
		const halfway = (await since(start + 12 * hour)).data;
		expect(halfway.orders).toBeGreaterThan(0);
		expect(halfway.orders).toBeLessThan(came.orders);
		expect((await since(clock.now() + hour)).data).toEqual({ orders: 0, comments: 0 });
	});

	it('omit those that a restore of the database removed', async () => {
		const { since, total, settle, clock, snapshotId, restore } = await startShop();
		const start = clock.now();
		settle(24 * hour);
		const { data: before } = await since(start);
		await restore(snapshotId, { include_files: true });
		expect((await since(start)).data.orders).toBeGreaterThanOrEqual(before.orders);

		await restore(snapshotId, { include_database: true });
		const { orders } = await total();
		expect(orders.lost).toBeGreaterThanOrEqual(before.orders);
		// Those that came during the restore and after it.
		expect((await since(start)).data.orders).toBeLessThan(3);
		const after = clock.now();
		settle(24 * hour);
		const { data: next } = await since(after);
		expect(next.orders).toBeGreaterThan(15);
		expect((await total()).orders.came - orders.came).toBe(next.orders);
		expect((await since(0)).data.orders).toBe((await total()).orders.came - orders.lost);
	});

	it('are known while the site is broken and down', async () => {
		const { since, admin, site, settle, clock } = await startShop();
		const start = clock.now();
		await admin.post('/web', { site_id: site.id, status: 500 });
		site.uptime.status = 'down';
		settle(24 * hour);
		expect((await since(start)).data.orders).toBeGreaterThan(0);
	});

	it('are those of the site with this URL, however it is written', async () => {
		const fleet = await startShop();
		const { since, settle, clock, site } = fleet;
		const start = clock.now();
		const other = await addSite(fleet, 'https://two.example.com');
		settle(100 * hour);
		const { data } = await since(start);
		for (const url of [`${site.url}/`, site.url.replace('https', 'http').toUpperCase()]) {
			expect((await since(start, url)).data).toEqual(data);
		}
		expect((await since(start, other.url)).data).not.toEqual(data);
		expectError(await since(start, 'https://nowhere.example.com'), 404);
		expectError(await since(start, ''), 404);
	});

	it('need a time', async () => {
		const { since, admin, site } = await startShop();
		for (const time of ['', 'yesterday', '12:00', '2026-02-31T00:00:00Z']) {
			expect({ time, error: expectError(await since(time), 422) }).toEqual({
				time,
				error: ['since'],
			});
		}
		expect(expectError(await admin.get('/orders', { params: { url: site.url } }), 422)).toEqual([
			'since',
		]);
		// A time without a zone is one in UTC.
		expect((await since('2020-01-01')).data).toEqual((await since('2020-01-01T00:00:00Z')).data);
		expect((await since('2020-01-01T02:00:00+02:00')).status).toBe(200);
	});
});
