import { SiteCollection } from '../../engine/store';
import type { Module } from '../../http/module';
import { noteRoutes } from './routes';
import { seed } from './seed';

export const notes: Module = {
	routes: noteRoutes,
	collections: () => ({ notes: new SiteCollection() }),
	seed,
};
