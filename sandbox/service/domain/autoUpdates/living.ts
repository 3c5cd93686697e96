import { minute } from '../../engine/clock';
import type { Rhythm } from '../../engine/world';
import { begin } from '../tasks/living';

export const rhythms: Record<string, Rhythm> = {
	updates: {
		every: [10 * minute, 30 * minute],
		happen: (world) =>
			begin(
				world,
				'wp_site_update',
				({ connection, wp }) =>
					connection.status === 'connected' && wp.core.update_available && !wp.core.locked,
			),
	},
};
