import type { Module } from '../../http/module';
import { backupRoutes } from './routes';
import { backupEffects } from './rules';

export const backups: Module = {
	routes: backupRoutes,
	effects: backupEffects,
};
