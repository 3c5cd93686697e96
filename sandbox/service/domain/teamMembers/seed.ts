import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { companies, dates, drawsFor } from '../shared/demo';
import { accountRoles } from '../shared/roles';
import type { TeamMemberRow } from './rows';

const people: Array<[name: string, status: TeamMemberRow['status']]> = [
	['Marta Lind', 'connected'],
	['Ivo Santos', 'connected'],
	['Hana Mori', 'connected'],
	['Theo Braun', 'pending'],
	['Lucia Ferri', 'pending'],
];

export function seed(world: World): void {
	const random = drawsFor(world, 'teamMembers');
	for (const person of people) seedTeamMember(world, random, ...person);
}

function seedTeamMember(
	world: World,
	random: Random,
	name: string,
	status: TeamMemberRow['status'],
): void {
	const sites = world.store.sites.all();
	const allSites = random.chance(0.4);
	world.store.teamMembers.insert({
		id: random.hex(24),
		name,
		email: `${name.toLowerCase().replace(' ', '.')}@agency.example.org`,
		company_name: random.pick(companies),
		note: '',
		role: random.pick(accountRoles),
		status,
		all_sites_access: allSites,
		site_ids: allSites ? [] : random.sample(sites, 3).map((site) => site.id),
		two_fa_enabled: status === 'connected' && random.chance(0.6),
		...dates(world, random),
	});
}
