import { Random } from '../random';
import {
	accountRoles,
	type BackupDestinationRow,
	type ManagedAccountRow,
	type StorageAccess,
	type TeamMemberRow,
} from '../rows/accounts';
import { checkRecord, createSender, dnsRecords } from '../senders';
import type { World } from '../world';

const day = 24 * 60 * 60 * 1000;

const companies = [
	'Harbour Digital',
	'Ridge Studio',
	'Paper Plane Media',
	'Old Town Web',
	'Lumen Works',
];
const accountStatuses: Array<ManagedAccountRow['status']> = [
	'connected',
	'connected',
	'pending',
	'pending',
	'rejected',
];
const people: Array<[name: string, status: TeamMemberRow['status']]> = [
	['Marta Lind', 'connected'],
	['Ivo Santos', 'connected'],
	['Hana Mori', 'connected'],
	['Theo Braun', 'pending'],
	['Lucia Ferri', 'pending'],
];
const senders: Array<[name: string, email: string, isVerified: boolean]> = [
	['Fleet Reports', 'reports@fleet.example.com', true],
	['Care Team', 'care@agency.example.org', true],
	['Newsletter', 'news@studio.example.net', false],
];

/** Gives the account what surrounds its sites; it draws apart from the rest of the fleet. */
export function seedAccounts(world: World): void {
	const random = new Random(world.random.state + 101);
	companies.forEach((company, i) =>
		seedManagedAccount(world, random, company, accountStatuses[i]!),
	);
	seedDestinations(world, random);
	for (const sender of senders) seedSender(world, random, ...sender);
	for (const person of people) seedTeamMember(world, random, ...person);
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

function seedDestinations(world: World, random: Random): void {
	const add = (
		provider: BackupDestinationRow['provider'],
		label: string,
		details: Pick<StorageAccess, 'provider_metadata' | 'config'>,
	) => {
		const access: StorageAccess = {
			email: 'backups@fleet.example.com',
			provider_account_id: random.hex(16),
			...details,
		};
		const { created_at, updated_at } = dates(world, random);
		world.store.backupDestinations.insert({
			id: `bkd_${random.hex(24)}`,
			provider,
			provider_label: label,
			name: label,
			status: 'active',
			connected: true,
			...structuredClone(access),
			last_tested_at: updated_at,
			last_error_code: null,
			last_error_message: null,
			created_at,
			updated_at,
			internal: { access },
		});
	};
	const folder = 'Site backups';
	add('cloudstore_a', 'Cloud Store A', { provider_metadata: {}, config: {} });
	add('cloudstore_b', 'Cloud Store B', {
		provider_metadata: { folder_id: random.hex(20), folder_name: folder },
		config: { folder_policy: 'app_folder', folder_name: folder },
	});
}

function seedSender(
	world: World,
	random: Random,
	name: string,
	email: string,
	isVerified: boolean,
): void {
	const sender = createSender(world, { email, name }, random);
	if (!isVerified) return;
	Object.assign(sender, dates(world, random), { status: 'verified' });
	sender.internal.ownership_confirmed = true;
	sender.internal.verification_sent_at = sender.created_at;
	sender.internal.published = { dkim: true, return_path: random.chance(0.5) };
	for (const record of dnsRecords) checkRecord(sender, record);
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

function dates(world: World, random: Random): { created_at: string; updated_at: string } {
	const createdAt = world.now - random.integer(60 * day, 700 * day);
	const updatedAt = createdAt + random.integer(0, 60 * day);
	return { created_at: world.timestamp(createdAt), updated_at: world.timestamp(updatedAt) };
}
