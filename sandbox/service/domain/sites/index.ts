import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { siteControls } from './controls';
import { due, marks } from './due';
import { livingEffects, livingHandlers, rhythms } from './living';
import { siteRoutes } from './routes';
import { siteHandlers } from './rules';
import { seed } from './seed';

export const sites: Module = {
	routes: siteRoutes,
	controls: siteControls,
	collections: () => ({ sites: new Collection() }),
	settings: { syncsPerDay: 24, syncMs: 60_000, siteConfigurationMs: 1_000 },
	handlers: { ...siteHandlers, ...livingHandlers },
	effects: livingEffects,
	rhythms,
	due,
	marks,
	seed,
};
