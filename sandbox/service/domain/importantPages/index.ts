import { SiteCollection } from '../../engine/store';
import type { Module } from '../../http/module';
import { importantPageRoutes } from './routes';
import { seed } from './seed';

export const importantPages: Module = {
	routes: importantPageRoutes,
	collections: () => ({ importantPages: new SiteCollection() }),
	settings: { importantPagesPerSite: 10 },
	seed,
};
