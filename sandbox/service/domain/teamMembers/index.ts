import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { teamMemberRoutes } from './routes';
import { seed } from './seed';

export const teamMembers: Module = {
	routes: teamMemberRoutes,
	collections: () => ({ teamMembers: new Collection() }),
	seed,
};
