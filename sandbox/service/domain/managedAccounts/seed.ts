import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { companies, dates, drawsFor } from '../shared/demo';
import { accountRoles } from '../shared/roles';
import type { ManagedAccountRow } from './rows';

const accountStatuses: Array<ManagedAccountRow['status']> = [
	'connected',
	'connected',
	'pending',
	'pending',
	'rejected',
];

export function seed(world: World): void {
	const random = drawsFor(world, 'managedAccounts');
	for (const [index, company] of companies.entries()) {
		seedManagedAccount(world, random, company, accountStatuses[index]!);
	}
}

function seedManagedAccount(
	world: World,
	random: Random,
	company: string,
	status: ManagedAccountRow['status'],
): void {
	world.store.managedAccounts.insert({
		id: random.hex(24),
		email: `owner@${company.toLowerCase().replaceAll(' ', '-')}.example.com`,
		role: random.pick(accountRoles),
		company_name: company,
		status,
		all_sites_access: random.chance(0.5),
		...dates(world, random),
	});
}
