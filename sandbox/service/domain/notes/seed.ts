import { day, hour } from '../../engine/clock';
import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { forEachSite } from '../shared/demo';
import type { SiteRow } from '../sites/rows';

const noteTexts = [
	'Ask the owner before updating the booking plugin.',
	'The certificate is renewed by the hosting company.',
	'The client needs a staging site before the summer sale.',
	'Invoices go to the accounting office, not to the contact person.',
];
const authors = [
	{ name: 'Ines Novak', email: 'ines.novak@agency.example.com' },
	{ name: 'Jonas Weber', email: 'jonas.weber@agency.example.com' },
];

export const seed = (world: World) =>
	forEachSite(world, 'notes', (site, random) => seedNotes(world, site, random));

function seedNotes(world: World, site: SiteRow, random: Random): void {
	if (!random.chance(0.35)) return;
	for (const content of random.sample(noteTexts, random.integer(1, 2))) {
		const user = random.pick([...authors, world.settings.currentUser]);
		const updatedAt = world.now - random.integer(hour, 90 * day);
		const createdAt = random.chance(0.3) ? updatedAt - random.integer(hour, 20 * day) : updatedAt;
		const created = world.timestamp(createdAt);
		world.store.notes.insert({
			id: random.hex(24),
			site_id: site.id,
			content,
			user: { ...user },
			created_at: created,
			updated_at: world.timestamp(updatedAt),
			internal: {
				versions:
					createdAt === updatedAt
						? []
						: [
								{
									id: random.hex(24),
									content: `${content} (to be checked)`,
									user: { ...user },
									created_at: created,
									updated_at: created,
								},
							],
			},
		});
	}
}
