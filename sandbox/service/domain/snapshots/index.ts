import { SiteCollection } from '../../engine/store';
import type { Module } from '../../http/module';
import { snapshotRoutes } from './routes';
import { seed } from './seed';

export const snapshots: Module = {
	routes: snapshotRoutes,
	collections: () => ({ snapshots: new SiteCollection() }),
	settings: { snapshotsPerSite: 30 },
	seed,
};
