import { day } from '../../engine/clock';
import type { World } from '../../engine/world';
import { daysAgo, recipientOf } from '../shared/demo';
import {
	createScheduledReport,
	makeReport,
	pauseScheduledReport,
	updateScheduledReport,
} from './rules';

/** Each has sent its last two reports. The last template is not used. */
export function seed(world: World): void {
	const sites = world.store.sites.all();
	const templates = world.store.reportTemplates.all();
	const { random } = world;
	for (const site of random.sample(sites, Math.min(12, Math.ceil(sites.length / 4)))) {
		const createdAt = daysAgo(world, random.integer(60, 300));
		const row = createScheduledReport(world, {
			site_id: site.id,
			timezone: random.pick(['UTC', 'Europe/Berlin', 'America/New_York']),
			started_at: createdAt,
			frequency: random.pick(['weekly', 'monthly', 'biweekly']),
			report_template_data: {
				email: { recipients: [recipientOf(site)], send_to_client: random.chance(0.7) },
			},
		});
		updateScheduledReport(world, row, { template_id: random.pick(templates.slice(0, 2)).id });
		for (const days of [35, 5]) makeReport(world, row, world.now - days * day);
		if (random.chance(0.2)) pauseScheduledReport(world, row);
		row.created_at = row.updated_at = createdAt;
	}
}
