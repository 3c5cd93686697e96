import { minute } from '../../engine/clock';
import type { TaskType } from '../../engine/taskRows';
import { startTask } from '../../engine/tasks';
import type { Rhythm, World } from '../../engine/world';
import { connected, someSites } from '../sites/living';
import type { SiteRow } from '../sites/rows';

/** Tasks that users start by hand and that leave the rest of the records as they are. */
const commonTasks: TaskType[] = [
	'test_restore',
	'wp_plugin_activate',
	'wp_plugin_deactivate',
	'wp_plugin_delete',
	'wp_plugin_install',
	'wp_theme_activate',
	'wp_theme_install',
	'wp_user_create',
	'wp_user_role_change',
	'wp_core_db_upgrade',
	'download',
	'upload',
	'migrate',
	'speed',
];

export const rhythms: Record<string, Rhythm> = {
	tasks: {
		every: [2 * minute, 6 * minute],
		happen: (world) => begin(world, world.random.pick(commonTasks), connected),
	},
};

/** Starts a task on a few sites of a kind; some fail. */
export function begin(world: World, type: TaskType, fits: (site: SiteRow) => boolean): void {
	const { random } = world;
	const sites = someSites(world, random.integer(1, 4), fits);
	if (sites.length === 0) return;
	startTask(world, {
		type,
		siteIds: sites.map((site) => site.id),
		outcome: random.chance(0.15) ? 'failed' : 'completed',
		durationMs: random.integer(minute / 2, 5 * minute),
		payload: { living: true },
	});
}
