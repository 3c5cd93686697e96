import { SiteCollection } from '../../engine/store';
import type { Module } from '../../http/module';
import { siteSettingsRoutes } from './routes';
import { seed } from './seed';

export const siteSettings: Module = {
	routes: siteSettingsRoutes,
	collections: () => ({ siteSettings: new SiteCollection(({ id }) => id) }),
	seed,
};
