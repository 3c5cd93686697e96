import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { rhythms } from './living';
import { reportRoutes } from './routes';
import { reportEffects, reportHandlers } from './rules';
import { seed } from './seed';

export const reports: Module = {
	routes: reportRoutes,
	collections: () => ({ reports: new Collection() }),
	settings: { mailDeliveryMs: 30_000, mailOpenMs: 3_600_000 },
	handlers: reportHandlers,
	effects: reportEffects,
	rhythms,
	marks: ({ store }) => ({ reports: store.reports.peek().map(({ id }) => id) }),
	forget(world, oldest) {
		const { reports: rows } = world.store;
		for (const { id, created_at: at } of rows.peek()) if (at < oldest) rows.delete(id);
	},
	seed,
};
