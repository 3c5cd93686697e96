import { day } from '../../engine/clock';
import type { World } from '../../engine/world';
import { dataFrom } from '../reportTemplates/rules';
import { recipientOf } from '../shared/demo';
import { addReport, sendMail } from './rules';

export function seed(world: World): void {
	const sites = world.store.sites.all();
	const templates = world.store.reportTemplates.all();
	const { random } = world;
	for (const site of random.sample(sites, 5)) {
		const madeAt = world.now - random.integer(2 * day, 60 * day);
		const order = {
			site_id: site.id,
			type: 'one_time' as const,
			timezone: 'UTC',
			start_date: world.timestamp(madeAt - 30 * day).slice(0, 10),
			end_date: world.timestamp(madeAt - day).slice(0, 10),
			data: dataFrom(world, random.pick(templates).id, {}),
		};
		const report = addReport(world, order, world.timestamp(madeAt))!;
		if (random.chance(0.7)) sendMail(world, report, recipientOf(site), madeAt);
	}
}
