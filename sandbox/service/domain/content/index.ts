import { SiteCollection } from '../../engine/store';
import type { Module } from '../../http/module';
import { contentControls } from './controls';
import { fileRoutes } from './fileRoutes';
import { infectionHandlers } from './infections';
import { seed } from './seed';
import { tableRoutes } from './tableRoutes';

export const content: Module = {
	routes: [...fileRoutes, ...tableRoutes],
	controls: contentControls,
	collections: () => ({ contents: new SiteCollection(({ id }) => id) }),
	handlers: infectionHandlers,
	settings: { corePaths: ['./wp-admin/', './wp-includes/'] },
	seed,
};
