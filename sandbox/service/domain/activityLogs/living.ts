import { minute } from '../../engine/clock';
import type { Rhythm } from '../../engine/world';
import { someSites } from '../sites/living';
import { logActivity } from './rules';

export const rhythms: Record<string, Rhythm> = {
	activity: {
		every: [minute, 3 * minute],
		happen: (world) => {
			for (const site of someSites(world, 3, (each) => each.activity_logs.enabled)) {
				logActivity(world, site, world.now, world.random);
			}
		},
	},
};
