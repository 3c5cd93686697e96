import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { providerControls } from './controls';
import { backupDestinationRoutes } from './routes';
import { seed } from './seed';

export const backupDestinations: Module = {
	routes: backupDestinationRoutes,
	controls: providerControls,
	collections: () => ({ backupDestinations: new Collection() }),
	settings: { cloudstoreBEnabled: true, unavailableProviders: [] },
	seed,
};
