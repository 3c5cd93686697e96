import type { World } from '../../engine/world';
import { daysAgo } from '../shared/demo';
import type { ReportTemplateInput } from './rows';
import { dataFrom } from './rules';

export function seed(world: World): void {
	const sender = world.store.senderEmails.all().find(({ status }) => status === 'verified');
	const presets: Array<[string, ReportTemplateInput]> = [
		['Care plan', { email: { sender_email: sender ? { id: sender.id } : null } }],
		[
			'Executive summary',
			{
				general: { primary_color: '#2E7D32', date_format: 'MMMM d, yyyy' },
				section_order: ['introduction'],
			},
		],
		['Kurzbericht', { general: { language: 'de', date_format: 'dd.MM.yyyy' } }],
	];
	for (const [index, [name, input]] of presets.entries()) {
		const createdAt = daysAgo(world, 200 - 50 * index);
		world.store.reportTemplates.insert({
			id: world.random.hex(24),
			name,
			...dataFrom(world, '', input),
			created_at: createdAt,
			updated_at: createdAt,
		});
	}
}
