import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { managedAccountRoutes } from './routes';
import { seed } from './seed';

export const managedAccounts: Module = {
	routes: managedAccountRoutes,
	collections: () => ({ managedAccounts: new Collection() }),
	seed,
};
