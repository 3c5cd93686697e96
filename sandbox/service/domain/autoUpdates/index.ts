import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { countOccurrences } from '../shared/recurrence';
import { rhythms } from './living';
import { autoUpdateRoutes } from './routes';
import { autoUpdateEffects, autoUpdateHandlers, updateInput } from './rules';
import { seed } from './seed';

export const autoUpdates: Module = {
	routes: autoUpdateRoutes,
	collections: () => ({
		autoUpdateSchedules: new Collection(),
		autoUpdateHistory: new Collection(),
	}),
	handlers: autoUpdateHandlers,
	effects: autoUpdateEffects,
	inputs: { wp_site_update: updateInput },
	rhythms,
	due: ({ store, now }, until) => ({
		auto_update_runs: store.autoUpdateSchedules
			.peek()
			.filter(({ status }) => status === 'active')
			.reduce(
				(sum, row) => sum + countOccurrences(row.schedule, row.started_at, { from: now, until }),
				0,
			),
	}),
	marks: ({ store }) => ({ auto_update_runs: store.autoUpdateHistory.peek().map(({ id }) => id) }),
	forget(world, oldest) {
		const { autoUpdateHistory: runs } = world.store;
		for (const { id, performed_on: at } of runs.peek()) if (at < oldest) runs.delete(id);
	},
	seed,
};
