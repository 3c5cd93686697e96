import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { stagingSiteRoutes } from './routes';
import { stagingEffects, stagingHandlers, stagingInput } from './rules';
import { seed } from './seed';

export const stagingSites: Module = {
	routes: stagingSiteRoutes,
	collections: () => ({ stagingSites: new Collection() }),
	settings: { stagingDays: 7, stagingMaxDays: 30 },
	handlers: stagingHandlers,
	effects: stagingEffects,
	inputs: { staging: stagingInput },
	due: ({ store }, until) => ({
		staging_sites_expired: store.stagingSites
			.peek()
			.filter(({ status, expires_at: at }) => status !== 'suspended' && Date.parse(at) <= until)
			.length,
	}),
	marks: ({ store }) => ({
		staging_sites_expired: store.stagingSites
			.peek()
			.filter(({ status }) => status === 'suspended')
			.map(({ id }) => id),
	}),
	seed,
};
