import { hour, list, minute, pass, restore, startSnapshot, sync } from './support';

/** A fleet in which an update can harm a site, and restores take back what is asked, with what came meanwhile. */

const PLUGINS = './wp-content/plugins/';
const SLIDER = `${PLUGINS}image-slider/`;
const FORMS = `${PLUGINS}licensed-forms/`;

/** A site with old versions, of which one will harm it. */
async function startFlawed(names: string[], flaw: object) {
	const service = await startSnapshot({ title: 'One' });
	const { api, admin, world, site, path } = service;
	const settle = (ms: number) => pass(service, ms);
	for (const name of names) {
		const { status } = await admin.post(`${path}/plugins`, { name, version: '1.0.0' });
		expect(status).toBe(200);
		settle(10 * minute);
	}
	expect((await admin.post(`${path}/flaws`, { plugin: names[0], ...flaw })).status).toBe(200);
	return {
		...service,
		settle,
		state: async () => (await admin.get(`${path}/flaws`)).data,
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
			expect((await list(service, '/auto-update-history'))[0].status).toBe('completed');
			return { before, after: await sync(service, site.id) };
		},
		restore: async (snapshotId: string, scope: object) => await restore(service, snapshotId, scope),
		async page() {
			const { status, data } = await admin.get('/web', { params: { url: site.url } });
			return status === 200 && data === '' ? 'empty' : status;
		},
	};
}

const files = (...paths: string[]) => ({ include_files: true, paths });

it.each([
	['a plugin', 'page-cache', `${PLUGINS}page-cache/`],
	['a theme', 'magazine', './wp-content/themes/magazine/'],
	['a plugin that is a single file', 'hello-words', `${PLUGINS}hello-words.php`],
	['a plugin with another main file', 'seo-suite', `${PLUGINS}seo-suite/`],
	['a copy in a folder with a version', 'image-slider-1.9.4', `${PLUGINS}image-slider-1.9.4/`],
])('an update of %s breaks the page, and only its path repairs it', async (_, name, own) => {
	const names = [name, 'image-slider', 'licensed-forms'];
	const { update, restore, page, state } = await startFlawed(names, { effect: 'empty' });
	expect(await page()).toBe(200);
	const { before, after } = await update();
	expect(await page()).toBe('empty');
	await restore(before, files(SLIDER, FORMS, './wp-content/themes/portfolio/'));
	expect(await page()).toBe('empty');
	await restore(before, files(own));
	expect(await page()).toBe(200);
	// The innocent one goes forward again.
	await restore(after, files(SLIDER));
	expect(await page()).toBe(200);
	await restore(after, files(own));
	expect(await page()).toBe('empty');
	expect((await state()).orders.lost).toBe(0);
});

it('older files fail with a database that was migrated, whose restore loses orders', async () => {
	const { update, restore, page, state, settle } = await startFlawed(['page-cache'], {
		effect: 'none',
		migrates: true,
	});
	const { before } = await update();
	expect(await page()).toBe(200);
	settle(12 * hour);
	await restore(before, files(`${PLUGINS}page-cache/`));
	expect(await page()).toBe(500);
	const { orders: then } = await state();
	expect(then.lost).toBe(0);

	await restore(before, { include_database: true });
	expect(await page()).toBe(200);
	const { orders, comments } = await state();
	expect(orders.lost).toBeGreaterThan(5);
	expect(orders.lost).toBeLessThanOrEqual(then.came);
	expect(comments.lost).toBeGreaterThan(0);
	// What comes from now on is not lost.
	settle(12 * hour);
	const { came, lost } = (await state()).orders;
	expect([came > orders.came, lost]).toEqual([true, orders.lost]);
});
