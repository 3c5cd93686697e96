import type { TaskRow } from '../../engine/taskRows';
import type { World } from '../../engine/world';
import { daysAgo } from '../shared/demo';
import type { AutoUpdateScheduleRow, ComponentUpdate } from './rows';
import { createSchedule, disableSchedule, type ScheduleFields } from './rules';

const all = { selection: 'all' as const };

/** Active schedules run for the first time after some days, so that a fresh fleet is quiet. */
export function seed(world: World): void {
	const sites = world.store.sites.all();
	if (sites.length === 0) return;
	const specific = {
		selection: 'specific' as const,
		ids: world.random.sample(sites, 5).map((site) => site.id),
	};
	const { planFeatures: features } = world.settings;
	const backup = features.includes('auto_update_backup');
	const visual_regression = features.includes('visual_regression');
	const everything = { cms_core: true, plugins: all, themes: all };
	const schedules: ScheduleFields[] = [
		{
			name: 'Weekly plugin updates',
			schedule: 'weekly_on_day',
			started_at: daysAgo(world, 40),
			scope: { sites: all, updates: { plugins: all } },
			options: { backup },
		},
		{
			name: 'Monthly core updates',
			schedule: 'monthly_last_day',
			started_at: daysAgo(world, 75),
			scope: { sites: all, updates: { cms_core: true } },
			options: { backup, visual_regression },
		},
		{
			name: 'Shops, everything',
			schedule: 'biweekly',
			started_at: daysAgo(world, 52),
			scope: { sites: specific, updates: everything },
			options: { backup, visual_regression },
		},
		{
			name: 'Page cache only',
			schedule: 'daily',
			started_at: daysAgo(world, 30),
			scope: {
				sites: specific,
				updates: {
					plugins: { selection: 'specific', filenames: ['page-cache/page-cache.php'] },
				},
			},
		},
	];
	const rows = schedules.map((fields) => createSchedule(world, fields));
	for (const row of rows) row.created_at = row.updated_at = row.started_at;
	const daily = rows[3]!;
	disableSchedule(world, daily);
	daily.updated_at = daysAgo(world, 3);

	const tasks = world.store.tasks.all().filter((task) => task.type === 'wp_site_update');
	for (const task of tasks) addEntry(world, rows[0]!, task);
	for (const days of [6, 5, 4]) addEntry(world, daily, undefined, daysAgo(world, days));
}

function addEntry(
	world: World,
	{ id, name }: AutoUpdateScheduleRow,
	task: TaskRow | undefined,
	performedOn = task!.created_at,
): void {
	const input = task?.input as { sites: Array<{ id: string; plugins: ComponentUpdate[] }> };
	world.store.autoUpdateHistory.insert({
		id: world.random.hex(24),
		auto_update_schedule: { id, name },
		performed_on: performedOn,
		task_id: task?.id ?? null,
		sites: (task ? input.sites : []).map((site) => ({
			id: site.id,
			wp: { plugins: site.plugins, themes: [] },
		})),
	});
}
