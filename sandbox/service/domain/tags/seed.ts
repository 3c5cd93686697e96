import { day } from '../../engine/clock';
import type { World } from '../../engine/world';
import { pastTime } from '../shared/demo';

const presets: Array<[string, string | null]> = [
	['Production', '#2E7D32'],
	['Shop', '#6A1B9A'],
	['Care plan', '#1565C0'],
	['High traffic', '#C62828'],
	['Multilingual', '#00838F'],
	['Migration', '#EF6C00'],
	['Legacy PHP', '#5D4037'],
	['Internal', null],
];

export function seed(world: World): void {
	for (const [name, color] of presets) seedTag(world, name, color);
}

function seedTag(world: World, name: string, color: string | null): void {
	const createdAt = pastTime(world, 900 * day);
	world.store.tags.insert({
		id: world.store.nextNumber('tag'),
		name,
		color,
		created_at: createdAt,
		updated_at: createdAt,
	});
}
