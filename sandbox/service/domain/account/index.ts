import { SiteCollection } from '../../engine/store';
import type { Module } from '../../http/module';
import { planControls } from './controls';
import { planFeatures } from './rows';
import { seed } from './seed';

export const account: Module = {
	routes: [],
	controls: planControls,
	collections: () => ({ sitePlans: new SiteCollection(({ id }) => id) }),
	settings: {
		planFeatures,
		currentUser: { name: 'Sam Keeper', email: 'sam.keeper@agency.example.com' },
	},
	seed,
};
