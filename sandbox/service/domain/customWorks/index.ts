import { SiteCollection } from '../../engine/store';
import type { Module } from '../../http/module';
import { customWorkRoutes } from './routes';
import { seed } from './seed';

export const customWorks: Module = {
	routes: customWorkRoutes,
	collections: () => ({ customWorks: new SiteCollection() }),
	seed,
};
