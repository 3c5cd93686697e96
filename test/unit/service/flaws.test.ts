import { expectError, list, minute, startSnapshot, sync } from './support';

/** A fleet in which an update can harm a site, and restores take back what is asked, with what came meanwhile. */

const hour = 60 * minute;
const PAGE_CACHE = { name: 'page-cache', folder: './wp-content/plugins/page-cache/' };
const SLIDER = { name: 'image-slider', folder: './wp-content/plugins/image-slider/' };

async function startFleet() {
	const service = await startSnapshot({ title: 'One' });
	const { api, admin, clock, world, site, path } = service;
	const settle = (ms: number) => {
		clock.advance(ms);
		world.settle();
	};
	const state = async () => (await admin.get(`${path}/flaws`)).data;
	return {
		...service,
		settle,
		state,
		async install({ name }: typeof SLIDER) {
			const { status } = await admin.post(`${path}/plugins`, { name, version: '1.0.0' });
			expect(status).toBe(200);
			settle(10 * minute);
		},
		flaw: (body: object) => admin.post(`${path}/flaws`, body),
		/** A backup, and then an update of all plugins. @returns the ids of the snapshots before and right after it */
		async update() {
			const before = await sync(service, site.id);
			const at = world.timestamp(world.now + hour);
			const sites = { selection: 'specific', ids: [site.id] };
			const all = { selection: 'all' };
			const scope = { sites, updates: { plugins: all, themes: all } };
			const { data } = await api.post('/auto-update-schedules', {
				auto_update_schedule: { name: 'Once', schedule: 'monthly_on_date', started_at: at, scope },
			});
			settle(2 * hour);
			await api.delete(`/auto-update-schedules/${data.auto_update_schedule.id}`);
			const [run] = await list(service, '/auto-update-history');
			expect(run.status).toBe('completed');
			return { before, after: await sync(service, site.id), run };
		},
		async restore(snapshotId: string, scope: object) {
			const answer = await api.post(`${path}/backups/${snapshotId}/restore`, {
				restore: { scope },
			});
			expect(answer.status).toBe(201);
			settle(5 * minute);
		},
		async page(url = site.url) {
			const { status, data } = await admin.get('/web', { params: { url } });
			return status === 200 && data === '' ? 'empty' : status;
		},
	};
}

const files = (...paths: string[]) => ({ include_files: true, paths });
const database = { include_database: true };

it('needs a plugin whose version is known', async () => {
	const { flaw } = await startFleet();
	for (const plugin of ['page-cache', 'hello-words']) {
		expect(expectError(await flaw({ plugin }), 422)).toEqual(['plugin']);
	}
	// The CMS updates no must-use plugin.
	expectError(await flaw({ plugin: 'site-tweaks' }), 400);
});

it('an update breaks the page, and only the folder of the failing plugin repairs it', async () => {
	const { install, flaw, update, restore, page, state } = await startFleet();
	await install(PAGE_CACHE);
	await install(SLIDER);
	await flaw({ plugin: 'page-cache' });
	expect(await page()).toBe(200);
	const { before, after, run } = await update();
	expect(run.sites[0].wp.plugins).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ slug: 'page-cache', current_version: '1.0.0' }),
			expect.objectContaining({ slug: 'image-slider', current_version: '1.0.0' }),
		]),
	);
	expect(await page()).toBe(500);

	await restore(before, files(SLIDER.folder));
	expect(await page()).toBe(500);
	await restore(before, files(PAGE_CACHE.folder));
	expect(await page()).toBe(200);
	// The innocent one goes forward again.
	await restore(after, files(SLIDER.folder));
	expect(await page()).toBe(200);
	await restore(after, files(PAGE_CACHE.folder));
	expect(await page()).toBe(500);
	expect((await state()).orders.lost).toBe(0);
});

it.each([
	['a theme', 'magazine', './wp-content/themes/magazine/'],
	['a plugin that is a single file', 'hello-words', './wp-content/plugins/hello-words.php'],
	['a plugin with another main file', 'seo-suite', './wp-content/plugins/seo-suite/'],
	[
		'a copy in a folder with a version',
		'image-slider-1.9.4',
		'./wp-content/plugins/image-slider-1.9.4/',
	],
])('an update of %s breaks the page, and only its path repairs it', async (_, name, own) => {
	const { install, flaw, update, restore, page, state } = await startFleet();
	const innocent = { name: 'licensed-forms', folder: './wp-content/plugins/licensed-forms/' };
	for (const each of [{ name, folder: own }, SLIDER, innocent]) await install(each);
	expect((await flaw({ plugin: name, effect: 'empty' })).status).toBe(200);
	const { before, after } = await update();
	expect(await page()).toBe('empty');

	await restore(before, files(SLIDER.folder, innocent.folder, './wp-content/themes/portfolio/'));
	expect(await page()).toBe('empty');
	await restore(before, files(own));
	expect(await page()).toBe(200);
	await restore(after, files(own));
	expect(await page()).toBe('empty');
	expect((await state()).orders.lost).toBe(0);
});

it('an update can harm later, and by an empty page', async () => {
	const { install, flaw, update, page, settle } = await startFleet();
	await install(SLIDER);
	await flaw({ plugin: 'image-slider', effect: 'empty', after_minutes: 300 });
	await update();
	expect(await page()).toBe(200);
	settle(5 * hour);
	expect(await page()).toBe('empty');
});

it('older files fail with a database that was migrated, whose restore loses orders', async () => {
	const { install, flaw, update, restore, page, state, settle } = await startFleet();
	await install(PAGE_CACHE);
	await flaw({ plugin: 'page-cache', migrates: true });
	const { before } = await update();
	settle(12 * hour);
	await restore(before, files(PAGE_CACHE.folder));
	expect(await page()).toBe(500);
	expect((await state()).orders.lost).toBe(0);

	const { orders: then } = await state();
	await restore(before, database);
	expect(await page()).toBe(200);
	const { orders, comments } = await state();
	expect(orders.lost).toBeGreaterThan(5);
	expect(orders.lost).toBeLessThanOrEqual(then.came);
	expect(comments.lost).toBeGreaterThan(0);
	// What comes from now on is not lost.
	const { lost } = orders;
	settle(12 * hour);
	expect((await state()).orders).toEqual({ came: expect.any(Number), lost });
	expect((await state()).orders.came).toBeGreaterThan(orders.came);
});

it('an update that only migrates does no harm by itself', async () => {
	const { install, flaw, update, page } = await startFleet();
	await install(SLIDER);
	await flaw({ plugin: 'image-slider', effect: 'none', migrates: true });
	await update();
	expect(await page()).toBe(200);
});

it('a host is down with all its sites, whatever was updated', async () => {
	const { admin, site, page } = await startFleet();
	const hosts = async () => (await admin.get('/hosts')).data.hosts;
	expect(await hosts()).toEqual([]);
	expectError(await admin.post('/hosts', { hosting: site.server.hosting, down: true }), 422);
	site.server.hosting = 'Cloud Host';
	for (const [down, status] of [
		[true, 503],
		[false, 200],
	]) {
		const host = { hosting: 'Cloud Host', down, sites: 1 };
		const { data } = await admin.post('/hosts', { hosting: 'Cloud Host', down });
		expect(data).toEqual(host);
		expect(await hosts()).toEqual([host]);
		expect(await page()).toBe(status);
	}
	expectError(await admin.post('/hosts', { hosting: 'None', down: true }), 422);
});

it('important pages suffer with the site', async () => {
	const { api, path, site, page, install, flaw, update } = await startFleet();
	const url = `${site.url}/shop/`;
	const { status } = await api.post(`${path}/important-pages`, { important_page: { url } });
	expect(status).toBe(201);
	expect(await page(url)).toBe(200);
	expect(await page(`${site.url}/other/`)).toBe(404);
	await install(PAGE_CACHE);
	await flaw({ plugin: 'page-cache' });
	await update();
	expect(await page(url)).toBe(500);
});
