import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { countOccurrences } from '../shared/recurrence';
import { scheduledReportRoutes } from './routes';
import { scheduledReportHandlers } from './rules';
import { seed } from './seed';

export const scheduledReports: Module = {
	routes: scheduledReportRoutes,
	collections: () => ({ scheduledReports: new Collection() }),
	handlers: scheduledReportHandlers,
	due: ({ store, now }, until) => ({
		scheduled_reports: store.scheduledReports
			.peek()
			.filter(({ status, site_id }) => status === 'active' && store.sites.get(site_id))
			.reduce((sum, { frequency, started_at, timezone: zone }) => {
				return sum + countOccurrences(frequency, started_at, { from: now, until, zone });
			}, 0),
	}),
	seed,
};
