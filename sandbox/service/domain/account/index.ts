import type { Module } from '../../http/module';
import { planFeatures } from './rules';

export const account: Module = {
	routes: [],
	settings: {
		planFeatures,
		currentUser: { name: 'Sam Keeper', email: 'sam.keeper@agency.example.com' },
	},
};
