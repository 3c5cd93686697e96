import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
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
	forget(world, oldest) {
		const { autoUpdateHistory: runs } = world.store;
		for (const { id, performed_on: at } of runs.peek()) if (at < oldest) runs.delete(id);
	},
	seed,
};
