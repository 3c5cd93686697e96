import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { scheduledReportRoutes } from './routes';
import { scheduledReportHandlers } from './rules';
import { seed } from './seed';

export const scheduledReports: Module = {
	routes: scheduledReportRoutes,
	collections: () => ({ scheduledReports: new Collection() }),
	handlers: scheduledReportHandlers,
	seed,
};
