import { hour, minute } from '../../engine/clock';
import type { TaskType } from '../../engine/taskRows';
import { startTask, stopTask } from '../../engine/tasks';
import type { World } from '../../engine/world';

const commonTaskTypes: TaskType[] = [
	'wp_site_update',
	'wp_site_update',
	'wp_site_update',
	'restore',
	'download',
	'upload',
	'migrate',
	'staging',
	'test_restore',
	'report',
	'wp_plugin_install',
	'wp_plugin_deactivate',
	'wp_theme_install',
	'wp_user_create',
	'hackcleanup',
	'speed',
];

/** Lets 40 tasks happen over the history, and begins a few that are still running at its end. */
export function seed(world: World): void {
	const { random, clock } = world;
	const sites = world.store.sites.all();
	if (sites.length === 0) return world.settle();
	const order = () => ({
		type: random.pick(commonTaskTypes),
		siteIds: random.sample(sites, random.integer(1, 6)).map((site) => site.id),
	});

	const end = clock.now() - hour;
	const step = (end - world.now) / 40;
	const start = world.now;
	for (let i = 0; i < 40; i++) {
		world.settle(Math.floor(start + i * step));
		const durationMs = random.integer(2 * minute, 20 * minute);
		const outcome = random.chance(0.15) ? 'failed' : 'completed';
		const task = startTask(world, { ...order(), durationMs, outcome });
		if (random.chance(0.12)) {
			world.settle(world.now + Math.floor(durationMs / 2));
			stopTask(world, task, random.chance(0.7) ? 'cancelled' : 'aborted');
		}
	}
	for (const minutes of [9, 5, 2]) {
		world.settle(clock.now() - minutes * minute);
		startTask(world, { ...order(), durationMs: random.integer(20, 40) * minute });
	}
	world.settle();
}
