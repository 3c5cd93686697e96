import type { Module } from '../../http/module';
import { rhythms } from './living';
import { taskRoutes } from './routes';
import { seed } from './seed';

export const tasks: Module = {
	routes: taskRoutes,
	rhythms,
	seed,
};
