import { SiteCollection } from '../../engine/store';
import type { Module } from '../../http/module';
import { rhythms } from './living';
import { activityLogRoutes } from './routes';
import { seed } from './seed';

export const activityLogs: Module = {
	routes: activityLogRoutes,
	collections: () => ({ activityLogs: new SiteCollection() }),
	rhythms,
	forget(world, oldest) {
		const { activityLogs: logs } = world.store;
		for (const { id, timestamp } of logs.peek()) if (timestamp < oldest) logs.delete(id);
	},
	seed,
};
