import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { reportTemplateRoutes } from './routes';
import { seed } from './seed';

export const reportTemplates: Module = {
	routes: reportTemplateRoutes,
	collections: () => ({ reportTemplates: new Collection() }),
	seed,
};
