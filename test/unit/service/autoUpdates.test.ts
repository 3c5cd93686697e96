import { setVersion, versionsAt } from '../../../sandbox/service/domain/content/components';
import { nextOccurrence, type Recurrence } from '../../../sandbox/service/domain/shared/recurrence';
import { at, day, hour, list, minute, pass, start } from './support';

const path = '/auto-update-schedules';
const all = { selection: 'all' };

afterEach(() => jest.restoreAllMocks());

/** A service with a daily schedule of an hour from now. */
async function startWithSchedule(changes: object = {}) {
	const service = await start();
	const fields = { name: 'Mine', schedule: 'daily', started_at: at(hour) };
	const scope = { sites: all, updates: { plugins: all } };
	const { status, data } = await service.api.post(path, {
		auto_update_schedule: { ...fields, scope, ...changes },
	});
	expect(status).toBe(201);
	const { id } = data.auto_update_schedule;
	return {
		...service,
		id,
		show: async () => (await service.api.get(`${path}/${id}`)).data.auto_update_schedule,
		update: (fields: object) =>
			service.api.post(`${path}/${id}/update`, { auto_update_schedule: fields }),
		history: () =>
			list(service, '/auto-update-history', { 'filters[auto_update_schedule_id:eq]': id }),
	};
}

describe('an auto update schedule', () => {
	it('is updated with the complete set of its categories, or keeps them', async () => {
		const updates = { cms_core: true, plugins: all };
		const { show, update } = await startWithSchedule({ scope: { sites: all, updates } });
		await update({ scope: { updates: { themes: all } } });
		await update({ scope: { sites: { selection: 'specific', ids: [] } } });
		expect((await show()).scope.updates).toEqual({
			cms_core: false,
			plugins: { selection: 'specific', filenames: [] },
			themes: { selection: 'all', filenames: [] },
		});
	});

	it('moves its next date with its recurrence and its start', async () => {
		const { show, update } = await startWithSchedule({ started_at: at(-3 * day) });
		expect((await show()).next_update_at).toBe(at(day));
		await update({ schedule: 'weekly_on_day' });
		expect((await show()).next_update_at).toBe(at(4 * day));
		await update({ started_at: at(hour) });
		expect((await show()).next_update_at).toBe(at(hour));
	});

	it('does not run while it is paused, and then at the next date, once', async () => {
		const { api, clock, history, id, show } = await startWithSchedule();
		const act = async (verb: string) => await api.post(`${path}/${id}/${verb}`);
		for (const verb of ['disable', 'enable', 'disable']) await act(verb);
		clock.advance(2 * day);
		expect(await history()).toEqual([]);
		await act('enable');
		expect((await show()).next_update_at).toBe(at(2 * day + hour));
		clock.advance(hour);
		expect(await history()).toHaveLength(1);
	});
});

describe('the runs of a schedule', () => {
	it('are announced at the date, then have a task and sites, and outlive the schedule', async () => {
		const { api, clock, history, id, show } = await startWithSchedule({
			options: { backup: true },
		});
		clock.advance(hour - 1);
		expect(await history()).toEqual([]);
		clock.advance(1);
		const announced = {
			auto_update_schedule: { id, name: 'Mine' },
			performed_on: at(hour),
			...{ task_id: null, status: 'initializing', sites: [] },
		};
		expect(await history()).toEqual([announced]);
		clock.advance(40_000);
		const begun = { ...announced, task_id: expect.any(String), status: 'running' };
		expect(await history()).toEqual([begun]);
		clock.advance(40_000);
		const [entry] = await history();
		expect(entry).toEqual({ ...begun, sites: expect.any(Array) });
		expect(entry.sites).not.toEqual([]);
		const { task } = (await api.get(`/tasks/${entry.task_id}`)).data;
		expect(task).toMatchObject({ type: 'wp_site_update', input: { sites: expect.any(Array) } });
		expect(task.input.sites).toEqual(
			entry.sites.map((site: any) => ({
				id: site.id,
				options: { backup: true, visual_regression: false, sandbox: false },
				plugins: site.wp.plugins,
			})),
		);
		expect((await show()).next_update_at).toBe(at(day + hour));
		clock.advance(2 * day);
		await api.delete(`${path}/${id}`);
		clock.advance(3 * day);
		expect(await history()).toHaveLength(3);
	});

	it.each(['completed', 'cancelled'])('follow their task until it is %s', async (end) => {
		const { api, clock, history } = await startWithSchedule();
		clock.advance(hour + minute);
		const [{ status, task_id: taskId }] = await history();
		expect(status).toBe('running');
		if (end === 'cancelled') await api.post(`/tasks/${taskId}/cancel`);
		clock.advance(minute);
		expect((await history())[0].status).toBe(end);
	});

	it('without updates leave an entry without task and sites', async () => {
		const { clock, history } = await startWithSchedule({ scope: { sites: all, updates: {} } });
		clock.advance(hour + minute);
		expect(await history()).toMatchObject([{ task_id: null, status: 'no_updates', sites: [] }]);
	});
});

it('an update takes what is selected and older, once it is completed', async () => {
	const { clock, history, update, world } = await startWithSchedule();
	const [site] = world.store.sites.all();
	const core = { current_version: '6.5.5', latest_version: '6.8.3', update_available: true };
	Object.assign(site!.wp.core, { ...core, locked: false });
	jest.spyOn(world.random, 'chance').mockReturnValue(false);
	const before = {
		'seo-suite': '2.0-beta.2',
		'hello-words': '2.2.0',
		'page-cache': '1.0.0',
		magazine: '1.0.0',
		portfolio: '10.0',
	};
	for (const [slug, version] of Object.entries(before)) setVersion(world, site!, slug, version);
	const sites = { selection: 'specific', ids: [site!.id] };
	const filenames = ['seo-suite/wp-seo.php', 'hello-words.php', 'page-cache'];
	const plugins = { selection: 'specific', filenames };
	await update({ scope: { sites, updates: { cms_core: true, plugins, themes: all } } });
	clock.advance(hour + 1.5 * minute);
	const [{ sites: updated }] = await history();
	expect(updated).toEqual([
		{
			id: site!.id,
			wp: {
				core: { current_version: '6.5.5', target_version: '6.8.3' },
				plugins: [
					{
						name: 'SEO Suite',
						slug: 'seo-suite',
						filename: 'seo-suite/wp-seo.php',
						current_version: '2.0-beta.2',
						target_version: '2.1.0',
					},
				],
				themes: [expect.objectContaining({ slug: 'magazine', target_version: '1.4.2' })],
			},
		},
	]);
	expect(versionsAt(world, site!, world.now).get('magazine')).toBe('1.0.0');
	pass({ clock, world }, 10 * minute);
	expect(site!.wp.core).toMatchObject({ current_version: '6.8.3', update_available: false });
	const after = versionsAt(world, site!, world.now);
	const slugs = Object.keys(before);
	const expected = { ...before, 'seo-suite': '2.1.0', magazine: '1.4.2' };
	expect(Object.fromEntries(slugs.map((slug) => [slug, after.get(slug)]))).toEqual(expected);
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
