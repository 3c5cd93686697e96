import { taskTypes } from './records';
import { startTask } from './tasks';
import type { Handler, World } from './world';

const minute = 60_000;

/** Makes tasks start by themselves from now on, every few minutes of clock time. */
export function startLiving(world: World): void {
	world.after(world.random.integer(2 * minute, 6 * minute), 'living.task');
}

export const livingHandlers: Record<string, Handler> = {
	'living.task': (world) => {
		const { random } = world;
		const connected = world.store.sites
			.all()
			.filter((site) => site.connection.status === 'connected');
		const sites = random.sample(connected, random.integer(1, 5));
		if (sites.length > 0) {
			startTask(world, {
				type: random.pick(taskTypes),
				siteIds: sites.map((site) => site.id),
				outcome: random.chance(0.15) ? 'failed' : 'completed',
				durationMs: random.integer(minute / 2, 5 * minute),
			});
		}
		startLiving(world);
	},
};
