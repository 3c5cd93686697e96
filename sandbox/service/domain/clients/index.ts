import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { clientRoutes } from './routes';
import { seed } from './seed';

export const clients: Module = {
	routes: clientRoutes,
	collections: () => ({ clients: new Collection() }),
	seed,
};
