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
	seed,
};
