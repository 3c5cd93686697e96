import { accountWide } from '../../shared/access/effects';
import { create, listChanges, remove, update } from '../../shared/describe/changes';
import { idsField, replacing } from '../../shared/describe/fields';
import { contains, type Filters, lifeFilters, oneOf } from '../../shared/describe/filters';
import { kept, lacking, outputOf } from '../../shared/describe/output';
import { act, get, getMany, resourceWith } from '../../shared/describe/resource';
import { choice, text, toggle } from '../../shared/input/kinds';
import { ofAccount, on, withSites } from '../../shared/operation';
import { accountRoles, companyName, emailOf, note } from '../../shared/resources/accountValues';

const name = text('name', 'Name', {
	placeholder: 'e.g. Alex Reed',
	description: 'Name of the person',
});

const email = emailOf('Address that the invitation goes to');

const role = choice('role', 'Role', {
	closed: 'change',
	options: accountRoles,
	default: 'collaborator',
	description: 'Role of the person in the account',
});

const access = [
	companyName,
	note,
	toggle('allSitesAccess', 'All Sites Access', {
		description: 'Whether the person can access all sites of the account',
	}),
];

const sites = idsField('siteIds', 'All sites that the person can access');

const filters: Filters = {
	...contains('team members', 'name', 'Reed'),
	...contains('team members', 'email', '@example.com'),
	...contains('team members', 'company_name', 'Harbour'),
	...oneOf('role', accountRoles, 'Only team members with this role', { default: 'collaborator' }),
	'two_fa_enabled:eq': toggle('twoFaEnabled', 'Two-Factor Sign-In', {
		description: 'Whether two-factor sign-in is on. If off, pending invitations match as well.',
	}),
	...oneOf(
		'status',
		['connected', 'pending'],
		'Only people who have access, or only unanswered invitations',
	),
	...lifeFilters,
};

/** Part A, 2.14. */
const output = outputOf({
	...kept('id', 'name', 'email', 'company_name', 'note', 'role', 'status', 'all_sites_access'),
	site_count: 'site_ids.length',
	...kept('site_ids', 'two_fa_enabled', 'created_at', 'updated_at'),
});

const does = {
	usual: 'givesAccess',
	create: ['givesAccess', 'sendsMail'],
	resendInvitation: ['givesAccess', 'sendsMail'],
} as const;

/** An update or another sending replaces an invitation that is pending. Part A, 3. */
const newIdIf = { status: 'pending' };

const siteAccess = {
	...accountWide,
	sites: ['team_member.site_ids', 'team_member.all_sites_access'],
	mayNameNone: true,
} as const;

const updated = on('POST /team-members/{teamMemberId}/update', siteAccess);

const resent = ofAccount('POST /team-members/{teamMemberId}/resend-invitation');

/** Part A, 4.12. */
export const teamMember = resourceWith(output, 'Team Member', does, [
	getMany('Get many team members', withSites('GET /team-members'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'name', 'email', 'role'],
		output: lacking(output, 'site_ids'),
	}),
	create('Invite team member', on('POST /team-members', siteAccess), {
		sideEffect: 'the address gets an invitation by email',
		required: [name, email, role],
		optional: [...access, sites],
	}),
	get('Get team member', withSites('GET /team-members/{teamMemberId}')),
	update('Update team member', updated, {
		fields: [
			name,
			role,
			...access,
			replacing(sites, 'Sites', 'the person loses access to sites that the new list leaves out'),
		],
		clear: { company_name: ['Company Name', ''], note: ['Note', ''], site_ids: ['Sites', []] },
		newIdIf,
		notice:
			'A pending invitation is replaced by a new one with another ID. Continue with the ID in the output.',
	}),
	...listChanges(updated, {
		of: 'team member',
		entries: idsField('siteIds', 'The sites to add to or remove from the access of the person'),
		change: { place: 'site_ids', entry: 'site', all: { all_sites_access: true } },
		newIdIf,
	}),
	remove('Delete team member', ofAccount('DELETE /team-members/{teamMemberId}'), {
		irreversible: 'the person loses access to the account, or the invitation is cancelled',
	}),
	act('Resend invitation of team member', resent, {
		name: 'Resend Invitation',
		description: 'Replace a pending invitation by a new one',
		sideEffect: 'the invitation is replaced by a new one with another ID',
		notice: 'Continue with the ID in the output.',
		renames: true,
		newIdIf,
	}),
]);
