import { day } from '../../engine/clock';
import type { World } from '../../engine/world';
import { adjectives, nouns, pastTime, slug } from '../shared/demo';

const firstNames =
	'Aisha,Ben,Carla,Daniel,Elena,Farid,Grace,Hugo,Ines,Jonas,Kamala,Liam,Mei,Nadia,Oscar,Priya,Rosa,Samir,Tess,Yusuf'.split(
		',',
	);
const lastNames =
	'Almeida,Brandt,Castillo,Dubois,Eriksen,Fischer,Gupta,Hansen,Ito,Jansen,Kowalski,Lindgren,Moreau,Novak,Okafor,Petrov,Rossi,Silva,Tanaka,Weber'.split(
		',',
	);

/** A client for every four sites. */
export function seed(world: World, size: number): void {
	for (let count = Math.ceil(size / 4); count > 0; count--) seedClient(world);
}

function seedClient(world: World): void {
	const { random } = world;
	const firstName = random.pick(firstNames);
	const lastName = random.pick(lastNames);
	const company = `${random.pick(adjectives)} ${random.pick(nouns)}`;
	const createdAt = pastTime(world, 1200 * day);
	world.store.clients.insert({
		id: random.hex(24),
		first_name: firstName,
		last_name: lastName,
		email: `${firstName}.${lastName}@${slug(company)}.example.com`.toLowerCase(),
		company_name: company,
		address: '',
		note: '',
		created_at: createdAt,
		updated_at: createdAt,
	});
}
