import { unprocessable } from '../../engine/errors';
import type { World } from '../../engine/world';
import { textFilters, timestampFilters } from '../../http/filters';
import { resource } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	boolean,
	emailAddress,
	ids,
	notBlank,
	oneOf,
	string,
	timestamp,
	object,
	changesOf,
	optionals,
} from '../../http/schema';
import { requireNewEmail } from '../shared/emails';
import { accountRoles } from '../shared/roles';
import { requireSites } from '../sites/rules';
import { type TeamMemberRow, teamMemberStatuses } from './rows';

/** Part A 2.14 and 4.12. */
const teamMembers = resource<TeamMemberRow>({
	name: 'team_member',
	plural: 'team_members',
	path: '/team-members',
	kind: (store) => store.teamMembers,
	view: (member, world) => ({
		...member,
		site_ids: member.site_ids.filter((id) => world.store.sites.get(id)),
	}),
	schema: object({
		id: string,
		name: string,
		email: string,
		company_name: string,
		note: string,
		role: oneOf(...accountRoles),
		status: oneOf(...teamMemberStatuses),
		all_sites_access: boolean,
		site_ids: ids,
		two_fa_enabled: boolean,
		created_at: timestamp,
		updated_at: timestamp,
	}),
});

const memberFields = {
	name: notBlank,
	role: oneOf(...accountRoles),
	company_name: string,
	all_sites_access: boolean,
	note: string,
	site_ids: ids,
};

export const teamMemberRoutes = [
	teamMembers.list('listTeamMembers', {
		filters: {
			...textFilters('name', 'email', 'company_name'),
			role: { type: accountRoles, operators: ['eq'], value: (member) => member.role },
			two_fa_enabled: {
				type: 'boolean',
				operators: ['eq'],
				value: (member) => member.two_fa_enabled,
			},
			status: {
				type: teamMemberStatuses,
				operators: ['eq'],
				value: (member) => member.status,
			},
			...timestampFilters('created_at', 'updated_at'),
		},
		sort: fields('created_at', 'updated_at', 'name', 'email', 'role'),
		defaultSort: 'created_at,desc',
	}),
	teamMembers.create(
		'createTeamMember',
		object({
			...optionals(memberFields),
			name: notBlank,
			email: emailAddress,
			role: memberFields.role,
		}),
		({ world }, sent) => {
			requireNewEmail(world.store.teamMembers.peek(), sent.email, 'team_member.email');
			requireSites(world, sent.site_ids ?? [], 'team_member.site_ids');
			const invitation = {
				company_name: '',
				note: '',
				all_sites_access: false,
				site_ids: [],
				...sent,
			};
			return world.store.teamMembers.insert({
				...invitation,
				...accessOf(invitation),
				id: world.random.hex(24),
				status: 'pending',
				two_fa_enabled: false,
				created_at: world.timestamp(),
				updated_at: world.timestamp(),
			});
		},
	),
	teamMembers.show('showTeamMember'),
	teamMembers.delete('deleteTeamMember', ({ id }, { world }) => world.store.teamMembers.delete(id)),
	teamMembers.update('updateTeamMember', changesOf(memberFields), (member, changes, { world }) => {
		requireSites(world, changes.site_ids ?? [], 'team_member.site_ids');
		Object.assign(member, changes, { updated_at: world.timestamp() });
		Object.assign(member, accessOf(member));
		if (member.status === 'pending') replace(world, member);
	}),
	teamMembers.action('resendTeamMemberInvitation', 'resend-invitation', (member, { world }) => {
		if (member.status !== 'pending') {
			throw unprocessable('not_pending', 'team_member_id', 'is a member, not an invitation');
		}
		replace(world, member);
	}),
];

/** Access to all sites needs no list of sites, and leaves none when it ends. */
const accessOf = (member: Pick<TeamMemberRow, 'all_sites_access' | 'site_ids'>) => ({
	site_ids: member.all_sites_access ? [] : [...new Set(member.site_ids)],
});

/** Puts a new invitation in the place of a pending one, whose id is known no more. */
function replace(world: World, invitation: TeamMemberRow): void {
	world.store.teamMembers.delete(invitation.id);
	const now = world.timestamp();
	Object.assign(invitation, { id: world.random.hex(24), created_at: now, updated_at: now });
	world.store.teamMembers.insert(invitation);
}
