import type { Module } from '../../http/module';
import { taskControls } from './controls';
import { rhythms } from './living';
import { taskRoutes } from './routes';
import { seed } from './seed';

export const tasks: Module = {
	routes: taskRoutes,
	controls: taskControls,
	rhythms,
	seed,
};
