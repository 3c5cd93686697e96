import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { tagRoutes } from './routes';
import { seed } from './seed';

export const tags: Module = {
	routes: tagRoutes,
	collections: () => ({ tags: new Collection() }),
	settings: { tagsPerSite: 10 },
	seed,
};
