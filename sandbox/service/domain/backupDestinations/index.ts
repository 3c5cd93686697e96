import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { backupDestinationRoutes } from './routes';
import { seed } from './seed';

export const backupDestinations: Module = {
	routes: backupDestinationRoutes,
	collections: () => ({ backupDestinations: new Collection() }),
	settings: { cloudstoreBEnabled: true, unavailableProviders: [] },
	seed,
};
