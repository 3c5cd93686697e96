import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { brandingRoutes } from './routes';

export const branding: Module = {
	routes: brandingRoutes,
	collections: () => ({ pluginBrandings: new Collection(), wpLogins: new Collection() }),
	settings: { settingUpdateMs: 2_000 },
};
