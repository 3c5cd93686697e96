import { day, minute } from '../../engine/clock';
import { ApiError } from '../../engine/errors';
import type { Rhythm, World } from '../../engine/world';
import { someSites } from '../sites/living';
import { startReport } from './rules';

export const rhythms: Record<string, Rhythm> = {
	reports: { every: [30 * minute, 90 * minute], happen: reportOnSite },
};

/** Reports on the last week of a site. */
function reportOnSite(world: World): void {
	for (const site of someSites(world, 1, ({ backups }) => backups.latest_snapshot !== null)) {
		const date = (ago: number) => world.timestamp(world.now - ago).slice(0, 10);
		try {
			startReport(world, { site_id: site.id, start_date: date(7 * day), end_date: date(0) });
		} catch (error) {
			// A site without a completed snapshot in that week gets no report.
			if (!(error instanceof ApiError)) throw error;
		}
	}
}
