import { setVersion, versionsAt } from '../../../sandbox/service/domain/content/components';
import { nextOccurrence, type Recurrence } from '../../../sandbox/service/domain/shared/recurrence';
import { expectError, list, listIds, start, startTime, type TestService } from './support';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const path = '/auto-update-schedules';
const at = (ms: number) => new Date(startTime + ms).toISOString();
const all = { selection: 'all' };

const fields = (changes: object = {}) => ({
	name: 'Mine',
	schedule: 'daily',
	started_at: at(hour),
	scope: { sites: all, updates: { plugins: all } },
	...changes,
});

afterEach(() => jest.restoreAllMocks());

const create = ({ api }: TestService, changes: object = {}) =>
	api.post(path, { auto_update_schedule: fields(changes) });

async function startWithSchedule(changes: object = {}, options: Parameters<typeof start>[0] = {}) {
	const service = await start(options);
	const siteIds = service.world.store.sites.all().map(({ id }) => id);
	const { status, data } = await create(service, changes);
	expect(status).toBe(201);
	const { id } = data.auto_update_schedule;
	return { ...service, siteIds, id, schedule: data.auto_update_schedule };
}

const show = async ({ api }: TestService, id: string) =>
	(await api.get(`${path}/${id}`)).data.auto_update_schedule;
const update = ({ api }: TestService, id: string, changes: object) =>
	api.post(`${path}/${id}/update`, { auto_update_schedule: changes });
const historyOf = (service: TestService, id: string) =>
	list(service, '/auto-update-history', { 'filters[auto_update_schedule_id:eq]': id });

describe('creating an auto update schedule', () => {
	it('returns it active, with the first date to come', async () => {
		const { schedule } = await startWithSchedule({ options: { backup: true } });
		expect(schedule).toEqual({
			id: expect.any(String),
			name: 'Mine',
			status: 'active',
			schedule: 'daily',
			started_at: at(hour),
			next_update_at: at(hour),
			scope: {
				sites: { selection: 'all' },
				updates: {
					cms_core: false,
					plugins: { selection: 'all', filenames: [] },
					themes: { selection: 'specific', filenames: [] },
				},
			},
			options: { backup: true, visual_regression: false },
			created_at: at(0),
			updated_at: at(0),
		});
	});

	it('names the sites of a specific selection, as far as they are available', async () => {
		const service = await start();
		const [one, other] = service.world.store.sites.all().map(({ id }) => id);
		const sites = { selection: 'specific', ids: [one, other, one] };
		const { data } = await create(service, { scope: { sites, updates: {} } });
		const { id, scope } = data.auto_update_schedule;
		expect(scope.sites).toEqual({ selection: 'specific', ids: [one, other] });
		await service.api.delete(`/sites/${one}`);
		expect((await show(service, id)).scope.sites.ids).toEqual([other]);
	});

	it('reads a start without an offset as UTC', async () => {
		const { schedule } = await startWithSchedule({ started_at: '2025-03-11T10:00:00' });
		expect(schedule.started_at).toBe('2025-03-11T10:00:00.000Z');
	});

	it.each([
		['backup', 'auto_update_backup'],
		['visual_regression', 'visual_regression'],
	] as const)('refuses the option %s without the plan feature %s', async (option, feature) => {
		const service = await start({ settings: { planFeatures: ['auto_updates'] } });
		const response = await create(service, { options: { [option]: true } });
		expect(expectError(response, 422)).toEqual([`auto_update_schedule.options.${option}`]);
		const other = await start({ settings: { planFeatures: ['auto_updates', feature] } });
		expect((await create(other, { options: { [option]: true } })).status).toBe(201);
	});
});

describe('updating an auto update schedule', () => {
	it('changes what is sent and keeps the rest', async () => {
		const service = await startWithSchedule({ options: { backup: true } });
		service.clock.advance(1000);
		const { status, data } = await update(service, service.id, {
			name: 'Other',
			options: { visual_regression: true },
		});
		expect(status).toBe(200);
		expect(data.auto_update_schedule).toEqual({
			...service.schedule,
			name: 'Other',
			options: { backup: true, visual_regression: true },
			updated_at: at(1000),
		});
	});

	it('takes the updates sent as the complete set of categories', async () => {
		const service = await startWithSchedule({
			scope: { sites: all, updates: { cms_core: true, plugins: all, themes: all } },
		});
		await update(service, service.id, { scope: { updates: { themes: all } } });
		expect((await show(service, service.id)).scope).toEqual({
			sites: { selection: 'all' },
			updates: {
				cms_core: false,
				plugins: { selection: 'specific', filenames: [] },
				themes: { selection: 'all', filenames: [] },
			},
		});
	});

	it('keeps the updates when only the sites are sent', async () => {
		const service = await startWithSchedule();
		const sites = { selection: 'specific', ids: service.siteIds.slice(0, 1) };
		await update(service, service.id, { scope: { sites } });
		const { updates } = service.schedule.scope;
		expect((await show(service, service.id)).scope).toEqual({ sites, updates });
	});

	it('moves the next date when the recurrence or the start changes', async () => {
		const service = await startWithSchedule({ started_at: at(-3 * day) });
		expect(service.schedule.next_update_at).toBe(at(day));
		await update(service, service.id, { schedule: 'weekly_on_day' });
		expect((await show(service, service.id)).next_update_at).toBe(at(4 * day));
		await update(service, service.id, { started_at: at(hour) });
		expect((await show(service, service.id)).next_update_at).toBe(at(hour));
	});
});

describe('enabling and disabling an auto update schedule', () => {
	const act = ({ api }: TestService, id: string, verb: string) => api.post(`${path}/${id}/${verb}`);

	it('pauses an active one, which then does not run', async () => {
		const service = await startWithSchedule();
		const { status, data } = await act(service, service.id, 'disable');
		expect([status, data.auto_update_schedule.status]).toEqual([200, 'paused']);
		service.clock.advance(3 * day);
		expect(await historyOf(service, service.id)).toEqual([]);
	});

	it('activates a paused one with a date recalculated from the recurrence', async () => {
		const service = await startWithSchedule();
		await act(service, service.id, 'disable');
		service.clock.advance(2 * day);
		const { status, data } = await act(service, service.id, 'enable');
		expect(status).toBe(200);
		expect(data.auto_update_schedule).toMatchObject({
			status: 'active',
			next_update_at: at(2 * day + hour),
			updated_at: at(2 * day),
		});
		service.clock.advance(hour);
		expect(await historyOf(service, service.id)).toHaveLength(1);
	});

	it('runs once at a date, however often it was switched before', async () => {
		const service = await startWithSchedule();
		for (const verb of ['disable', 'enable', 'disable', 'enable']) {
			await act(service, service.id, verb);
		}
		service.clock.advance(hour);
		expect(await historyOf(service, service.id)).toHaveLength(1);
	});
});

describe('the runs of a schedule', () => {
	it('begin at the date with an entry and a task, and the next date follows', async () => {
		const service = await startWithSchedule({
			scope: { sites: all, updates: { cms_core: true, plugins: all, themes: all } },
			options: { backup: true },
		});
		service.clock.advance(hour - 1);
		expect(await historyOf(service, service.id)).toEqual([]);
		service.clock.advance(1);
		const [entry] = await historyOf(service, service.id);
		expect(entry).toEqual({
			auto_update_schedule: { id: service.id, name: 'Mine' },
			performed_on: at(hour),
			task_id: expect.any(String),
			status: 'initializing',
			sites: expect.any(Array),
		});
		expect(entry.sites.length).toBeGreaterThan(0);
		const { task } = (await service.api.get(`/tasks/${entry.task_id}`)).data;
		expect(task.type).toBe('wp_site_update');
		expect(task.input.sites).toEqual(
			entry.sites.map((site: any) => ({
				id: site.id,
				options: { backup: true, visual_regression: false, sandbox: false },
				plugins: site.wp.plugins,
			})),
		);
		expect((await show(service, service.id)).next_update_at).toBe(at(day + hour));
		service.clock.advance(2 * day);
		expect(await historyOf(service, service.id)).toHaveLength(3);
	});

	it('follow their task from initializing over running to its end', async () => {
		const service = await startWithSchedule();
		service.clock.advance(hour);
		const status = async () => (await historyOf(service, service.id))[0].status;
		service.clock.advance(60_000);
		expect(await status()).toBe('running');
		service.clock.advance(60_000);
		expect(await status()).toBe('completed');
	});

	it('are cancelled with their task', async () => {
		const service = await startWithSchedule();
		service.clock.advance(hour + 60_000);
		const [{ task_id: taskId }] = await historyOf(service, service.id);
		await service.api.post(`/tasks/${taskId}/cancel`);
		expect((await historyOf(service, service.id))[0].status).toBe('cancelled');
	});

	it('update the core of the sites that have an update, once they are completed', async () => {
		const service = await start();
		const [outdated, locked, current] = service.world.store.sites.all();
		for (const site of service.world.store.sites.all()) {
			Object.assign(site.wp.core, {
				current_version: '6.8.3',
				latest_version: '6.8.3',
				update_available: false,
				locked: false,
			});
		}
		Object.assign(outdated!.wp.core, { current_version: '6.5.5', update_available: true });
		Object.assign(locked!.wp.core, {
			current_version: '6.5.5',
			update_available: true,
			locked: true,
		});
		const { data } = await create(service, {
			scope: { sites: all, updates: { cms_core: true } },
		});
		service.clock.advance(hour);
		const [entry] = await historyOf(service, data.auto_update_schedule.id);
		expect(entry.sites).toEqual([
			{
				id: outdated!.id,
				wp: {
					core: { current_version: '6.5.5', target_version: '6.8.3' },
					plugins: [],
					themes: [],
				},
			},
		]);
		expect(outdated!.wp.core.current_version).toBe('6.5.5');
		service.clock.advance(120_000);
		const core = async (id: string) => (await service.api.get(`/sites/${id}`)).data.site.wp.core;
		expect(await core(outdated!.id)).toMatchObject({
			current_version: '6.8.3',
			update_available: false,
		});
		expect(await core(locked!.id)).toMatchObject({ current_version: '6.5.5' });
		expect(current!.wp.core.current_version).toBe('6.8.3');
	});

	it('stay within the sites and the files of the schedule', async () => {
		const filename = 'page-cache/page-cache.php';
		const service = await start();
		const { world } = service;
		const ids = world.store.sites
			.peek()
			.filter((site) => versionsAt(world, site, world.now).has('page-cache'))
			.slice(0, 6)
			.map(({ id }) => id);
		jest.spyOn(world.random, 'chance').mockReturnValue(true);
		const plugins = { selection: 'specific', filenames: [filename] };
		const { data } = await create(service, {
			scope: { sites: { selection: 'specific', ids }, updates: { plugins } },
		});
		service.clock.advance(hour);
		const [entry] = await historyOf(service, data.auto_update_schedule.id);
		expect(entry.sites.map(({ id }: { id: string }) => id)).toEqual(ids);
		for (const { wp } of entry.sites) {
			expect(wp.plugins.map((plugin: { filename: string }) => plugin.filename)).toEqual([filename]);
			expect(wp.themes).toEqual([]);
		}
	});

	describe('with plugins of unusual layouts, and themes', () => {
		const OLD = {
			'seo-suite': '2.0-beta.2',
			'hello-words': '1.7.2',
			'licensed-forms': '1.0.0',
			'gallery-light': '1.0.0',
			magazine: '1.0.0',
			portfolio: '2.8.9',
		};

		/** A site that has them in these versions, and an update of it. */
		async function startOld(versions: Record<string, string>, updates: object) {
			const service = await start();
			const { world, clock } = service;
			const [site] = world.store.sites.peek();
			jest.spyOn(world.random, 'chance').mockReturnValue(false);
			for (const [slug, version] of Object.entries(versions)) {
				setVersion(world, site!, slug, version);
			}
			const scope = { sites: { selection: 'specific', ids: [site!.id] }, updates };
			const { data } = await create(service, { scope });
			clock.advance(hour);
			const [entry] = await historyOf(service, data.auto_update_schedule.id);
			clock.advance(10 * 60_000);
			world.settle();
			return { wp: entry.sites[0]?.wp, versions: versionsAt(world, site!, world.now) };
		}

		it('update them by their main files, from the versions that they have', async () => {
			const { wp, versions } = await startOld(OLD, { plugins: all, themes: all });
			const update = (filename: string, name: string, slug: string, to: string) => ({
				...{ filename, name, slug, target_version: to },
				current_version: OLD[slug as keyof typeof OLD],
			});
			expect(wp.plugins).toEqual([
				update('seo-suite/wp-seo.php', 'SEO Suite', 'seo-suite', '2.1.0'),
				update('hello-words.php', 'Hello Words', 'hello-words', '2.2.0'),
				update('licensed-forms/licensed-forms.php', 'Licensed Forms', 'licensed-forms', '4.3.1'),
			]);
			expect(wp.themes).toEqual([
				update('magazine', 'Magazine', 'magazine', '1.4.2'),
				update('portfolio', 'Portfolio', 'portfolio', '2.9.0'),
			]);
			for (const { slug, target_version: version } of [...wp.plugins, ...wp.themes]) {
				expect([slug, versions.get(slug)]).toEqual([slug, version]);
			}
			expect(versions.get('gallery-light')).toBeNull();
		});

		it('update only those that are selected', async () => {
			const only = (...filenames: string[]) => ({ selection: 'specific', filenames });
			const { wp, versions } = await startOld(OLD, {
				plugins: only('hello-words.php', 'seo-suite'),
				themes: only('portfolio'),
			});
			const slugs = (list: Array<{ slug: string }>) => list.map(({ slug }) => slug);
			expect([slugs(wp.plugins), slugs(wp.themes)]).toEqual([['hello-words'], ['portfolio']]);
			expect(versions.get('magazine')).toBe('1.0.0');
		});

		it('leave out those that are not older', async () => {
			const newer = { 'seo-suite': '2.1.0', magazine: '1.4.2', portfolio: '10.0' };
			const { wp } = await startOld(newer, { plugins: all, themes: all });
			expect(wp).toBeUndefined();
		});

		it('ask chance only for the themes, whatever version they have', async () => {
			const service = await start({ sites: 40 });
			const { world } = service;
			const [byHand] = world.store.sites.peek();
			setVersion(world, byHand!, 'magazine', '1.1.1');
			const filenames = ['seo-suite/wp-seo.php', 'hello-words.php'];
			const plugins = { selection: 'specific', filenames };
			const { data } = await create(service, {
				scope: { sites: all, updates: { plugins, themes: all } },
			});
			const before = world.store.sites
				.peek()
				.map((site) => ({ id: site.id, versions: versionsAt(world, site, world.now) }));
			const chance = jest.spyOn(world.random, 'chance').mockReturnValue(true);
			service.clock.advance(hour);
			const [entry] = await historyOf(service, data.auto_update_schedule.id);
			const has = (slug: string) => before.filter(({ versions }) => versions.has(slug)).length;
			expect(chance).toHaveBeenCalledTimes(has('magazine') + has('portfolio'));
			const updated = entry.sites.flatMap(({ id, wp }: any) => {
				expect(wp.plugins).toEqual([]);
				return wp.themes.map(({ slug, current_version }: any) => {
					const { versions } = before.find((each) => each.id === id)!;
					expect(current_version).toBe(versions.get(slug));
					return `${slug} ${current_version}`;
				});
			});
			expect(new Set(updated)).toEqual(
				new Set(['magazine 1.1.1', 'magazine 1.4.0', 'portfolio 1.4.0', 'portfolio 2.8.1']),
			);
		});
	});

	it('without updates leave an entry without task and sites', async () => {
		const service = await startWithSchedule({ scope: { sites: all, updates: {} } });
		const before = (await listIds(service, '/tasks')).length;
		service.clock.advance(hour);
		expect(await historyOf(service, service.id)).toEqual([
			{
				auto_update_schedule: { id: service.id, name: 'Mine' },
				performed_on: at(hour),
				task_id: null,
				status: 'no_updates',
				sites: [],
			},
		]);
		expect(await listIds(service, '/tasks')).toHaveLength(before);
	});

	it('show no site that is gone', async () => {
		const service = await startWithSchedule();
		service.clock.advance(hour);
		const [{ sites }] = await historyOf(service, service.id);
		await service.api.delete(`/sites/${sites[0].id}`);
		expect((await historyOf(service, service.id))[0].sites).toEqual(sites.slice(1));
	});

	it('end with the schedule, but what was done stays in the history', async () => {
		const service = await startWithSchedule();
		service.clock.advance(hour);
		await service.api.delete(`${path}/${service.id}`);
		service.clock.advance(3 * day);
		expect(await historyOf(service, service.id)).toHaveLength(1);
	});
});

describe('the next date of a recurrence', () => {
	it.each<[Recurrence, string, string, string]>([
		['daily', '2025-03-10T08:00', '2025-03-12T07:59', '2025-03-12T08:00'],
		['daily', '2025-03-10T08:00', '2025-03-12T08:00', '2025-03-13T08:00'],
		['daily', '2025-03-10T08:00', '2025-01-01T00:00', '2025-03-10T08:00'],
		['weekly_on_day', '2025-03-10T08:00', '2025-03-10T08:00', '2025-03-17T08:00'],
		['biweekly', '2025-03-10T08:00', '2025-03-18T00:00', '2025-03-24T08:00'],
		['biweekly', '2025-03-10T08:00', '2026-03-10T00:00', '2026-03-23T08:00'],
		['monthly_on_date', '2025-01-31T08:00', '2025-02-01T00:00', '2025-02-28T08:00'],
		['monthly_on_date', '2025-01-31T08:00', '2025-03-01T00:00', '2025-03-31T08:00'],
		['monthly_on_week', '2025-03-11T08:00', '2025-03-12T00:00', '2025-04-08T08:00'],
		['monthly_on_week', '2025-03-31T08:00', '2025-04-01T00:00', '2025-04-28T08:00'],
		['monthly_last_day', '2025-01-15T08:00', '2025-01-15T08:00', '2025-01-31T08:00'],
		['monthly_last_day', '2025-01-15T08:00', '2025-02-01T00:00', '2025-02-28T08:00'],
		['monthly', '2024-01-30T08:00', '2024-02-15T00:00', '2024-02-29T08:00'],
	])('%s from %s, after %s', (recurrence, startedAt, from, expected) => {
		const next = nextOccurrence(recurrence, `${startedAt}Z`, Date.parse(`${from}Z`));
		expect(next).toBe(`${expected}:00.000Z`);
	});

	it('keeps its time of day in its zone when the clocks change there', () => {
		const from = Date.parse('2025-03-29T12:00Z');
		const next = nextOccurrence('daily', '2025-03-01T08:00Z', from, 'Europe/Berlin');
		expect(next).toBe('2025-03-30T07:00:00.000Z');
	});
});
